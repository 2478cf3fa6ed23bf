/** The encodings from before Unicode, told apart by which bytes their languages use most. Unclear means undefined. */

/** Fewer characters than this say nothing about a language. */
const minCharacters = 6;

/** Cyrillic: the six most frequent letters (о е а и н т) make up almost half of a text. */
const cyrillic: Readonly<Record<string, ReadonlySet<number>>> = {
  'windows-1251': new Set([0xee, 0xe5, 0xe0, 0xe8, 0xed, 0xf2]),
  'koi8-r': new Set([0xcf, 0xc5, 0xc1, 0xc9, 0xce, 0xd4]),
};

export function guessLegacy(bytes: Uint8Array): string | undefined {
  const name = guessCyrillic(bytes) ?? guessDoubleByte(bytes);
  return name !== undefined && canDecode(bytes, name) ? name : undefined;
}

function guessCyrillic(bytes: Uint8Array): string | undefined {
  let high = 0;
  let runs = 0;
  let previous = 0;
  const hits = new Map<string, number>();
  for (const byte of bytes) {
    if (byte >= 0x80) {
      high += 1;
      if (previous < 0x80) runs += 1;
      for (const [name, letters] of Object.entries(cyrillic)) {
        if (letters.has(byte)) hits.set(name, (hits.get(name) ?? 0) + 1);
      }
    }
    previous = byte;
  }
  // Words of it, not single letters between others.
  if (high < minCharacters || high < runs * 3) return undefined;
  const [best] = [...hits].sort((a, b) => b[1] - a[1]);
  return best && best[1] > high * 0.35 ? best[0] : undefined;
}

/** What the pairs of bytes look like, read from the left. */
interface Pairs {
  count: number;
  /** The second byte is not below 0xa1: all of them are in the EUC family. */
  euc: number;
  /** By first byte, for the ranges that tell languages apart. */
  leads: ReadonlyMap<number, number>;
}

function guessDoubleByte(bytes: Uint8Array): string | undefined {
  const pairs = readPairs(bytes);
  if (!pairs || pairs.count < minCharacters) return undefined;
  const share = (from: number, to: number) => {
    let found = 0;
    for (const [lead, count] of pairs.leads) if (lead >= from && lead <= to) found += count;
    return found / pairs.count;
  };
  // Kana are a good part of every Japanese text.
  if (share(0x82, 0x83) > 0.2 && share(0x81, 0x9f) + share(0xe0, 0xea) > 0.9) return 'shift_jis';
  if (pairs.euc === pairs.count) {
    if (share(0xa4, 0xa5) > 0.2) return 'euc-jp';
    // Hangul ends where half of the frequent Chinese characters are still to come.
    if (share(0xb0, 0xc8) > 0.7 && share(0xc9, 0xfe) < 0.05) return 'euc-kr';
    return share(0xb0, 0xd7) > 0.6 ? 'gb18030' : undefined;
  }
  return share(0xa1, 0xc6) > 0.8 && pairs.euc > pairs.count * 0.2 ? 'big5' : undefined;
}

/** Undefined when a first byte has no second one. */
function readPairs(bytes: Uint8Array): Pairs | undefined {
  const leads = new Map<number, number>();
  let count = 0;
  let euc = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    at += 1;
    const trail = bytes[at];
    // The last character may be half.
    if (trail === undefined) break;
    if (lead === 0x80 || lead === 0xff || trail < 0x40 || trail === 0x7f || trail === 0xff) return undefined;
    count += 1;
    if (lead >= 0xa1 && trail >= 0xa1) euc += 1;
    leads.set(lead, (leads.get(lead) ?? 0) + 1);
  }
  return { count, euc, leads };
}

/** Nothing in it, but perhaps its last character, is foreign to the encoding. */
function canDecode(bytes: Uint8Array, name: string): boolean {
  try {
    const text = new TextDecoder(name).decode(bytes, { stream: true });
    return !text.includes('\ufffd');
  } catch {
    return false;
  }
}
