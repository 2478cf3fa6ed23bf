/** A whole file for a message of the user: what `read` shows in pieces, all of it, and without numbers. */
import { type ImageBlock, TauError } from '@tau/core';
import type { Files } from '@tau/host';
import { detectEncoding } from '../text/detect.ts';
import { decode } from '../text/encoding.ts';
import { wholeContent } from './chunks.ts';
import { kindOf, type Source, withSource } from './source.ts';

export interface WholeFile {
  text: string;
  images: ImageBlock[];
}

/** Fails when there is more text than that. */
export async function readWhole(files: Files, path: string, maxChars: number, signal: AbortSignal): Promise<WholeFile> {
  const whole = await withSource(files, path, (source) =>
    readSource({ ...source, path: 'it' }, path, maxChars, signal),
  );
  if (whole.text.length > maxChars) throw tooLong(maxChars);
  return whole;
}

/** The source is called "it": whoever reports a failure names the file. */
async function readSource(source: Source, path: string, maxChars: number, signal: AbortSignal): Promise<WholeFile> {
  const found = kindOf({ ...source, path });
  switch (found.kind) {
    case 'image': {
      const { imageIn } = await import('./image.ts');
      const { block, description } = await imageIn(source, found.format, signal);
      return { text: description, images: [block] };
    }
    case 'pdf': {
      const { pagesAsText, pdfText } = await import('./pdf.ts');
      const all = await pdfText(source, (last) => ({ first: 1, last }), maxChars, signal);
      if (all.cut) throw tooLong(maxChars);
      return { text: pagesAsText(all), images: [] };
    }
    case 'notebook': {
      const { notebookIn, renderCells } = await import('./notebook-text.ts');
      const notebook = await notebookIn(source, signal);
      if (!notebook) return { text: await plainText(source, maxChars, signal), images: [] };
      const range = { offset: 1, limit: notebook.cells.length };
      const { texts, images, cut } = await renderCells(notebook, range, { images: true, maxChars, signal });
      if (cut) throw tooLong(maxChars);
      return { text: texts.join('\n'), images };
    }
    case 'text':
      return { text: await plainText(source, maxChars, signal), images: [] };
  }
}

async function plainText({ file }: Source, maxChars: number, signal: AbortSignal): Promise<string> {
  // No encoding takes more than four bytes for a character.
  const bytes = await wholeContent(file, maxChars * 4, signal);
  if (!bytes) throw tooLong(maxChars);
  const encoding = detectEncoding(bytes);
  if (encoding) return decode(bytes, encoding);
  throw new TauError('file', 'it is neither an image nor text, nor a document that can be read');
}

function tooLong(maxChars: number): TauError {
  return new TauError('file', `it has more than ${maxChars / 1024} KB of text`);
}
