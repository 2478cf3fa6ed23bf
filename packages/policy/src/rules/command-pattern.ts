/**
 * Commands in rules. A pattern is compared with one simple command, word by word, after the shell's quoting is undone
 * and what starts the command (`timeout 5`, `env`, `xargs`) is taken off; it never reaches over `&&`, `|`, `;` or a newline.
 *
 * - `npm test` is that command and nothing more.
 * - `npm test:*` and `npm test *` are the same: it, and anything after it. `npm testx` is not it.
 * - `*` anywhere else is any text, also over several words: `git * main`, `* --version`, `npm run test*`.
 * - `\*` is a star; `\\` a backslash; quotes keep blanks in a word: `git commit -m "a b"`.
 *
 * Words that only the shell will know are covered by a `*`, never by a fixed word. Denies and asks look further: at every
 * program by any path to it, and at the bare text of lines that cannot be taken apart.
 */
import type { Outcome } from '@tau/core';
import type { Invocation, Word } from '../shell/invocation.ts';
import { looseSegments, type Segment } from '../shell/segments.ts';

export interface CommandPattern {
  kind: 'exact' | 'prefix' | 'wildcard';
  /** As written; for `wildcard` with its escapes. */
  value: string;
}

/** Texts between the stars. The words in them are joined by `gap`. */
type Pieces = readonly string[];

/** Between two words: no argument of a program can have it. */
const gap = '\0';
/** A word that nobody knows yet. No text is it, only a star covers it. */
const hidden = '\uffff';
/** A star, while a pattern is taken apart. */
const star = '\ufffe';

/** The pattern; undefined for `*`, which is every command; or what is wrong with it. */
export function readCommandPattern(outcome: Outcome, source: string): CommandPattern | string | undefined {
  if (source.trim() === '') return 'its pattern is empty';
  if (/[\0\ufffe\uffff]/.test(source)) return 'it has a character that no command has';
  if (/^\s*\*+\s*$/.test(source)) return undefined;
  const colon = /(^|[^\\])(\\\\)*:\*$/.test(source);
  const body = colon ? source.slice(0, -2) : source.replace(/(^|[^\\\s])(\\\\)*\s+\*+$/, '$1$2');
  const prefix = body !== source;
  if (body.trim() === '') return 'its pattern is empty';
  const starred = withStars(body);
  if (starred.includes(`:${star}`)) return ':* stands only at its end';
  const kind = starred.includes(star) ? 'wildcard' : prefix ? 'prefix' : 'exact';
  if (outcome === 'allow' && kind !== 'exact' && wordsOf(starred) === undefined) {
    return 'a pattern can only allow one simple command, in plain words';
  }
  return { kind, value: kind !== 'wildcard' ? starred : colon ? `${body} *` : source };
}

/** The text of a rule with escapes undone and its stars marked. */
function withStars(source: string): string {
  return source.replace(/\\([*?[\\])|\*+/g, (_, literal: string | undefined) => literal ?? star);
}

/** A pattern ready to be compared: anything of `globs` will do. */
export interface CommandGlob {
  /** With the words as the shell would read them; none when they are more than one simple command. */
  globs: readonly Pieces[];
  /** The same without quotes, one for each command in it. */
  loose: readonly (readonly Pieces[])[];
  /** The program is written from home, as the shell would not show it. */
  tilde: boolean;
  pattern: CommandPattern;
}

export function compileCommand(pattern: CommandPattern): CommandGlob {
  const { kind, value } = pattern;
  const text = kind === 'wildcard' ? withStars(value) : value;
  const [, begin, tail] = /^(.*?)(\s+\ufffe)?$/s.exec(text) ?? [];
  const open = kind === 'prefix' || tail !== undefined;
  const body = begin ?? text;
  const words = wordsOf(body);
  const segments = looseSegments(body);
  return {
    globs: words === undefined ? [] : forms(words, open),
    loose: segments.map(({ words: loose }, at) => forms(loose.join(gap), open && at === segments.length - 1)),
    tilde: /(^|\0)~(\/|\0|$)/.test(words ?? ''),
    pattern,
  };
}

/** With `open`, the words and anything after them. */
function forms(words: string, open: boolean): Pieces[] {
  const pieces = words.split(star);
  return open ? [pieces, followedBy(pieces, gap)] : [pieces];
}

/** The words of one simple command, joined. Undefined when a shell would see more in it than that. */
function wordsOf(text: string): string | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (const char of text) {
    if (quote !== '' ? char === quote : char === '"' || char === "'") {
      quote = quote === '' ? char : '';
      word ??= '';
    } else if (quote === '' && /[;&|<>()$`\\\n\r]/.test(char)) {
      return undefined;
    } else if (quote === '"' && /[$`\\]/.test(char)) {
      return undefined;
    } else if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== undefined) words.push(word);
  return quote === '' && words.length > 0 ? words.join(gap) : undefined;
}

