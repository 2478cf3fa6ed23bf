/**
 * Keys from a terminal that hands over whole lines, as plain screens have it. The end of a line is Enter; a line that
 * begins with a key that is no text (an arrow, Tab, Escape) is keys alone, and its end only sends them.
 */
import type { Decoder } from './decoder.ts';

const [lineFeed, carriageReturn, space] = [0x0a, 0x0d, 0x20];

export function createLineFeed(decoder: Decoder): (data: string | Uint8Array) => void {
  let begins = true;
  let onlyKeys = false;
  return (data) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let from = 0; from < bytes.length; ) {
      const feed = bytes.indexOf(lineFeed, from);
      const end = feed === -1 ? bytes.length : feed;
      // A pipe may bring lines that end in both.
      const rest = bytes.subarray(from, feed > from && bytes[feed - 1] === carriageReturn ? feed - 1 : end);
      if (begins) onlyKeys = rest.length > 0 && (rest[0] ?? 0) < space && rest[0] !== carriageReturn;
      if (rest.length > 0) decoder.feed(rest);
      begins = feed !== -1;
      if (begins) {
        decoder.flush();
        if (!onlyKeys) decoder.feed('\r');
      }
      from = end + 1;
    }
  };
}
