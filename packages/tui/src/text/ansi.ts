/** Escape sequences in text: told apart, taken out, or made visible together with all else that could do harm. */
import { graphemes } from './graphemes.ts';
import { sequenceEnd, sequenceStart } from './sequence.ts';
import { graphemeWidth, tabAfter, widthOf } from './width.ts';

export type Token =
  | { kind: 'text'; text: string }
  /** A Select Graphic Rendition sequence: colours and attributes. */
  | { kind: 'style'; text: string; parameters: string }
  /** OSC 8. An empty address closes the link. */
  | { kind: 'link'; text: string; parameters: string; url: string }
  /** Any other sequence, whole or cut off. */
  | { kind: 'other'; text: string };

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const sgr = /^(?:\x1b\[|\x9b)([\d;:]*)m$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const hyperlink = /^(?:\x1b\]|\x9d)8;([^;]*);(.*?)(?:\x07|\x1b\\|\x9c)$/s;

/** Text and sequences in order. Joined they are the text. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const next = sequenceStart(text, at);
    if (next > at) found.push({ kind: 'text', text: text.slice(at, next) });
    if (next === text.length) break;
    at = sequenceEnd(text, next);
    found.push(classify(text.slice(next, at)));
  }
  return found;
}

/** Without any sequence. Other control characters stay. */
export function stripAnsi(text: string): string {
  let plain = '';
  for (let at = 0; ; ) {
    const next = sequenceStart(text, at);
    if (next === text.length) return at === 0 ? text : plain + text.slice(at);
    plain += text.slice(at, next);
    at = sequenceEnd(text, next);
  }
}

function classify(text: string): Token {
  const style = sgr.exec(text);
  if (style) return { kind: 'style', text, parameters: style[1] ?? '' };
  const link = hyperlink.exec(text);
  if (link) return { kind: 'link', text, parameters: link[1] ?? '', url: link[2] ?? '' };
  return { kind: 'other', text };
}

/** More characters than any real grapheme has. */
const maxGrapheme = 32;
const loneHalf = /\p{Surrogate}/gu;
const harmless = /^[\x20-\x7e\n]*$/;
/** Steers the direction of text, or is seen by programs and not by people. Joiners stay: emoji and scripts need them. */
const invisible =
  /(?!\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cf}\p{Zl}\p{Zp}]/u;
/** The flags of England, Scotland and their like are the one good use of tag characters. */
const tagFlag = /^\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}$/u;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Words of such text with what stands between them, but for letters of other scripts and the slashes of paths. */
const rightToLeftRun = new RegExp(
  `${rightToLeft.source}(?:[^\\p{L}/\\\\\\n]*${rightToLeft.source})*[\\p{M}\\u200c\\u200d]*`,
  'gu',
);

/**
 * Text of unknown origin, harmless and visible: control characters as their pictures, tabs as spaces, invisible
 * characters by their number, right-to-left runs isolated so that they do not move what is beside them. Line breaks stay.
 */
export function printable(text: string): string {
  if (harmless.test(text)) return text;
  return text
    .replace(loneHalf, '\ufffd')
    .split(/\r?\n/)
    .map((line) => isolateRuns(visible(line)))
    .join('\n');
}

/** More than the widest terminal shows of one line, at each end of it. */
const lineEnd = 8000;

/**
 * The same for what has to stay on one line, such as a file's name: a line break is shown too. Of megabytes only both ends are
 * kept, since nobody could see more.
 */
export function printableLine(text: string): string {
  return printable(bothEnds(text).replace(/\r/g, '␍').replace(/\n/g, '␊'));
}

function bothEnds(text: string): string {
  return text.length <= 2 * lineEnd ? text : `${text.slice(0, lineEnd)}…${text.slice(-lineEnd)}`;
}

function visible(line: string): string {
  let shown = '';
  let column = 0;
  for (const grapheme of graphemes(line)) {
    const text = grapheme === '\t' ? ' '.repeat(tabAfter(column) - column) : shownAs(grapheme);
    shown += text;
    column += text === grapheme ? graphemeWidth(text) : widthOf(text);
  }
  return shown;
}

/** One grapheme, harmless and visible. */
export function printableGrapheme(grapheme: string): string {
  return shownAs(grapheme.replace(loneHalf, '\ufffd'));
}

function shownAs(grapheme: string): string {
  const code = grapheme.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  if (code > 0x7f && code < 0xa0) return numbered(code);
  if (grapheme.length === 1 && code < 0x7f) return grapheme;
  const characters = [...grapheme];
  if (characters.length > maxGrapheme) return `${shownAs(characters.slice(0, maxGrapheme).join(''))}\ufffd`;
  if (!invisible.test(grapheme) || tagFlag.test(grapheme)) return grapheme;
  return characters
    .map((character) => (invisible.test(character) ? numbered(character.codePointAt(0) ?? 0) : character))
    .join('');
}

function numbered(code: number): string {
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

function isolateRuns(line: string): string {
  return rightToLeft.test(line) ? line.replace(rightToLeftRun, (run) => `\u2068${run}\u2069`) : line;
}