/** Does a rule that allows cover the command? `home` is what `~` in the pattern stands for. */
export function commandAllowed({ words, open }: Invocation, glob: CommandGlob, home: string): boolean {
  const seen = glob.tilde ? words.map((word) => fromHome(word, home)) : words;
  const text = textOf(seen, open);
  if (reachesFurther(words, glob.pattern)) return false;
  return glob.globs.some((pieces) => piecesMatch(text, pieces));
}

/** A tilde that is still there when the shell is done is a name like any other. */
function fromHome(word: Word, home: string): Word {
  if (word === undefined || word.startsWith('~')) return undefined;
  return word === home || word.startsWith(`${home}/`) ? `~${word.slice(home.length)}` : word;
}

/** What makes a search remove, write or start something is meant only by a rule that says so. */
const reaching: Readonly<Record<string, RegExp>> = {
  find: /^-(delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)$/,
  fd: /^(-[xX].*|--exec.*)$/,
  fdfind: /^(-[xX].*|--exec.*)$/,
};

function reachesFurther([name = '', ...words]: readonly Word[], { value }: CommandPattern): boolean {
  const program = baseName(name);
  const further = Object.hasOwn(reaching, program) ? reaching[program] : undefined;
  if (further === undefined) return false;
  const said = value.split(/\s+/);
  return words.some((word) => word !== undefined && further.test(word) && !said.includes(word));
}

/**
 * A command as rules that ask or deny look at it: by any path to its program, and with the options left out that stand
 * before anything else: `git -C x push` is a push.
 */
export function spellingsOf({ words, open }: Pick<Invocation, 'words' | 'open'>): string[] {
  const [name, ...rest] = words;
  if (name === undefined) return [words, ...(open && rest.length > 0 ? [rest] : [])].map((seen) => textOf(seen, open));
  const names = new Set([name, baseName(name), baseName(name).toLowerCase()]);
  return [...names].flatMap((one) => [rest, ...withoutOptions(rest)].map((given) => textOf([one, ...given], open)));
}

/** More options than this before a word are not for honest people, and then it is asked anyway. */
const mostOptions = 16;

/** Nobody knows here which options take a value: what follows one may be its value or not. */
function withoutOptions(words: readonly Word[]): (readonly Word[])[] {
  const found: (readonly Word[])[] = [];
  for (let at = 0; at < Math.min(words.length - 1, mostOptions); at++) {
    const skipped = words[at]?.startsWith('-') || (at > 0 && words[at - 1]?.startsWith('-'));
    if (!skipped) break;
    found.push(words.slice(at + 1));
  }
  return found;
}

/** Does a rule that asks or denies speak of the command? */
export function commandRestricted(spellings: readonly string[], { globs }: CommandGlob): boolean {
  return spellings.some((text) => globs.some((pieces) => piecesMatch(text, pieces)));
}

/** Could it, once the shell knows the words that nobody knows yet? */
export function commandMayBeRestricted(spellings: readonly string[], { globs, loose }: CommandGlob): boolean {
  const wanted = globs.length > 0 ? globs : (loose[0] ?? []);
  return spellings.some((text) => text.includes(hidden) && wanted.some((pieces) => piecesMeet(text, pieces)));
}

