/**
 * Paths as the system has them: bytes, not text. Inside the search a path is a string with one character for each byte
 * (`latin1`), so that none is lost, comparing is what the file system's order would be, and plain names cost nothing.
 */
export type RawPath = string;

const beyondAscii = /[\u0080-\uffff]/;

export function toRaw(text: string): RawPath {
  return beyondAscii.test(text) ? Buffer.from(text).toString('latin1') : text;
}

/** For people and models. What is not UTF-8 becomes a replacement character. */
export function toText(raw: RawPath): string {
  return beyondAscii.test(raw) ? Buffer.from(raw, 'latin1').toString() : raw;
}

/** For the file system. */
export function toSystem(raw: RawPath): string | Buffer {
  return beyondAscii.test(raw) ? Buffer.from(raw, 'latin1') : raw;
}

/** The order in which a walk meets files: folder by folder, names by their bytes. */
export function comparePaths(a: RawPath, b: RawPath): number {
  const left = a.replaceAll('/', '\0');
  const right = b.replaceAll('/', '\0');
  return left < right ? -1 : left > right ? 1 : 0;
}
