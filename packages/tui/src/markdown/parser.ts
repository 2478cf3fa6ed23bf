/** The parser, loaded when the first document is shown. It never throws and counts what it reads. */
import type { MarkedToken, Token, TokensList } from 'marked';

export type { MarkedToken } from 'marked';
/** Addresses that a document defines for its links, by name. */
export type Definitions = TokensList['links'];

export interface Parser {
  /** Loads it. If that fails, documents are shown as plain text. */
  load(): Promise<void>;
  readonly loaded: boolean;
  /** The blocks of a source; one that cannot be understood is a paragraph of plain text. */
  blocks(source: string, definitions: Definitions): { tokens: MarkedToken[]; definitions: Definitions };
  inline(source: string, definitions: Definitions): MarkedToken[];
  /** Characters read so far. */
  readonly read: number;
}

export function createParser(): Parser {
  let marked: typeof import('marked') | undefined;
  let isBroken = false;
  let loading: Promise<void> | undefined;
  let read = 0;
  const lexer = (definitions: Definitions) => {
    if (marked === undefined) throw new Error('The markdown parser is not loaded yet: await load() first.');
    const made = new marked.Lexer({ gfm: true });
    Object.assign(made.tokens.links, definitions);
    return made;
  };
  return {
    load() {
      loading ??= import('marked').then(
        (module) => {
          marked = module;
        },
        (error: unknown) => {
          isBroken = true;
          throw error;
        },
      );
      return loading;
    },
    get loaded() {
      return marked !== undefined || isBroken;
    },
    get read() {
      return read;
    },
    blocks(source, definitions) {
      read += source.length;
      try {
        const made = lexer(definitions);
        const tokens = known(made.lex(calm(source)));
        return { tokens, definitions: { ...made.tokens.links } };
      } catch {
        return { tokens: [plain(source)], definitions };
      }
    },
    inline(source, definitions) {
      read += source.length;
      try {
        return known(lexer(definitions).inlineTokens(calm(source)));
      } catch {
        return [plain(source)];
      }
    },
  };
}

const types: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
]);

/** Without extensions the parser makes no other tokens. */
export function known(tokens: readonly Token[] | undefined): MarkedToken[] {
  return (tokens ?? []).filter((token): token is MarkedToken => types.has(token.type));
}

/** The parser takes the square of their number for blanks in a row; nobody sees how many of so many there are. */
function calm(source: string): string {
  return source.replace(/[ \t]{200,}/g, (blanks) => blanks.slice(0, 200));
}

function plain(source: string): MarkedToken {
  return { type: 'text', raw: source, text: source, escaped: true };
}