/** A command in the bare text, ready to be compared. */
export interface LooseCommand {
  text: string;
  /** The same with the program's name alone. */
  based: string;
  anywhere: boolean;
}

export function looseCommand({ words, anywhere }: Segment): LooseCommand {
  const [first = '', ...rest] = words;
  const text = gap + words.join(gap);
  const name = baseName(first);
  return { text, based: name === first ? text : gap + [name, ...rest].join(gap), anywhere };
}

/** The same in the bare text: the commands of the pattern, one after the other. */
export function segmentsRestricted(commands: readonly LooseCommand[], { loose }: CommandGlob): boolean {
  if (loose.length === 0) return false;
  return commands.some((_, at) =>
    loose.every((globs, step) => {
      const command = commands[at + step];
      return command !== undefined && looseMatches(command, globs);
    }),
  );
}

/** A redirection may follow; and where something leads the command, it may begin at any word. */
function looseMatches({ text, based, anywhere }: LooseCommand, globs: readonly Pieces[]): boolean {
  return globs.some((glob) =>
    [glob, followedBy(glob, `${gap}>`)].some(([begin = '', ...more]) =>
      anywhere
        ? piecesMatch(text, ['', gap + begin, ...more]) || piecesMatch(text, ['', `/${begin}`, ...more])
        : piecesMatch(text, [gap + begin, ...more]) || piecesMatch(based, [gap + begin, ...more]),
    ),
  );
}

function followedBy(pieces: Pieces, text: string): Pieces {
  return [...pieces.slice(0, -1), (pieces.at(-1) ?? '') + text, ''];
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

function textOf(words: readonly Word[], open: boolean): string {
  const known = words.map((word) => (word === undefined || /[\0\ufffe\uffff]/.test(word) ? hidden : word));
  return (open ? [...known, hidden] : known).join(gap);
}

/** The first piece at the start, the last at the end, the others in order between them. */
function piecesMatch(text: string, pieces: Pieces): boolean {
  const [first = ''] = pieces;
  if (pieces.length === 1) return text === first;
  const last = pieces.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return at <= end;
}

/** Above this, nobody counts: it may be. */
const mostSteps = 1_000_000;

/** True when the hidden words of the text could be such that the pieces match it. Each may be several words, or none. */
function piecesMeet(text: string, pieces: Pieces): boolean {
  const [begin = ''] = pieces;
  const known = text.slice(0, text.indexOf(hidden)).replace(/\0$/, '');
  if (!known.startsWith(begin.slice(0, known.length)) || !begin.startsWith(known.slice(0, begin.length))) return false;
  const pattern = pieces.join(star);
  if (text.length * pattern.length > mostSteps) return true;
  // Each round takes one character of the text: the places of the pattern that could be reached with it.
  let reached = spread(new Set([0]), pattern);
  for (let at = 0; at < text.length && reached.size > 0; at++) {
    const skips = text[at] === gap && text[at + 1] === hidden;
    const next =
      text[at] === hidden ? new Set(placesFrom(Math.min(...reached), pattern)) : stepped(reached, text[at], pattern);
    if (skips) {
      const begun = next.size > 0 ? placesFrom(Math.min(...next), pattern) : [];
      reached = spread(new Set([...reached, ...begun]), pattern);
      at++;
    } else {
      reached = spread(next, pattern);
    }
  }
  return reached.has(pattern.length);
}

function stepped(reached: ReadonlySet<number>, char: string | undefined, pattern: string): Set<number> {
  const next = new Set<number>();
  for (const at of reached) {
    if (pattern[at] === star) next.add(at);
    else if (pattern[at] === char) next.add(at + 1);
  }
  return next;
}

function placesFrom(first: number, pattern: string): number[] {
  return Array.from({ length: pattern.length - first + 1 }, (_, step) => first + step);
}

/** A star may also be nothing. */
function spread(places: Set<number>, pattern: string): Set<number> {
  for (const at of places) if (pattern[at] === star) places.add(at + 1);
  return places;
}
