/** Which format an image is in, by what the file begins with: a name may say anything. Pure. */

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp' | 'ico' | 'tiff';

/** The lengths a bitmap's second header may have, by the version of the format. */
const bmpHeaders = [12, 40, 52, 56, 64, 108, 124];

export function imageFormat(bytes: Buffer): ImageFormat | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  if (start.startsWith('RIFF') && start.slice(8) === 'WEBP') return 'webp';
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'tiff';
  // These two begin with so little that more has to fit: a text may start with BM.
  const isBitmap = start.startsWith('BM') && bytes.length >= 26 && bytes.readUInt32LE(6) === 0;
  if (isBitmap && bmpHeaders.includes(bytes.readUInt32LE(14))) return 'bmp';
  const isIcon = start.startsWith('\0\0\x01\0') && (bytes[4] ?? 0) > 0 && bytes[5] === 0 && bytes[9] === 0;
  return isIcon ? 'ico' : undefined;
}
