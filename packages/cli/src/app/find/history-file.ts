/**
 * What the user said before, over all sittings: a private file of lines in tau's home. What was said in this project is
 * recalled first. Secrets are masked before anything is written.
 */
import { promises } from 'node:fs';
import { dirname } from 'node:path';
import { createHistory, type History } from '@tau/tui';

export interface PromptHistory extends History {
  /** Reads the file. Until then, and without one, there is only what was said in this sitting. */
  load(): Promise<void>;
  /** Resolves when everything is on disk. */
  settled(): Promise<void>;
}

export interface PromptHistoryOptions {
  /** Without it nothing is kept. */
  file: string | undefined;
  project: string;
  scrub(text: string): string;
  now(): number;
  onProblem(text: string): void;
}

interface Said {
  at: number;
  project: string;
  text: string;
}

const maxEntries = 1000;
/** The file is made shorter when it has grown to this, and no more of it is read. */
const maxBytes = 2 * 1024 * 1024;
/** A longer text is remembered for this sitting only. */
const maxChars = 32 * 1024;

export function createPromptHistory(options: PromptHistoryOptions): PromptHistory {
  const { file, project, scrub, now, onProblem } = options;
  let kept = createHistory([], maxEntries);
  let writing: Promise<void> = Promise.resolve();
  let broken = false;
  const meanwhile: string[] = [];

  const fail = (error: unknown) => {
    if (!broken) onProblem(`What you say is not kept for next time: ${reason(error)}`);
    broken = true;
  };

  return {
    size: () => kept.size(),
    at: (index) => kept.at(index),
    add(text) {
      kept.add(text);
      meanwhile.push(text);
      if (file === undefined || broken || text.length > maxChars) return;
      const said: Said = { at: now(), project, text: scrub(text) };
      writing = writing.then(() => append(file, said)).catch(fail);
    },
    async load() {
      if (file === undefined) return;
      try {
        const all = await readSaid(file);
        const mine = all.filter((one) => one.project === project);
        const others = all.filter((one) => one.project !== project);
        const texts = [...others, ...mine].map(({ text }) => text);
        kept = createHistory(newestOfEach([...texts, ...meanwhile]), maxEntries);
      } catch (error) {
        fail(error);
      }
    },
    settled: () => writing,
  };
}

async function append(file: string, said: Said): Promise<void> {
  await promises.mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await promises.appendFile(file, `${JSON.stringify(said)}\n`, { mode: 0o600 });
}

/** What the file holds, the oldest first. A line that is none is left out: two writers may have met in it. */
async function readSaid(file: string): Promise<Said[]> {
  const handle = await promises.open(file, 'r').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!handle) return [];
  let text: string;
  let size: number;
  try {
    const stat = await handle.stat();
    if ((stat.mode & 0o077) !== 0) await handle.chmod(0o600);
    ({ size } = stat);
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    text = buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
  const said = text.split('\n').flatMap(parsed);
  const newest = said.slice(-maxEntries);
  if (size >= maxBytes || said.length > maxEntries * 2) await shorten(file, newest);
  return newest;
}

/** A new file in its place: whoever reads meanwhile reads the old one or the new one. */
async function shorten(file: string, said: readonly Said[]): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  await promises.writeFile(part, said.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600, flag: 'wx' });
  await promises.rename(part, file);
}

function parsed(line: string): Said[] {
  if (line === '') return [];
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return [];
    const { at, project, text }: { at?: unknown; project?: unknown; text?: unknown } = value;
    if (typeof at !== 'number' || typeof project !== 'string' || typeof text !== 'string') return [];
    return [{ at, project, text }];
  } catch {
    return [];
  }
}

/** The same text is recalled once, where it was said last. */
function newestOfEach(texts: readonly string[]): string[] {
  return [...new Set(texts.toReversed())].reverse();
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
