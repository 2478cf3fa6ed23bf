/** How many cells text takes on a terminal: wide characters two, marks none, what is ambiguous one. */
import { eastAsianWidth } from 'get-east-asian-width';
import { graphemes, isSimple, once } from './graphemes.ts';
import { sequenceEnd } from './sequence.ts';

/** Widths that were looked up, plus one. */
const known = once(() => new Uint8Array(0x10000));
const escapeCode = 0x1b;
const tabCode = 0x09;
/** A tab goes to the next multiple of this many columns. */
const tabStop = 4;
/** Marks that sit on another character, and characters that only steer how others look. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u{1160}-\u{11ff}\u{d7b0}-\u{d7fb}]$/u;
/** Format characters that have a shape: the soft hyphen as terminals draw it, and signs that stand around numbers. */
const shapedFormat = /^[\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;
const pictograph = /^\p{Extended_Pictographic}/u;
const emoji = /^\p{Emoji}/u;
/** What makes a picture of a character that is drawn as text by itself. */
const emojiStyle = /\ufe0f|\u200d|[\u{1f3fb}-\u{1f3ff}]/u;

/** The cells of text that may hold styles and links. Tabs go to their stop, other control characters count nothing. */
export function widthOf(text: string): number {
  return widthUpTo(text, Number.POSITIVE_INFINITY);
}

/** The same, and not more than a little over `enough`: who only wants to know whether it is wider does not pay for the rest. */
export function widthUpTo(text: string, enough: number): number {
  let width = 0;
  for (let at = 0; at < text.length && width <= enough; ) {
    const code = text.charCodeAt(at);
    if (isControl(code)) {
      if (code === tabCode) width = tabAfter(width);
      at = code === escapeCode || code > 0x7f ? sequenceEnd(text, at) : at + 1;
      continue;
    }
    const end = runEnd(text, at);
    width += end - at === 1 ? codeWidth(code) : plainWidth(text.slice(at, end));
    at = end;
  }
  return width;
}

/** The column that a tab at this column leads to. */
export function tabAfter(column: number): number {
  return column + tabStop - (column % tabStop);
}

/** The cells of one grapheme cluster. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1) return codeWidth(grapheme.charCodeAt(0));
  const first = grapheme.codePointAt(0) ?? 0;
  if (first < 0x20) return 0;
  if (pictograph.test(grapheme)) return emojiStyle.test(grapheme) ? 2 : codeWidth(first);
  if (grapheme.includes('\ufe0f') && emoji.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += codeWidth(character.codePointAt(0) ?? 0);
  return width;
}

function plainWidth(text: string): number {
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/** Up to a control character, or to a place that is surely between two graphemes. */
function runEnd(text: string, from: number): number {
  let before = text.charCodeAt(from);
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isControl(code) || (isSimple(before) && isSimple(code))) return at;
    before = code;
  }
  return text.length;
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

function codeWidth(code: number): number {
  if (code < 0x300) return isControl(code) ? 0 : 1;
  if (code > 0xffff) return lookedUp(code);
  const table = known();
  const found = table[code] ?? 0;
  if (found > 0) return found - 1;
  const width = lookedUp(code);
  table[code] = width + 1;
  return width;
}

function lookedUp(code: number): number {
  // Nothing that is simple is a mark. The expressions cost a millisecond when first used, and borders need none of them.
  if (isSimple(code)) return eastAsianWidth(code);
  const character = String.fromCodePoint(code);
  if (zeroWidth.test(character)) return shapedFormat.test(character) ? 1 : 0;
  return eastAsianWidth(code);
}
