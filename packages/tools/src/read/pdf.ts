/** The words of a PDF, page by page. What is only drawn in it is not among them. */
import { describeError, TauError, type ToolResult, textResult } from '@tau/core';
import { firstChars } from '../text/clip.ts';
import { stopIfInterrupted, wholeContent } from './chunks.ts';
import { type PageRange, pageRange } from './pages.ts';
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

export interface PdfText {
  /** Each page with its number, as far as they fit. */
  pages: { number: number; text: string }[];
  totalPages: number;
  /** The last of the pages did not fit whole, or some were left out. */
  cut: boolean;
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
  const { getDocumentProxy } = await import('unpdf');
  // A copy: the reader takes the memory for itself. Without words on the terminal about what it does not like.
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error: unknown) => {
    throw new TauError('file', `${path} is a damaged or locked PDF (${describeError(error)})`, {
      remedy: 'Try pdftotext or qpdf through bash, or ask for its text.',
      cause: error,
    });
  });
  try {
    const totalPages = document.numPages;
    const { first, last } = wanted(totalPages);
    const pages: PdfText['pages'] = [];
    let room = maxChars;
    for (let number = first; number <= last && room > 0; number++) {
      stopIfInterrupted(signal);
      const text = (await pageText(document, number)).trim();
      pages.push({ number, text: firstChars(text, room) });
      room -= text.length;
    }
    if (pages.every(({ text }) => text === '')) throw noText(path, first, last);
    return { pages, totalPages, cut: room < 0 || pages.length < last - first + 1 };
  } catch (error) {
    if (error instanceof TauError) throw error;
    throw new TauError('file', `${path} is a damaged PDF (${describeError(error)})`, {
      remedy: 'Try other pages, or pdftotext through bash.',
      cause: error,
    });
  } finally {
    await document.loadingTask.destroy();
  }
}

type Document = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>;

async function pageText(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  let text = '';
  for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
  page.cleanup();
  return text;
}

function noText(path: string, first: number, last: number): TauError {
  const where = first === last ? `page ${first}` : `pages ${first}-${last}`;
  return new TauError('file', `${path} holds no text on ${where}, only images`, {
    remedy: 'Make images of its pages (pdftoppm -png through bash) and read those.',
  });
}
