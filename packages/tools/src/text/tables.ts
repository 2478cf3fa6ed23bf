/** Which bytes a character has in the encodings that Node can only read: found by decoding every byte there is. */

/** What windows-1252 has instead of the control characters 0x80 to 0x9f. Five places are empty and stay what they are. */
const quotesAndDashes =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/** By hand, because not every Node decodes it right. */
export const windows1252 = {
  decode(content: Buffer): string {
    const text = content.toString('latin1');
    return text.replace(/[\x80-\x9f]/g, (byte) => quotesAndDashes[byte.charCodeAt(0) - 0x80] ?? byte);
  },

  encode(text: string): Buffer | undefined {
    const content = Buffer.allocUnsafe(text.length);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const byte =
        code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : 0x80 + quotesAndDashes.indexOf(text.charAt(at));
      if (byte === 0x7f && code !== 0x7f) return undefined;
      content[at] = byte;
    }
    return content;
  },
};

export function singleByteTable(name: string): Map<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(name);
  for (let byte = 0x80; byte <= 0xff; byte++) add(table, decoder, [byte]);
  return table;
}

/** Characters of one byte (half-width kana) and of two. The rare ones of three and four bytes are left out. */
export function doubleByteTable(name: string): Map<string, readonly number[]> {
  const table = singleByteTable(name);
  const decoder = new TextDecoder(name);
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) add(table, decoder, [lead, trail]);
  }
  return table;
}

/** The first bytes that mean a character are the ones it is written with. */
function add(
  table: Map<string, readonly number[]>,
  decoder: InstanceType<typeof TextDecoder>,
  bytes: readonly number[],
): void {
  const text = decoder.decode(Uint8Array.from(bytes));
  const [character = ''] = text;
  if (character.length === text.length && character !== '\ufffd' && !table.has(character)) table.set(character, bytes);
}
