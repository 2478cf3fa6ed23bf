/** Files a user hands over with a prompt, as blocks of the message: images as they are, text with its name. */
import { readFileSync, statSync } from 'node:fs';
import { describeError, type ResultBlock, TauError } from '@tau/core';

/** What vendors take of one image, before it is encoded. */
const maxImageBytes = 3_750_000;
/** Larger ones are better read by the model, a part at a time. */
const maxTextBytes = 256 * 1024;

export async function readAttachment(path: string): Promise<ResultBlock[]> {
  const bytes = readBounded(path);
  const mimeType = imageType(bytes);
  if (mimeType !== undefined) return [{ type: 'image', data: bytes.toString('base64'), mimeType }];
  const text = isPdf(bytes) ? await pdfText(path, bytes) : plainText(path, bytes);
  if (Buffer.byteLength(text) > maxTextBytes) {
    throw cannot(
      path,
      `it has more than ${maxTextBytes / 1024} KB of text`,
      'Name it in the prompt: the model reads what it needs',
    );
  }
  return [
    { type: 'text', text: `<file name=${JSON.stringify(path)}>\n${text}${text.endsWith('\n') ? '' : '\n'}</file>` },
  ];
}

function plainText(path: string, bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\0') && !text.includes('\uFFFD')) return text;
  throw cannot(
    path,
    'it is neither an image nor text',
    'Images are PNG, JPEG, GIF or WebP; documents are PDF or UTF-8',
  );
}

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-';
}

/** The words of a document, page by page. What is only drawn in it is not among them. */
async function pdfText(path: string, bytes: Buffer): Promise<string> {
  const { extractText } = await import('unpdf');
  try {
    const { text } = await extractText(new Uint8Array(bytes), { mergePages: false });
    const pages = text.map((page, at) => `[page ${at + 1}]\n${page.trim()}`);
    if (text.some((page) => page.trim() !== '')) return pages.join('\n\n');
  } catch (error) {
    throw cannot(path, `it is a damaged or locked PDF (${describeError(error)})`, 'Attach its text instead');
  }
  throw cannot(path, 'this PDF holds no text, only images', 'Attach its pages as images instead');
}

function readBounded(path: string): Buffer {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw cannot(path, 'it is no file', 'Attach the files in it one by one');
    if (found.size > maxImageBytes) {
      throw cannot(path, `it has more than ${maxImageBytes / 1e6} MB`, 'Make it smaller, or name it in the prompt');
    }
    return readFileSync(path);
  } catch (error) {
    if (error instanceof TauError) throw error;
    throw cannot(path, describeError(error), 'A prompt that begins with @ needs a blank in it, to be none');
  }
}

/** By what the file begins with: a name may say anything. */
function imageType(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 12).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  return start.startsWith('RIFF') && start.slice(8) === 'WEBP' ? 'image/webp' : undefined;
}

function cannot(path: string, why: string, remedy: string): TauError {
  return new TauError('usage', `${path} cannot be attached: ${why}`, { remedy });
}
