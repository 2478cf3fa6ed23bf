/** What came from an address, as text a model can read. */
import { TauError } from '@tau/core';
import type { WebResponse } from '@tau/host';
import { decodeText } from './charset.ts';
import { toMarkdown } from './markdown.ts';

type Document = Extract<WebResponse, { kind: 'document' }>;

export interface Readable {
  text: string;
  /** Something at the end is missing. */
  cut: boolean;
}

/** A NUL byte this near to the start means that it is not text. */
const probeBytes = 8 * 1024;
const maxPdfPages = 200;
const maxPdfChars = 4 * 1024 * 1024;
/** JSON may grow by so many blanks, and so many times its length, when it is spread out. */
const freeBlanks = 64 * 1024;
const maxGrowth = 4;

/** `timeoutMs`: what is left of the time for the whole fetch. */
export async function readDocument(document: Document, signal: AbortSignal, timeoutMs: number): Promise<Readable> {
  const { url, contentType, body, cut } = document;
  const type = mediaType(contentType, body);
  if (type === 'application/pdf') return pdfText(document, signal, timeoutMs);
  if (/^(image|audio|video|font)\//.test(type)) throw unreadable(url, `it is ${type}`);
  if (isHtml(type)) {
    const page = await toMarkdown(decodeText(body, contentType), url, signal);
    const heading = page.title === '' || page.markdown.startsWith('# ') ? '' : `# ${page.title}\n\n`;
    return { text: heading + page.markdown, cut: cut || page.cut };
  }
  if (!isUtf16(body, contentType) && body.subarray(0, probeBytes).includes(0)) {
    throw unreadable(url, `it is binary (${type === '' ? 'of no named type' : type})`);
  }
  const text = decodeText(body, contentType);
  return { text: /\bjson\b/.test(type) ? prettyJson(text) : text, cut };
}

/** What the server says it is, or what it looks like when the server says nothing useful. */
function mediaType(contentType: string, body: Buffer): string {
  const named = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (named !== '' && named !== 'application/octet-stream') return named;
  const start = body.subarray(0, 512).toString('latin1').trimStart().toLowerCase();
  if (start.startsWith('%pdf-')) return 'application/pdf';
  return start.startsWith('<!doctype html') || start.startsWith('<html') ? 'text/html' : named;
}

function isHtml(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** Half of its bytes may be zero. */
function isUtf16(body: Buffer, contentType: string): boolean {
  return /utf-16/i.test(contentType) || ['fffe', 'feff'].includes(body.toString('hex', 0, 2));
}

/** On one line it cannot be read in parts. */
function prettyJson(text: string): string {
  if (text.includes('\n') || blanksOf(text) > freeBlanks + text.length * maxGrowth) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** How many blanks would indent it: deep inside of brackets, each line has more of them than anything else. */
function blanksOf(json: string): number {
  let depth = 0;
  let blanks = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json.charAt(at);
    if (char === '"') inString = !inString;
    else if (inString) at += char === '\\' ? 1 : 0;
    else if ('[]{},'.includes(char)) {
      if (char === '[' || char === '{') depth += 1;
      if (char === ']' || char === '}') depth -= 1;
      blanks += 2 * depth;
    }
  }
  return blanks;
}

async function pdfText({ url, body, cut }: Document, signal: AbortSignal, timeoutMs: number): Promise<Readable> {
  if (cut) throw unreadable(url, 'it is a PDF that is too large');
  const { readInThread } = await import('../read/pdf-thread.ts');
  const wanted = (totalPages: number) => ({ first: 1, last: Math.min(totalPages, maxPdfPages) });
  const outcome = await readInThread(body, { wanted, maxChars: maxPdfChars, timeoutMs }, signal);
  switch (outcome.kind) {
    case 'text': {
      const text = outcome.pages.map((page) => page.text).join('\n\n');
      return { text, cut: outcome.cut || outcome.totalPages > maxPdfPages };
    }
    case 'damaged':
      throw unreadable(url, `it is a PDF that cannot be read: ${outcome.why}`);
    case 'exhausting':
      throw unreadable(url, `it is a PDF that takes ${outcome.what} to read`);
  }
}

function unreadable(url: string, why: string): TauError {
  const remedy = 'If the file itself is wanted, download it with curl through bash.';
  return new TauError('network', `${url} is not text: ${why}`, { remedy });
}
