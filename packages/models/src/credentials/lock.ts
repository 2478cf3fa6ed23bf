/**
 * One process at a time changes a file. The lock is a file beside it that names its holder; one whose holder is gone, or
 * that is older than any change takes, is broken. Breaking has a lock of its own, so that two never break in turn what
 * the other just made.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { isRecord, TauError } from '@tau/core';
import { errorCode, storeError } from './store-error.ts';

/** A change takes milliseconds: nobody holds a lock for so long, whatever its process id says. */
const staleMs = 30_000;
const waitMs = 10_000;
const pollMs = 20;

export interface Lock {
  /** False when somebody took it for a dead one's. Asked right before a change is made final. */
  held(): boolean;
  release(): void;
}

export interface LockOptions {
  waitMs?: number;
}

/** Waits its turn, and gives up after `waitMs` with an error that names the holder. */
export async function lockFile(path: string, options: LockOptions = {}): Promise<Lock> {
  const name = `${path}.lock`;
  const giveUp = Date.now() + (options.waitMs ?? waitMs);
  makeFolder(path);
  for (;;) {
    const mine = tryMake(name);
    if (mine !== undefined) {
      const held = () => textOf(name) === mine;
      return {
        held,
        release: () => {
          if (held()) rmSync(name, { force: true });
        },
      };
    }
    if (isStale(name) && breakStale(name)) continue;
    if (Date.now() >= giveUp) throw busy(path, name);
    await new Promise((resolve) => setTimeout(resolve, pollMs * (0.5 + Math.random())));
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw storeError('write', path, cause);
  }
}

/** What was written into the lock, or nothing when somebody else has it. */
function tryMake(name: string): string | undefined {
  let file: number;
  try {
    file = openSync(name, 'wx', 0o600);
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return undefined;
    throw storeError('write', name, cause);
  }
  const token = Math.random().toString(36).slice(2);
  const text = `${JSON.stringify({ pid: process.pid, host: hostname(), time: Date.now(), token })}\n`;
  try {
    writeSync(file, text);
    return text;
  } catch (cause) {
    rmSync(name, { force: true });
    throw storeError('write', name, cause);
  } finally {
    closeSync(file);
  }
}

/** False while somebody else is at it. */
function breakStale(name: string): boolean {
  const breaker = `${name}.break`;
  if (ageOf(breaker) > staleMs) rmSync(breaker, { force: true });
  if (tryMake(breaker) === undefined) return false;
  try {
    if (isStale(name)) rmSync(name, { force: true });
    return true;
  } finally {
    rmSync(breaker, { force: true });
  }
}

/** One that is empty yet is only as old as it looks: its maker may be about to write. */
function isStale(name: string): boolean {
  if (ageOf(name) > staleMs) return true;
  const { pid, host } = holderOf(name);
  return pid !== undefined && host === hostname() && !isAlive(pid);
}

/** A clock that was set back makes a lock from the future. */
function ageOf(name: string): number {
  try {
    return Math.abs(Date.now() - statSync(name).mtimeMs);
  } catch {
    return 0;
  }
}

function holderOf(name: string): { pid?: number; host?: string } {
  try {
    const holder: unknown = JSON.parse(textOf(name));
    if (!isRecord(holder)) return {};
    const { pid, host } = holder;
    return {
      ...(typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && { pid }),
      ...(typeof host === 'string' && { host }),
    };
  } catch {
    return {};
  }
}

function textOf(name: string): string {
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
    return errorCode(error) === 'EPERM';
  }
}

function busy(path: string, name: string): TauError {
  const { pid } = holderOf(name);
  const who = pid === undefined ? 'another process' : `process ${pid}`;
  return new TauError('file', `${path} is being changed by ${who}`, {
    remedy: `Try again. If no other tau is running, remove ${name}`,
  });
}
