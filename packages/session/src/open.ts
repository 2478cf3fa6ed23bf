/** The ways to get a session: a new one, one in memory, one that is on disk already. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionHeader } from '@tau/core';
import { describeError, TauError } from '@tau/core';
import { sessionFolder } from './folder.ts';
import { uuidv7 } from './ids.ts';
import { formatLine, readLines } from './lines.ts';
import type { Session } from './session.ts';
import { sessionFrom } from './session.ts';
import { lineStore } from './store.ts';

/** A new session. Its file is made with the first entry, so a run that says nothing leaves nothing. */
export function createSession(options: { dir: string; cwd: string; now?: () => Date }): Session {
  const now = options.now ?? (() => new Date());
  const header = newHeader(options.cwd, now());
  const name = `${header.timestamp.replace(/[:.]/g, '-')}_${header.id}.jsonl`;
  const path = join(sessionFolder(options.dir, options.cwd), name);
  const store = lineStore(path, { create: true, midLine: false });
  let headed = false;
  return sessionFrom({
    header,
    path,
    entries: [],
    now,
    save(entry) {
      const line = formatLine(entry);
      store.append(headed ? line : formatLine(header) + line);
      headed = true;
    },
    close: store.close,
  });
}

export function memorySession(options: { cwd: string }): Session {
  const now = () => new Date();
  const header = newHeader(options.cwd, now());
  return sessionFrom({ header, path: undefined, entries: [], now, save() {}, close() {} });
}

/** Lines that cannot be read are skipped and reported; they stay in the file as they are. */
export function openSession(path: string): { session: Session; problems: string[] } {
  const bytes = readSession(path);
  const { header, entries, problems } = readLines(linesOf(bytes), path);
  const store = lineStore(path, { create: false, midLine: bytes.at(-1) !== newline });
  const session = sessionFrom({
    header,
    path,
    entries,
    now: () => new Date(),
    save: (entry) => store.append(formatLine(entry)),
    close: store.close,
  });
  return { session, problems };
}

function newHeader(cwd: string, now: Date): SessionHeader {
  return { type: 'session', version: 3, id: uuidv7(now.getTime()), timestamp: now.toISOString(), cwd };
}

function readSession(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new TauError('session', `The session ${path} could not be opened: ${describeError(cause)}`, {
      remedy: 'Check the path, or start a new session.',
      cause,
    });
  }
}

const newline = 0x0a;

/** Line by line, because the text of a whole file can be longer than a string may be. */
function* linesOf(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}
