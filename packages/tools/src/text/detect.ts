/**
 * Which encoding a file is in. A mark or valid UTF-8 settles it; anything else is a guess from what texts look like in
 * each encoding, and windows-1252, which can hold every byte, when nothing else is clear. Pure.
 */
import { isUtf8 } from 'node:buffer';
import { decode, type Encoding, markedEncoding } from './encoding.ts';
import { guessLegacy } from './legacy.ts';

/** A NUL byte this near to the start means that the file is not text, unless it is UTF-16. */
const probeBytes = 8 * 1024;
/** The part of a byte soup that control characters may be before it counts as no text. */
const maxControls = 0.1;
/** What a guess looks at, from the first byte on that is not ASCII. */
const maxSample = 64 * 1024;

/** Undefined: it is not text. `cut`: the bytes go on, so that a character at their end may be half. */
export function detectEncoding(bytes: Uint8Array, options: { cut?: boolean } = {}): Encoding | undefined {
  const marked = markedEncoding(bytes);
  // The mark of UTF-32 begins like the one of UTF-16.
  if (marked) return bytes[2] === 0 && bytes[3] === 0 && bytes.length > 3 ? undefined : marked;
  if (bytes.subarray(0, probeBytes).includes(0)) return guessUtf16(bytes);
  const whole = options.cut ? withoutHalfCharacter(bytes) : bytes;
  if (isUtf8(whole)) return { name: 'utf-8', bom: false };
  const start = whole.findIndex((byte) => byte >= 0x80);
  const sample = whole.subarray(start, start + maxSample);
  if (isDamagedUtf8(sample)) return { name: 'utf-8', bom: false };
  if (controlsIn(sample) > maxControls) return undefined;
  return { name: guessLegacy(sample) ?? 'windows-1252', bom: false };
}

/** Without a mark: every second byte of Western text is NUL, and the decoded text must look like text. */
function guessUtf16(bytes: Uint8Array): Encoding | undefined {
  const probe = bytes.subarray(0, Math.min(probeBytes, bytes.length & ~1));
  const nuls = [0, 0];
  for (const [at, byte] of probe.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  const name = odd > even * 20 ? 'utf-16le' : even > odd * 20 ? 'utf-16be' : undefined;
  if (name === undefined || Math.max(even, odd) < probe.length / 8 || bytes.length % 2 !== 0) return undefined;
  const encoding = { name, bom: false };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text has them
  return /[\0-\x08\x0e-\x1a\ufffe\ufffd]/.test(decode(probe, encoding)) ? undefined : encoding;
}

/** Drops the character the bytes may have been cut in: it has at most four of them. */
function withoutHalfCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}

/** Mostly whole characters of several bytes, and a few broken ones. No other encoding makes so many of them by chance. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  let whole = 0;
  let broken = 0;
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const valid = isUtf8(bytes.subarray(at, at + length));
    if (valid && length > 1) whole += 1;
    if (!valid) broken += 1;
    at += valid ? length : 1;
  }
  return whole > broken * 4;
}

/** The share of bytes that texts do not have. */
function controlsIn(bytes: Uint8Array): number {
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20 && (byte < 0x07 || byte > 0x0d) && byte !== 0x1b) controls += 1;
  return controls / bytes.length;
}
