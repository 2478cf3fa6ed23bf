/** A notebook as a model reads it: numbered cells, their outputs, and the images among these, within bounds. */
import { type ImageBlock, TauError, type ToolResult } from '@tau/core';
import { firstChars } from '../text/clip.ts';
import { detectEncoding } from '../text/detect.ts';
import { decode } from '../text/encoding.ts';
import { stopIfInterrupted, wholeContent } from './chunks.ts';
import { readyImage } from './image.ts';
import { imageFormat } from './image-format.ts';
import { type Cell, type CellOutput, type Notebook, parseNotebook } from './notebook.ts';
import type { Source } from './source.ts';
import type { Range } from './text.ts';

/** A larger one is read as the text it is. */
const maxFileBytes = 20 * 1024 * 1024;
const maxChars = 50 * 1024;
const maxImages = 4;

export interface RenderedCells {
  /** One for each cell that was wanted and fits. */
  texts: string[];
  images: ImageBlock[];
  /** The number of the first cell. */
  first: number;
  cut: boolean;
}

/** Undefined when the file is no notebook after all. */
export async function notebookIn({ file, complete, head }: Source, signal: AbortSignal): Promise<Notebook | undefined> {
  const bytes = complete ? head : await wholeContent(file, maxFileBytes, signal);
  const encoding = bytes && detectEncoding(bytes);
  return encoding && parseNotebook(decode(bytes, encoding));
}

/** `range` counts cells. */
export async function readNotebook(
  { path }: Source,
  notebook: Notebook,
  range: Pick<Range, 'offset' | 'limit'>,
  options: { images: boolean; signal: AbortSignal },
): Promise<ToolResult> {
  const totalCells = notebook.cells.length;
  if (totalCells === 0) {
    return { content: [{ type: 'text', text: `${path} is a notebook without cells.` }], details: { path, totalCells } };
  }
  const { texts, images, first, cut } = await renderCells(notebook, range, { ...options, maxChars });
  if (texts.length === 0) {
    throw new TauError('file', `offset ${first} is beyond the end of ${path}, which has ${totalCells} cells`, {
      remedy: `Use an offset from 1 to ${totalCells}.`,
    });
  }
  const last = first + texts.length - 1;
  const language = notebook.language === undefined ? '' : `${notebook.language} `;
  const lines = [`${path}: ${language}notebook with ${totalCells} cells. To change it, see its JSON with cat first.`];
  if (cut || last < totalCells) {
    lines.push(`WARNING: showing cells ${first}-${last}. Use offset and limit, which count cells, to read more.`);
  }
  const text = [...lines, ...texts].join('\n');
  const details = { path, totalCells, firstCell: first, lastCell: last, truncated: cut || last < totalCells };
  return { content: [{ type: 'text', text }, ...images], details };
}

export async function renderCells(
  { cells }: Notebook,
  { offset, limit }: Pick<Range, 'offset' | 'limit'>,
  options: { images: boolean; maxChars: number; signal: AbortSignal },
): Promise<RenderedCells> {
  const first = offset < 0 ? Math.max(1, cells.length + offset + 1) : Math.max(1, offset);
  const texts: string[] = [];
  const images: ImageBlock[] = [];
  let room = options.maxChars;
  for (const [at, cell] of cells.slice(first - 1, first - 1 + limit).entries()) {
    stopIfInterrupted(options.signal);
    const { text, found } = await renderCell(cell, first + at, options, images.length);
    room -= text.length;
    if (room < 0 && at > 0) return { texts, images, first, cut: true };
    images.push(...found);
    texts.push(room < 0 ? firstChars(text, options.maxChars) : text);
    if (room < 0) return { texts, images, first, cut: true };
  }
  return { texts, images, first, cut: false };
}

async function renderCell(
  cell: Cell,
  number: number,
  options: { images: boolean; signal: AbortSignal },
  imagesBefore: number,
): Promise<{ text: string; found: ImageBlock[] }> {
  const found: ImageBlock[] = [];
  const lines = [`[cell ${number}: ${cell.kind}]`, cell.source];
  for (const output of cell.outputs) {
    if ('text' in output) {
      lines.push('[output]', output.text);
      continue;
    }
    const room = options.images && imagesBefore + found.length < maxImages;
    const image = room ? await outputImage(output, options.signal) : undefined;
    if (image) found.push(image);
    lines.push(image ? `[output: image ${imagesBefore + found.length}]` : '[output: an image, left out]');
  }
  return { text: lines.map((line) => line.trimEnd()).join('\n'), found };
}

/** Undefined when it cannot be shown: the rest of the notebook still can. */
async function outputImage(
  { image }: Extract<CellOutput, { image: Buffer }>,
  signal: AbortSignal,
): Promise<ImageBlock | undefined> {
  const format = imageFormat(image);
  if (!format) return undefined;
  try {
    return (await readyImage('the output', image, format, signal)).block;
  } catch {
    stopIfInterrupted(signal);
    return undefined;
  }
}
