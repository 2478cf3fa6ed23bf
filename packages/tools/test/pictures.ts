/** Images written by hand, in every format that can be without a library. */
import { crc32, deflateSync } from 'node:zlib';

export type Colour = readonly [red: number, green: number, blue: number];
type Paint = (x: number, y: number) => Colour;

const grey: Paint = () => [128, 128, 128];

export function pngOf(width: number, height: number, paint: Paint = grey): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(paint(x, y), y * (1 + width * 3) + 1 + x * 3);
  }
  return pngFrom(width, height, deflateSync(rows, { level: 1 }));
}

/** A file that says it is this large, whatever its data are. */
export function pngFrom(width: number, height: number, data: Buffer, options: { alpha?: boolean } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, options.alpha ? 6 : 2, 0, 0, 0], 8);
  const parts = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

export function bmpOf(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * height, 200);
  file.fill(0, 0, 54);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

/** An icon that holds one PNG. The directory says what it is told, whatever the picture is. */
export function icoOf(width: number, height: number, png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([width, height, 0, 0], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, png]);
}

/** Uncompressed, one strip. */
export function tiffOf(width: number, height: number): Buffer {
  const tags = [
    [256, width],
    [257, height],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, height],
    [279, width * height],
  ] as const;
  const pixels = Buffer.alloc(width * height, 90);
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  for (const [at, [tag, value]] of tags.entries()) {
    const place = 2 + at * 12;
    directory.writeUInt16LE(tag, place);
    directory.writeUInt16LE(4, place + 2);
    directory.writeUInt32LE(1, place + 4);
    directory.writeUInt32LE(value, place + 8);
  }
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(8 + pixels.length, 4);
  return Buffer.concat([head, pixels, directory]);
}

/** A photograph, with the way it was held as a camera notes it. */
export async function jpegOf(width: number, height: number, paint: Paint, orientation = 1): Promise<Buffer> {
  const { PhotonImage } = await import('@silvia-odwyer/photon-node');
  const jpeg = Buffer.from(PhotonImage.new_from_byteslice(pngOf(width, height, paint)).get_bytes_jpeg(90));
  const exif = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  exif.writeUInt16BE(orientation, 24);
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]);
}

export async function webpOf(width: number, height: number): Promise<Buffer> {
  const { PhotonImage } = await import('@silvia-odwyer/photon-node');
  return Buffer.from(PhotonImage.new_from_byteslice(pngOf(width, height)).get_bytes_webp());
}

/** The colour of a pixel, as a decoder sees it. */
export async function colourAt(image: Buffer, x: number, y: number): Promise<Colour> {
  const { PhotonImage } = await import('@silvia-odwyer/photon-node');
  const decoded = PhotonImage.new_from_byteslice(image);
  const at = (y * decoded.get_width() + x) * 4;
  const [red = 0, green = 0, blue = 0] = decoded.get_raw_pixels().subarray(at, at + 3);
  return [red, green, blue];
}

/** The smallest GIF there is. */
export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
