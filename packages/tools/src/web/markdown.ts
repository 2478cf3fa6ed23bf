/**
 * A web page as Markdown, written down while it is parsed: what steers and decorates a page is left out, and where it says
 * which part is the content, only that is taken. Piece by piece, so that nothing waits for a long page.
 */
import { type Blocks, createBlocks } from './blocks.ts';
import { createTable, type Table } from './table.ts';

export interface Page {
  title: string;
  markdown: string;
  /** It was too long or too deeply nested to be read to its end. */
  cut: boolean;
}

const pieceChars = 32 * 1024;
/** Beyond either, a page is no page any more but an attack. */
const maxDepth = 400;
const maxChars = 10 * 1024 * 1024;
/** A content part shorter than this is taken for a mistake. */
const minContentChars = 200;
const maxInlineChars = 300;
/** What is longer is no link, emphasis or heading, and looking at it once more for each would take long. */
const maxElementChars = 20_000;
/** Links and emphases in each other: nobody means more. */
const maxInside = 8;

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const neverShown = names(
  'script style noscript template svg iframe object canvas button select textarea video audio dialog',
);
const aside = names('nav footer aside menu');
const blockNames = names(
  'address article body center dd details div dl dt fieldset figcaption figure footer form header hgroup html main p section summary',
);
const styles: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', del: '~~', s: '~~' };

type Attributes = Readonly<Record<string, string>>;

export async function toMarkdown(html: string, base: string, signal: AbortSignal): Promise<Page> {
  const page = await convert(html, base, { signal, withAsides: false });
  return page.markdown === '' ? convert(html, base, { signal, withAsides: true }) : page;
}

async function convert(
  html: string,
  base: string,
  options: { signal: AbortSignal; withAsides: boolean },
): Promise<Page> {
  const { Parser } = await import('htmlparser2');
  const blocks = createBlocks();
  const elements = createElements(blocks, base, options.withAsides);
  const parser = new Parser({ onopentag: elements.open, onclosetag: elements.close, ontext: elements.text });
  let at = 0;
  for (; at < html.length && !elements.tooDeep() && blocks.size() <= maxChars; at += pieceChars) {
    parser.write(html.slice(at, at + pieceChars));
    await new Promise((resolve) => setImmediate(resolve));
    options.signal.throwIfAborted();
  }
  parser.end();
  blocks.flush();
  return { title: elements.title(), markdown: elements.content(), cut: at < html.length };
}

interface Elements {
  open(name: string, attributes: Attributes): void;
  close(): void;
  text(text: string): void;
  tooDeep(): boolean;
  title(): string;
  content(): string;
}

