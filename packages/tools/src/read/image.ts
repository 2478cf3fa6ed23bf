/** Images as models take them: in a format all vendors know, no larger than they look at, and surely whole. */
import { type ImageBlock, TauError, type ToolResult } from '@tau/core';
import { wholeContent } from './chunks.ts';
import type { ImageFormat } from './image-format.ts';
import { imageSize, isWhole, jpegOrientation, type Size } from './image-header.ts';
import { refuseLarger, type Source, tooLarge } from './source.ts';

/** Above this vendors shrink an image themselves, and take money for what is lost. */
const maxSide = 1568;
/** What vendors take of one image is 5 MB of Base64. */
const maxBase64 = 4_500_000;
/** Before it is encoded. */
const maxImageBytes = Math.floor((maxBase64 / 4) * 3);
const maxFileBytes = 50 * 1024 * 1024;
/** Decoded, each takes four bytes. */
const maxPixels = 100_000_000;
const maxWorkMs = 60_000;

/** Formats that every vendor takes as they are. */
const known: Partial<Record<ImageFormat, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

export interface ReadyImage {
  block: ImageBlock;
  original: Size;
  sent: Size;
}

export async function readImage(source: Source, format: ImageFormat, signal: AbortSignal): Promise<ToolResult> {
  const { path } = source;
  const { block, original, sent, description } = await imageIn(source, format, signal);
  return {
    content: [{ type: 'text', text: `${path}: ${description}` }, block],
    details: { path, mimeType: block.mimeType, original, sent },
  };
}

export async function imageIn(
  source: Source,
  format: ImageFormat,
  signal: AbortSignal,
): Promise<ReadyImage & { description: string }> {
  const { path, file } = source;
  refuseLarger(source, maxFileBytes, 'an image');
  const bytes = await wholeContent(file, maxFileBytes, signal);
  if (!bytes) throw tooLarge(path, maxFileBytes, 'an image');
  const image = await readyImage(path, bytes, format, signal);
  return { ...image, description: describeImage(image, format) };
}

/** `PNG image of 4000 x 3000, sent as JPEG of 1568 x 1176`. */
function describeImage({ block, original, sent }: ReadyImage, format: ImageFormat): string {
  const changed = original.width !== sent.width || original.height !== sent.height || block.mimeType !== known[format];
  const as = changed ? `, sent as ${block.mimeType.slice('image/'.length).toUpperCase()} of ${pixels(sent)}` : '';
  return `${format.toUpperCase()} image of ${pixels(original)}${as}`;
}

/** `name` is for messages. */
export async function readyImage(
  name: string,
  bytes: Buffer,
  format: ImageFormat,
  signal: AbortSignal,
): Promise<ReadyImage> {
  const original = imageSize(bytes, format);
  if (!original || !isWhole(bytes, format)) throw damaged(name, format);
  if (original.width * original.height > maxPixels) {
    throw new TauError('file', `${name} is an image of ${pixels(original)}, too large to decode`, {
      remedy: `Make it smaller first, to ${maxPixels / 1e6} megapixels at most.`,
    });
  }
  const mimeType = known[format];
  const small = Math.max(original.width, original.height) <= maxSide && bytes.length <= maxImageBytes;
  if (mimeType !== undefined && small) {
    return { block: { type: 'image', data: bytes.toString('base64'), mimeType }, original, sent: original };
  }
  const work = {
    bytes,
    maxSide,
    maxBytes: maxImageBytes,
    orientation: format === 'jpeg' ? jpegOrientation(bytes) : 1,
    preferJpeg: format === 'jpeg',
  };
  try {
    const made = await inWorker(work, signal);
    const data = Buffer.from(made.data).toString('base64');
    const sent = { width: made.width, height: made.height };
    return { block: { type: 'image', data, mimeType: made.mimeType }, original, sent };
  } catch (error) {
    throw error instanceof TauError ? error : damaged(name, format, error);
  }
}

interface Made extends Size {
  data: Uint8Array;
  mimeType: string;
}

/** The thread is always ended: with its result, its failure, an interruption, or when it takes too long. */
async function inWorker(workerData: Record<string, unknown>, signal: AbortSignal): Promise<Made> {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(`${import.meta.dirname}/photon-worker.cjs`, { workerData, stdout: true, stderr: true });
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  try {
    return await new Promise<Made>((resolve, reject) => {
      onAbort = () => reject(new TauError('usage', 'Not read: the user interrupted'));
      timer = setTimeout(() => reject(new Error('it took too long')), maxWorkMs);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the decoder stopped')));
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function damaged(name: string, format: ImageFormat, cause?: unknown): TauError {
  return new TauError('file', `${name} is a damaged ${format.toUpperCase()} image, or of a kind that cannot be read`, {
    remedy: 'Convert it to PNG with another program through bash, and read that.',
    cause,
  });
}

function pixels({ width, height }: Size): string {
  return `${width} x ${height}`;
}
