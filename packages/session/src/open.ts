/** The ways to get a session: a new one, one in memory, one that is on disk already, a copy of one. */
import { join, resolve } from 'node:path';
import type { SessionEntry, SessionHeader } from '@tau/core';
import { TauError } from '@tau/core';
import { fileStorage, newFileStorage } from './file-storage.ts';
import { sessionFolder } from './folder.ts';
import { freshEntryId, uuidv7 } from './ids.ts';
import { takeLock } from './lock.ts';
import type { Session } from './session.ts';
import { sessionFrom } from './session.ts';
import { memoryStorage } from './storage.ts';

export interface NewSession {
  dir: string;
  cwd: string;
  /** Instead of a fresh UUIDv7. */
  id?: string;
  name?: string;
  now?: () => Date;
}

/** A new session. Its file is made with the first entry, so a run that says nothing leaves nothing. */
export function createSession(options: NewSession): Session {
  return newSession(options, []);
}

export function memorySession(options: Pick<NewSession, 'cwd' | 'id' | 'name'>): Session {
  const now = () => new Date();
  const header = newHeader(options, now());
  return sessionFrom(memoryStorage(header, named(options.name, [], now())), now);
}

export interface OpenedSession {
  session: Session;
  /** Lines that cannot be read are skipped and reported; they stay in the file as they are. May grow while it is read. */
  problems: readonly string[];
}

/**
 * Reads what the active chain needs. With `claim` the session is locked first, and it is an error when another process has
 * it; without, anyone may read, and the lock is taken with the first append.
 */
export function openSession(path: string, options: { claim?: boolean } = {}): OpenedSession {
  const { problems, report } = problemList(path);
  const lock = options.claim ? takeLock(path) : undefined;
  try {
    const storage = fileStorage(path, report, lock);
    const session = sessionFrom(storage, () => new Date());
    validateLeaf(storage);
    session.messages();
    return { session, problems };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/**
 * A new session that begins with the chain of another one, up to its leaf or to `entry`. The other one is only read, so
 * it may be in use. Like every new session it is on disk with its first entry.
 */
export function forkSession(source: string, options: NewSession & { entry?: string }): OpenedSession {
  const { session, problems } = openSession(source);
  const { entry } = options;
  const path = entry === undefined ? session.entries() : session.pathTo(entry);
  if (entry !== undefined && path.length === 0) {
    throw new TauError('session', `There is no entry ${entry} in the session ${session.header.id}`, {
      remedy: `tau sessions show ${session.header.id} --json lists its entries.`,
    });
  }
  const copied: SessionEntry[] = [];
  for (const one of path) copied.push({ ...one, parentId: copied.at(-1)?.id ?? null });
  copied.push(...labelsOf(session, copied));
  return { session: newSession({ ...options, parentSession: resolve(source) }, copied), problems };
}

/** The labels of copied entries that were given on another branch, or after the entry at which the copy ends. */
function labelsOf(session: Session, copied: readonly SessionEntry[]): SessionEntry[] {
  const labels: SessionEntry[] = [];
  const there = new Set(copied.map(({ id }) => id));
  for (const entry of session.find('label')) {
    if (there.has(entry.id) || !there.has(entry.targetId)) continue;
    if (session.label(entry.targetId) !== entry.label) continue;
    labels.push({ ...entry, parentId: labels.at(-1)?.id ?? copied.at(-1)?.id ?? null });
  }
  return labels;
}

function newSession(options: NewSession & { parentSession?: string }, given: readonly SessionEntry[]): Session {
  const now = options.now ?? (() => new Date());
  const header = newHeader(options, now());
  const name = `${header.timestamp.replace(/[:.]/g, '-')}_${header.id}.jsonl`;
  const path = join(sessionFolder(options.dir, options.cwd), name);
  return sessionFrom(newFileStorage(path, header, named(options.name, given, now())), now);
}

/** With the name as one more entry. */
function named(name: string | undefined, given: readonly SessionEntry[], now: Date): readonly SessionEntry[] {
  if (name === undefined || name.trim() === '') return given;
  const id = freshEntryId((one) => given.some((entry) => entry.id === one));
  const place = { id, parentId: given.at(-1)?.id ?? null, timestamp: now.toISOString() };
  return [...given, { type: 'session_info', ...place, name: name.trim() }];
}

function newHeader(options: { cwd: string; id?: string; parentSession?: string }, now: Date): SessionHeader {
  const { cwd, parentSession } = options;
  return {
    type: 'session',
    version: 3,
    id: options.id ?? uuidv7(now.getTime()),
    timestamp: now.toISOString(),
    cwd,
    ...(parentSession !== undefined && { parentSession }),
  };
}

/** A last line that was torn must not be what the next entry hangs on. */
function validateLeaf({ tree, read }: Pick<ReturnType<typeof fileStorage>, 'tree' | 'read'>): void {
  for (let leaf = tree.leaf(); leaf !== undefined; leaf = tree.leaf()) {
    if (read([leaf])[0] !== undefined) return;
  }
}

const mostProblems = 20;

/** Bounded: a file of nothing but damage is told as such. */
function problemList(path: string): { problems: string[]; report: (problem: string) => void } {
  const problems: string[] = [];
  let more = 0;
  return {
    problems,
    report(problem) {
      if (problems.length < mostProblems) problems.push(problem);
      else problems[mostProblems] = `${path}: ${++more} more lines are damaged or incomplete and were skipped`;
    },
  };
}
