/**
 * Text cut into what a person sees as one character. Most text is simple: where two simple characters meet there is a
 * boundary, and only what lies between such places is given to the segmenter, which costs milliseconds to make.
 */

const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** The grapheme clusters of plain text, in order. Joined they are the text. */
export function graphemes(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = boundaryAfter(text, at);
    if (isOne(text, at, end)) {
      found.push(text.slice(at, end));
      at = end;
    } else {
      const last = notSimpleUntil(text, at, end);
      segment(text, at, last, found);
      at = last;
    }
  }
  return found;
}

/** Asking the segmenter costs more than what it is asked about, so neighbours that need it too go along. */
function notSimpleUntil(text: string, from: number, first: number): number {
  let end = first;
  while (end < text.length && end - from < windowSize) {
    const next = boundaryAfter(text, end);
    if (isOne(text, end, next)) break;
    end = next;
  }
  return end;
}

/** How long the first of them is. */
export function firstLength(text: string): number {
  const end = boundaryAfter(text, 0);
  if (isOne(text, 0, end)) return end;
  for (const part of segmenter().segment(text.slice(0, end))) return part.segment.length;
  return 0;
}

/** So much is given to the segmenter at once: it takes the square of the length. */
const windowSize = 256;

/** What begins in a window may go on behind it, so the last one in it is looked at again, with more. */
function segment(text: string, from: number, end: number, found: string[]): void {
  let size = windowSize;
  for (let at = from; at < end; ) {
    let edge = Math.min(at + size, end);
    if (edge < end && isHighSurrogate(text.charCodeAt(edge - 1))) edge++;
    const parts = Array.from(segmenter().segment(text.slice(at, edge)), (part) => part.segment);
    const last = edge < end ? parts.pop() : undefined;
    for (const part of parts) found.push(part);
    size = parts.length > 0 ? windowSize : size * 2;
    at = edge - (last?.length ?? 0);
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

/** The next place after `at`, itself a boundary, that is surely a boundary too. */
function boundaryAfter(text: string, at: number): number {
  let before = text.codePointAt(at) ?? 0;
  for (let next = at + sizeOf(before); next < text.length; ) {
    const code = text.codePointAt(next) ?? 0;
    if (isSimple(before) && isSimple(code) && !(before === carriageReturn && code === lineFeed)) return next;
    before = code;
    next += sizeOf(code);
  }
  return text.length;
}

/** The first place from `from` on where text can be parted without parting a grapheme, as far as is plain to see. */
export function plainBoundary(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const before = text.charCodeAt(at - 1);
    if (isSimple(before) && isSimple(text.charCodeAt(at)) && before !== carriageReturn) return at;
  }
  return text.length;
}

/** One unit, one simple character of two, or a carriage return with its line feed. */
function isOne(text: string, at: number, end: number): boolean {
  if (end - at !== 2) return end - at === 1;
  const code = text.codePointAt(at) ?? 0;
  return code > 0xffff ? isSimple(code) : code === carriageReturn && text.charCodeAt(at + 1) === lineFeed;
}

function sizeOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}

/** Neither joins a character of its own kind nor is joined by one. Anything not listed is left to the segmenter. */
export function isSimple(code: number): boolean {
  if (code < 0x300) return true;
  if (code < 0x530) return (code >= 0x370 && code < 0x483) || code >= 0x48a;
  // The letters of Hebrew and Arabic, without their marks.
  if (code < 0x2010) return (code >= 0x5d0 && code < 0x5eb) || (code >= 0x620 && code < 0x64b);
  if (code < 0x2e00) return code < 0x2028 || (code >= 0x2030 && code < 0x2060) || (code >= 0x2100 && code < 0x2cef);
  if (code < 0xa66f) return (code < 0x302a || code >= 0x3030) && code !== 0x3099 && code !== 0x309a;
  if (code < 0x10000) return (code >= 0xac00 && code < 0xd7a4) || (code >= 0xff01 && code < 0xff9e) || code === 0xfffd;
  // Emoji but for flags and skin tones, and the rarer ideographs.
  if (code < 0x20000) return (code >= 0x1f300 && code < 0x1f3fb) || (code >= 0x1f400 && code < 0x1fb00);
  return code < 0x40000;
}

/** Made when first asked for, and then kept. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
