/**
 * One process at a time writes a session. The lock is a file beside it that names its owner, and whose time of change is
 * the owner's heartbeat. Where the owner is dead, or its heart has not beaten for long, the next one takes over; an owner
 * that only slept finds out before it writes again.
 */
import { linkSync, readFileSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { describeError, isRecord, TauError } from '@tau/core';

export interface SessionLock {
  /** Throws when somebody else has taken over. */
  check(): void;
  release(): void;
}

export interface Owner {
  pid: number;
  host: string;
  /** ISO time. */
  since: string;
}

const beatMs = 5_000;
const staleMs = 30_000;

export function takeLock(path: string): SessionLock {
  const name = `${path}.lock`;
  // Twice: a stale one is removed, and what then stands there is somebody quicker.
  const mine = make(name) ?? (removeStale(name) ? make(name) : undefined);
  if (mine === undefined) throw inUse(path, ownerIn(name));
  return keep(path, name, mine);
}

/** Who writes this session now; nobody when its lock was left behind. */
export function ownerOf(path: string): Owner | undefined {
  const name = `${path}.lock`;
  const age = ageOf(name);
  return age === undefined || isStale(name, age) ? undefined : ownerIn(name);
}

function keep(path: string, name: string, mine: string): SessionLock {
  let seen = Date.now();
  const held = () => contentOf(name) === mine;
  const beat = setInterval(() => {
    if (!held()) return;
    try {
      const now = new Date();
      utimesSync(name, now, now);
      seen = now.getTime();
    } catch {
      // The next check finds out what became of it.
    }
  }, beatMs);
  beat.unref();
  const release = () => {
    clearInterval(beat);
    process.removeListener('exit', release);
    allowListeners(-1);
    if (held()) remove(name);
  };
  // One listener for each session, however many are open: that is no leak to be warned of.
  allowListeners(1);
  process.once('exit', release);
  return {
    check() {
      // Nobody takes a lock whose heart beat so recently. A clock that was set makes it look old to others, either way.
      if (Math.abs(Date.now() - seen) < 2 * beatMs) return;
      if (!held()) throw inUse(path, ownerIn(name), 'was taken over');
      seen = Date.now();
    },
    release,
  };
}

/**
 * What was written into the lock; nothing when there is one already. It gets its name only when it says whose it is: one
 * that was killed before that must not keep others out.
 */
function make(name: string): string | undefined {
  const token = Math.random().toString(36).slice(2);
  const since = new Date().toISOString();
  const text = `${JSON.stringify({ pid: process.pid, host: hostname(), since, token })}\n`;
  const unnamed = `${name}.${token}`;
  try {
    writeFileSync(unnamed, text, { flag: 'wx', mode: 0o600 });
    nameIt(unnamed, name, text);
    return text;
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return undefined;
    throw cannotLock(name, cause);
  } finally {
    remove(unnamed);
  }
}

/** Some file systems have one name for each file: there it is made at its place, and filled a moment later. */
function nameIt(unnamed: string, name: string, text: string): void {
  try {
    linkSync(unnamed, name);
  } catch (cause) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(String(codeOf(cause)))) throw cause;
    writeFileSync(name, text, { flag: 'wx', mode: 0o600 });
  }
}

/** False while it is no stale one, or somebody else is at it. Removing has a lock of its own: two must not do it in turn. */
function removeStale(name: string): boolean {
  const age = ageOf(name);
  if (age === undefined) return true;
  if (!isStale(name, age)) return false;
  const remover = `${name}.break`;
  const started = ageOf(remover);
  if (started !== undefined && isStale(remover, started)) remove(remover);
  if (make(remover) === undefined) return false;
  try {
    const again = ageOf(name);
    if (again !== undefined && isStale(name, again)) remove(name);
    return true;
  } finally {
    remove(remover);
  }
}

/** One that does not say whose it is, is only as old as it looks. */
function isStale(name: string, age: number): boolean {
  if (age > staleMs) return true;
  const owner = ownerIn(name);
  return owner !== undefined && owner.host === hostname() && !isAlive(owner.pid);
}

/** Also of a lock from the future, which a clock that was set back makes. Nothing when there is none. */
function ageOf(name: string): number | undefined {
  const stat = statSync(name, { throwIfNoEntry: false });
  return stat === undefined ? undefined : Math.abs(Date.now() - stat.mtimeMs);
}

function ownerIn(name: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(contentOf(name));
    if (!isRecord(value)) return undefined;
    const { pid, host, since } = value;
    if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined;
    if (typeof host !== 'string' || typeof since !== 'string') return undefined;
    return { pid, host, since };
  } catch {
    return undefined;
  }
}

function contentOf(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined;
}

/** For example `process 4242, since 2025-01-31 10:20:30 UTC`. */
export function describeOwner({ pid, host, since }: Owner): string {
  const where = host === hostname() ? '' : ` on ${host}`;
  const when = since.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return `${pid === process.pid && where === '' ? 'this process' : `process ${pid}${where}`}, since ${when}`;
}

function inUse(path: string, owner: Owner | undefined, what = 'is in use'): TauError {
  const who = owner === undefined ? 'another process' : describeOwner(owner);
  const id = sessionName(path);
  return new TauError('session', `The session ${id} ${what} by ${who}`, {
    remedy: `Wait until it ends, or go on in a copy: --fork ${id}`,
  });
}

/** The id in a file's name, which is what people type; else the path. */
function sessionName(path: string): string {
  return /_([0-9a-f-]{36})\.jsonl$/i.exec(basename(path))?.[1] ?? path;
}

function cannotLock(name: string, cause: unknown): TauError {
  return new TauError('file', `The session could not be locked with ${name}: ${describeError(cause)}`, {
    remedy:
      'Free some space or check that folder; or keep sessions elsewhere (--session-dir) or not at all (--no-session)',
    cause,
  });
}

/** Zero is "as many as there are", and stays so. */
function allowListeners(more: number): void {
  const most = process.getMaxListeners();
  if (most > 0) process.setMaxListeners(Math.max(1, most + more));
}

/** Not `rmSync`, which loads more than everything else here. What is gone already is gone. */
function remove(name: string): void {
  try {
    unlinkSync(name);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
