/** What an image says of itself: its size in pixels, which way is up, whether it is whole. Nothing is decoded. Pure. */
import type { ImageFormat } from './image-format.ts';

export interface Size {
  width: number;
  height: number;
}

/** Undefined when the file is damaged, or ends before it says. */
export function imageSize(bytes: Buffer, format: ImageFormat): Size | undefined {
  try {
    const size = sizeReaders[format](bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // A read beyond the end.
    return undefined;
  }
}

const sizeReaders: Readonly<Record<ImageFormat, (bytes: Buffer) => Size | undefined>> = {
  png: (bytes) => pngSize(bytes, 0),
  jpeg: jpegSize,
  gif: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  webp: webpSize,
  bmp: (bytes) => bmpSize(bytes, 14),
  ico: icoSize,
  tiff: tiffSize,
};

function pngSize(bytes: Buffer, at: number): Size {
  return { width: bytes.readUInt32BE(at + 16), height: bytes.readUInt32BE(at + 20) };
}

function jpegSize(bytes: Buffer): Size | undefined {
  const frame = jpegFrame(bytes);
  if (frame === undefined) return undefined;
  return { width: bytes.readUInt16BE(frame + 7), height: bytes.readUInt16BE(frame + 5) };
}

/** Where the picture itself begins: segment by segment, past the notes of the camera and the small picture in them. */
function jpegFrame(bytes: Buffer): number | undefined {
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return at;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): Size | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** The header of a bitmap, in a file of its own or inside an icon. A negative height means that the top comes first. */
function bmpSize(bytes: Buffer, at: number): Size | undefined {
  const header = bytes.readUInt32LE(at);
  if (header === 12) return { width: bytes.readUInt16LE(at + 4), height: bytes.readUInt16LE(at + 6) };
  if (header < 40 || header > 124) return undefined;
  return { width: Math.abs(bytes.readInt32LE(at + 4)), height: Math.abs(bytes.readInt32LE(at + 8)) };
}

/** The largest of its pictures, by their own headers: the directory has no room for the truth above 256. */
function icoSize(bytes: Buffer): Size | undefined {
  let largest: Size | undefined;
  const count = bytes.length < 6 ? 0 : bytes.readUInt16LE(4);
  for (let entry = 0; entry < count && 22 + entry * 16 <= bytes.length; entry++) {
    const at = bytes.readUInt32LE(18 + entry * 16);
    if (at + 24 > bytes.length) return undefined;
    const isPng = bytes.readUInt32BE(at) === 0x89504e47;
    const size = isPng ? pngSize(bytes, at) : bmpSize(bytes, at);
    if (!size) return undefined;
    // A bitmap counts its mask as a second half.
    const found = isPng ? size : { width: size.width, height: size.height / 2 };
    if (!largest || found.width * found.height > largest.width * largest.height) largest = found;
  }
  return largest;
}

/** The tags for width and height in the first directory. */
function tiffSize(bytes: Buffer): Size | undefined {
  const little = bytes[0] === 0x49;
  const short = (at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const directory = long(4);
  const found = new Map<number, number>();
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + entry * 12;
    const tag = short(at);
    if (tag === 256 || tag === 257) found.set(tag, short(at + 2) === 3 ? short(at + 8) : long(at + 8));
  }
  return { width: found.get(256) ?? 0, height: found.get(257) ?? 0 };
}

/** Which way is up in a photograph, as the camera noted it: 1 to 8, and 1 is upright. */
export function jpegOrientation(bytes: Buffer): number {
  try {
    for (let at = 2; bytes[at] === 0xff && bytes[at + 1] !== 0xda; at += 2 + bytes.readUInt16BE(at + 2)) {
      if (bytes[at + 1] !== 0xe1 || bytes.toString('latin1', at + 4, at + 10) !== 'Exif\0\0') continue;
      return exifOrientation(bytes.subarray(at + 10));
    }
  } catch {
    // A read beyond the end: then nobody knows.
  }
  return 1;
}

/** The same directory as in TIFF. */
function exifOrientation(tiff: Buffer): number {
  const little = tiff[0] === 0x49;
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + entry * 12;
    const value = short(at + 8);
    if (short(at) === 0x0112) return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/**
 * False when the file is surely cut or damaged. A vendor refuses such an image, and with it every later request of the
 * conversation, so it must never get there.
 */
export function isWhole(bytes: Buffer, format: ImageFormat): boolean {
  switch (format) {
    case 'png':
      return isWholePng(bytes);
    case 'jpeg':
      // Within a picture this pair of bytes is its end and nothing else.
      return bytes.includes('\xff\xd9', jpegFrame(bytes) ?? bytes.length, 'latin1');
    case 'gif':
      return bytes.subarray(-1024).findLast((byte) => byte !== 0) === 0x3b;
    case 'webp':
      return bytes.length >= bytes.readUInt32LE(4) + 8;
    default:
      return true;
  }
}

/** Chunk by chunk, each with its checksum, to the last. */
function isWholePng(bytes: Buffer): boolean {
  const { crc32 } = process.getBuiltinModule('node:zlib');
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
    at = end + 4;
  }
  return false;
}