function createElements(blocks: Blocks, base: string, withAsides: boolean): Elements {
  /** What is to be done when each open element ends. */
  const ends: (() => void)[] = [];
  const parts: { kind: 'main' | 'article'; from: number; to: number }[] = [];
  const tables: Table[] = [];
  let hidden = 0;
  /** How many links and emphases are open: no place for a heading. */
  let inside = 0;
  let tooDeep = false;
  /** Inside `pre`: what it says so far, and in which language. */
  let raw: string[] | undefined;
  let language = '';
  let title: string[] | undefined;
  let titleText = '';
  const nothing = () => {};

  function enter(name: string, attributes: Attributes): () => void {
    if (name === 'title' && titleText === '') {
      const pieces: string[] = [];
      title = pieces;
      return () => {
        title = undefined;
        titleText = pieces.join('').replace(/\s+/g, ' ').trim();
      };
    }
    if (hidden > 0 || isHidden(name, attributes, withAsides)) {
      hidden += 1;
      return () => {
        hidden -= 1;
      };
    }
    if (raw) {
      if (name === 'br') raw.push('\n');
      return nothing;
    }
    const end = inline(name, attributes) ?? structure(name, attributes);
    const kind = name === 'main' || attributes.role === 'main' ? 'main' : name === 'article' ? 'article' : undefined;
    if (kind === undefined) return end;
    const from = blocks.count();
    return () => {
      end();
      parts.push({ kind, from, to: blocks.count() });
    };
  }

  function inline(name: string, attributes: Attributes): (() => void) | undefined {
    if (inside > maxInside) return undefined;
    const style = styles[name];
    if (style !== undefined) return around((text) => style + text + style);
    if (name === 'code' || name === 'kbd' || name === 'samp') return around(codeSpan);
    if (name === 'a') {
      // The sign beside a heading that leads to itself.
      if (attributes.href?.startsWith('#')) return around((text) => (/^[#¶§🔗]$/u.test(text) ? '' : text));
      const address = linkTo(attributes.href, base);
      return address === undefined ? nothing : around((text) => `[${text}](${address})`);
    }
    if (name === 'img') {
      const words = attributes.alt?.trim();
      const address = linkTo(attributes.src, base);
      if (words && address !== undefined) blocks.mark(`![${words.replace(/\s+/g, ' ')}](${address})`);
      return nothing;
    }
    if (name === 'br') {
      blocks.mark('\n');
      return nothing;
    }
    return undefined;
  }

  /** Text with something before and after it, or nothing at all when there is no text. */
  function around(wrap: (text: string) => string): () => void {
    const take = blocks.collect();
    inside += 1;
    return () => {
      inside -= 1;
      const text = take();
      if (text.length > maxElementChars) return blocks.mark(text);
      const words = text.replace(/\s+/g, ' ').trim();
      // Whole blocks inside: an element that somebody forgot to close.
      if (words.length > maxInlineChars && text.includes('\n')) return apart(text);
      if (/^\s/.test(text)) blocks.text(' ');
      if (words !== '') blocks.mark(wrap(words));
      if (words !== '' && /\s$/.test(text)) blocks.text(' ');
    };
  }

  function apart(text: string): void {
    for (const line of text.split('\n')) {
      blocks.text(line);
      blocks.flush();
    }
  }

  function structure(name: string, attributes: Attributes): () => void {
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined && inside <= maxInside) {
      blocks.flush();
      const take = blocks.collect();
      inside += 1;
      return () => {
        inside -= 1;
        const text = take();
        if (text.length > maxElementChars) return blocks.mark(text);
        const words = text.replace(/\s+/g, ' ').trim();
        if (words !== '') blocks.block(inside > 0 ? words : `${'#'.repeat(Number(level))} ${words}`);
      };
    }
    switch (name) {
      case 'ul':
      case 'ol':
        return blocks.list(name === 'ol');
      case 'li':
        return blocks.item();
      case 'blockquote':
        return blocks.quote();
      case 'hr':
        blocks.block('---');
        return nothing;
      case 'pre':
        return preformatted(attributes);
      case 'table': {
        blocks.flush();
        const table = createTable(tables.length > 0);
        tables.push(table);
        return () => {
          tables.pop();
          blocks.flush();
          for (const block of table.blocks()) blocks.block(block);
        };
      }
      case 'tr':
        blocks.flush();
        tables.at(-1)?.row();
        return blocks.flush;
      case 'td':
      case 'th': {
        const table = tables.at(-1);
        if (!table || table.nested) {
          blocks.text(' ');
          return () => blocks.text(' ');
        }
        const take = blocks.collect();
        return () => table.cell(take());
      }
      default:
        if (!blockNames.has(name)) return nothing;
        blocks.flush();
        return blocks.flush;
    }
  }

  function preformatted(attributes: Attributes): () => void {
    blocks.flush();
    const pieces: string[] = [];
    raw = pieces;
    language = languageOf(attributes);
    return () => {
      raw = undefined;
      const code = pieces.join('').replace(/^\n|\s+$/g, '');
      if (code !== '') blocks.block(fenced(code, language));
    };
  }

  return {
    open(name, attributes) {
      // The parser reads a piece to its end, whatever is in it.
      if (ends.length > maxDepth) tooDeep = true;
      if (tooDeep) {
        ends.push(nothing);
        return;
      }
      if (raw && name === 'code' && language === '') language = languageOf(attributes);
      ends.push(enter(name, attributes));
    },
    close() {
      ends.pop()?.();
    },
    text(text) {
      if (title) title.push(text);
      else if (hidden > 0) return;
      else if (raw) raw.push(text);
      else blocks.text(text);
    },
    tooDeep: () => tooDeep,
    title: () => titleText,
    content() {
      const texts = (kind: 'main' | 'article') =>
        parts.filter((part) => part.kind === kind).map(({ from, to }) => blocks.markdown(from, to));
      const articles = texts('article');
      const candidates = [...texts('main'), ...(articles.length === 1 ? articles : [])];
      return candidates.find((text) => text.length >= minContentChars) ?? blocks.markdown();
    },
  };
}

function isHidden(name: string, attributes: Attributes, withAsides: boolean): boolean {
  if (neverShown.has(name)) return true;
  if (!withAsides && (aside.has(name) || attributes.role === 'navigation')) return true;
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return true;
  return /display\s*:\s*none/i.test(attributes.style ?? '');
}

/** Only what can be fetched is worth its characters. */
function linkTo(href: string | undefined, base: string): string | undefined {
  if (href === undefined || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href.replaceAll(')', '%29') : undefined;
}

function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  return fence.length === 1 ? fence + text + fence : `${fence} ${text} ${fence}`;
}

function fenced(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function languageOf(attributes: Attributes): string {
  const named = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(attributes.class ?? '')?.[1];
  return (named ?? attributes['data-lang'] ?? '').replace(/[^\w+#-]/g, '').slice(0, 30);
}
