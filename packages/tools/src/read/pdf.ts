/** The words of a PDF, page by page. What is only drawn in it is not among them. */
import { TauError, type ToolResult, textResult } from '@tau/core';
import { wholeContent } from './chunks.ts';
import { type PageRange, pageRange } from './pages.ts';
import { type PdfOutcome, type PdfText, readInThread } from './pdf-thread.ts';
import { refuseLarger, type Source, tooLarge } from './source.ts';

const maxFileBytes = 50 * 1024 * 1024;
const maxChars = 50 * 1024;

export async function readPdf(source: Source, pages: string | undefined, signal: AbortSignal): Promise<ToolResult> {
  const { path } = source;
  const found = await pdfText(source, (total) => pageRange(pages, total), maxChars, signal);
  const { totalPages, cut } = found;
  const firstPage = found.pages[0]?.number ?? 0;
  const lastPage = found.pages.at(-1)?.number ?? 0;
  const notes: string[] = [];
  if (firstPage > 1 || lastPage < totalPages) {
    const shown = `showing ${firstPage === lastPage ? firstPage : `${firstPage}-${lastPage}`}`;
    const other = lastPage < totalPages ? `${lastPage + 1}-` : '1-';
    notes.push(`NOTE: ${path} has ${totalPages} pages, ${shown}. Use pages (like "${other}") to read others.`);
  }
  if (cut) notes.push(`WARNING: cut at ${maxChars / 1024} KB, on page ${lastPage}. Read fewer pages at a time.`);
  const details = { path, totalPages, firstPage, lastPage, truncated: cut || lastPage < totalPages };
  return textResult([...notes, pagesAsText(found)].join('\n'), details);
}

export function pagesAsText({ pages }: PdfText): string {
  return pages.map(({ number, text }) => `[page ${number}]\n${text}`).join('\n\n');
}

export async function pdfText(
  source: Source,
  wanted: (totalPages: number) => PageRange,
  maxChars: number,
  signal: AbortSignal,
): Promise<PdfText> {
  const { path, file } = source;
  refuseLarger(source, maxFileBytes, 'a PDF');
  const bytes = await wholeContent(file, maxFileBytes, signal);
  if (!bytes) throw tooLarge(path, maxFileBytes, 'a PDF');
  const outcome = await readInThread(bytes, { wanted, maxChars }, signal);
  if (outcome.kind !== 'text') throw unreadable(path, outcome);
  if (outcome.pages.every(({ text }) => text === '')) throw noText(path, outcome);
  return outcome;
}

function unreadable(path: string, outcome: Exclude<PdfOutcome, { kind: 'text' }>): TauError {
  if (outcome.kind === 'exhausting') {
    return new TauError('file', `${path} is a PDF that takes ${outcome.what} to read`, {
      remedy: 'Read fewer pages at a time, or try pdftotext through bash.',
    });
  }
  const { opened, why } = outcome;
  return new TauError('file', `${path} is a damaged ${opened ? '' : 'or locked '}PDF (${why})`, {
    remedy: opened
      ? 'Try other pages, or pdftotext through bash.'
      : 'Try pdftotext or qpdf through bash, or ask for its text.',
  });
}

function noText(path: string, { pages }: PdfText): TauError {
  const first = pages[0]?.number ?? 0;
  const last = pages.at(-1)?.number ?? 0;
  const where = first === last ? `page ${first}` : `pages ${first}-${last}`;
  return new TauError('file', `${path} holds no text on ${where}, only images`, {
    remedy: 'Make images of its pages (pdftoppm -png through bash) and read those.',
  });
}
