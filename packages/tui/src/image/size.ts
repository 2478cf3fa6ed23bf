/** What an image file says about itself in its first bytes. */
export interface ImageInfo {
  format: 'png' | 'jpeg' | 'gif' | 'webp';
  width: number;
  height: number;
}

/** Undefined for a format that is not known, a header that is cut off, and a size that cannot be. */
export function imageInfo(bytes: Uint8Array): ImageInfo | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
  const isReal = found !== undefined && found.width > 0 && found.height > 0;
  return isReal ? found : undefined;
}

function says(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false;
  return [...text].every((char, index) => view.getUint8(at + index) === char.charCodeAt(0));
}

function png(view: DataView): ImageInfo | undefined {
  if (view.byteLength < 24 || !says(view, 1, 'PNG\r\n\u001a\n') || !says(view, 12, 'IHDR')) return undefined;
  return { format: 'png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageInfo | undefined {
  if (view.byteLength < 10 || !(says(view, 0, 'GIF87a') || says(view, 0, 'GIF89a'))) return undefined;
  return { format: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): ImageInfo | undefined {
  if (view.byteLength < 30 || !says(view, 0, 'RIFF') || !says(view, 8, 'WEBP')) return undefined;
  const size = (at: number) => (view.getUint16(at, true) | (view.getUint8(at + 2) << 16)) + 1;
  if (says(view, 12, 'VP8X')) return { format: 'webp', width: size(24), height: size(27) };
  if (says(view, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return { format: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!says(view, 12, 'VP8 ')) return undefined;
  return { format: 'webp', width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** The size stands in the start of a frame, behind segments that may be of any kind. */
function jpeg(view: DataView): ImageInfo | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const kind = view.getUint8(at + 1);
    if (kind === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return { format: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const isBare = kind === 0x01 || (kind >= 0xd0 && kind <= 0xd8);
    at += isBare ? 2 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
