/** The thread that reads a PDF, watched: what it costs in time and memory is bounded, and an interruption is heard at once. */
import { TauError } from '@tau/core';
import { firstChars } from '../text/clip.ts';
import { stopIfInterrupted } from './chunks.ts';
import type { PageRange } from './pages.ts';

const maxWorkMs = 20_000;
const maxHeapMb = 512;
/** What is unpacked lies outside of the heap, so the growth of the whole process is watched as well. */
const maxGrowthBytes = 1024 * 1024 * 1024;
const watchMs = 50;

export interface PdfWish {
  wanted(totalPages: number): PageRange;
  maxChars: number;
  /** When that is less than what a PDF gets in any case. */
  timeoutMs?: number;
}

export interface PdfText {
  /** Each page with its number, as far as they fit. */
  pages: { number: number; text: string }[];
  totalPages: number;
  /** The last of the pages did not fit whole, or some were left out. */
  cut: boolean;
}

export type PdfOutcome =
  | ({ kind: 'text' } & PdfText)
  /** Before it is opened it may also be locked. */
  | { kind: 'damaged'; opened: boolean; why: string }
  /** `what` completes "a PDF that takes ... to read". */
  | { kind: 'exhausting'; what: string };

type FromThread =
  | { kind: 'opened'; totalPages: number }
  | { kind: 'pages'; pages: PdfText['pages']; cut: boolean }
  | { kind: 'damaged'; why: string };

/** The thread is always ended: with its result, its failure, an interruption, or when it takes too much. */
export async function readInThread(bytes: Uint8Array, wish: PdfWish, signal: AbortSignal): Promise<PdfOutcome> {
  const { Worker } = await import('node:worker_threads');
  stopIfInterrupted(signal);
  const { maxChars, timeoutMs = maxWorkMs } = wish;
  const limitMs = Math.min(timeoutMs, maxWorkMs);
  const before = process.memoryUsage.rss();
  // A copy that the thread may take for itself.
  const own = new Uint8Array(bytes);
  const worker = new Worker(`${import.meta.dirname}/pdf-worker.cjs`, {
    workerData: { bytes: own },
    transferList: [own.buffer],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  try {
    return await new Promise<PdfOutcome>((resolve, reject) => {
      onAbort = () => reject(new TauError('usage', 'Not read: the user interrupted'));
      signal.addEventListener('abort', onAbort, { once: true });
      timer = setTimeout(() => resolve(tooSlow(limitMs)), limitMs);
      watch = setInterval(() => {
        if (process.memoryUsage.rss() - before > maxGrowthBytes) resolve(tooLarge());
      }, watchMs);
      let totalPages: number | undefined;
      worker.on('message', (message: FromThread) => {
        switch (message.kind) {
          case 'opened':
            totalPages = message.totalPages;
            try {
              worker.postMessage({ ...wish.wanted(totalPages), maxChars });
            } catch (error) {
              reject(error);
            }
            return;
          case 'pages': {
            const pages = message.pages.map(({ number, text }) => ({ number, text: firstChars(text, maxChars) }));
            return resolve({ kind: 'text', pages, totalPages: totalPages ?? 0, cut: message.cut });
          }
          case 'damaged':
            return resolve({ kind: 'damaged', opened: totalPages !== undefined, why: message.why });
        }
      });
      worker.once('error', (error) => (ranOutOfMemory(error) ? resolve(tooLarge()) : reject(error)));
      worker.once('exit', () => reject(new Error('the reader of PDFs stopped')));
    });
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function tooSlow(limitMs: number): PdfOutcome {
  return { kind: 'exhausting', what: `longer than ${Math.ceil(limitMs / 1000)} s` };
}

function tooLarge(): PdfOutcome {
  return { kind: 'exhausting', what: 'too much memory' };
}

function ranOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
