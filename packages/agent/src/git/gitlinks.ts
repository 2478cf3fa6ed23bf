/** The places in an index where other repositories belong: git looks into those too, by their configuration. */

const modeAt = 24;
const gitlink = 0o160000;

/** Undefined when the index is not one that is understood whole. */
export function gitlinksIn(index: Buffer, { sha256 }: { sha256: boolean }): string[] | undefined {
  const hash = sha256 ? 32 : 20;
  if (index.length < 12 + hash || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const end = index.length - hash;
  const found: string[] = [];
  let at = 12;
  let name: Buffer = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + 40 + hash;
    if (flagsAt + 4 > end) return undefined;
    const extended = version > 2 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
    let start = flagsAt + (extended ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const dropped = varint(index, start, end);
      if (!dropped || dropped.value > name.length) return undefined;
      kept = name.length - dropped.value;
      start = dropped.next;
    }
    const stop = index.indexOf(0, start);
    if (stop < 0 || stop >= end) return undefined;
    name =
      version === 4
        ? Buffer.concat([name.subarray(0, kept), index.subarray(start, stop)])
        : index.subarray(start, stop);
    if (index.readUInt32BE(at + modeAt) === gitlink) found.push(name.toString('utf8'));
    at = version === 4 ? stop + 1 : at + ((stop - at + 8) & ~7);
  }
  return isWhole(index, at, end) ? found : undefined;
}

/** What an index keeps in another file, or in a way that must be understood, is not seen from here. */
function isWhole(index: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at + 8 <= end) {
    const name = index.toString('latin1', at, at + 4);
    if (!/^[A-Z]/.test(name) && name !== 'sdir') return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}

/** As git writes the length of what two names do not share: each further byte counts from one. */
function varint(bytes: Buffer, start: number, end: number): { value: number; next: number } | undefined {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    if (at >= end || value > 0xffffff) return undefined;
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next: at };
}
