/**
 * One at a time, over all taus of a user and their helpers: a file with the number of whoever holds it, and of the list of
 * processes in which it is a number. A lock whose holder is dead is broken, by one of those who wait for it: two would break
 * each other's. Numbers are given again, and those of a container mean nothing outside; so one that stays the same for long
 * is broken too, whoever seems to hold it.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { TauError } from '@tau/core';
import { errorCode } from '../../local/failure.ts';

const waitMs = 2;
const patienceMs = 10_000;
/** A second of looking, and it is held for milliseconds. Counted, not timed: who slept has not looked. */
const looksAtOne = 500;
/** Breaking takes microseconds: who has begun it so long ago is dead too. */
const breakerLastsMs = 10_000;

export async function locked<T>(folder: string, work: () => T): Promise<T> {
  const lock = join(folder, 'lock');
  const until = Date.now() + patienceMs;
  let [seen, looks] = ['', 0];
  while (!isOwnFolder(folder) || !make(lock)) {
    const now = marksOf(lock);
    looks = now === seen ? looks + 1 : 0;
    seen = now;
    if (looks > looksAtOne) breakLock(lock, () => marksOf(lock) === seen);
    else if (isDead(lock)) breakLock(lock, () => isDead(lock));
    if (Date.now() > until) throw cannot(folder, new Error(`${lock} is held by another tau`));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  try {
    return work();
  } finally {
    forget(lock);
  }
}

/** The same in words of a shell, whose first argument is the folder. After some seconds it does without the work. */
export function lockScript(work: string): string {
  return [
    'tries=0; held=; seen=; looks=0; space=$(readlink /proc/$$/ns/pid)',
    'while [ -d "$1" ] && [ $tries -lt 200 ]; do',
    '  if (set -C; echo "$$ $space" > "$1/lock") 2>/dev/null; then held=yes; break; fi',
    '  holder=$(cat "$1/lock" 2>/dev/null); now=$(ls -i "$1/lock" 2>/dev/null)$holder',
    '  if [ "$now" = "$seen" ]; then looks=$((looks + 1)); else looks=0; fi; seen=$now; dead=',
    '  case $holder in *" $space") kill -0 "$(echo "$holder" | cut -d " " -f 1)" 2>/dev/null || dead=yes ;; esac',
    '  if { [ -n "$dead" ] || [ $looks -gt 100 ]; } && (set -C; : > "$1/lock-breaker") 2>/dev/null; then',
    '    [ "$(ls -i "$1/lock" 2>/dev/null)$(cat "$1/lock" 2>/dev/null)" != "$now" ] || rm -f "$1/lock"',
    '    rm -f "$1/lock-breaker"',
    '  fi',
    '  tries=$((tries + 1)); sleep 0.02',
    'done',
    'if [ -n "$held" ]; then',
    work,
    'rm -f "$1/lock"',
    'fi',
  ].join('\n');
}

/** The list of processes in which this one has its number; the same for all who are in no container. */
export function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

export function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    // Its owner, or the owner's helper, removed it just now.
    return [];
  }
}

export function forget(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Makes it if need be. False when somebody who clears temporary folders has just removed it. */
function isOwnFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw cannot(folder, error);
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return false;
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true;
  throw cannot(folder, new Error('it belongs to somebody else'));
}

function cannot(folder: string, cause: unknown): TauError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new TauError('process', `The sandbox cannot keep its list in ${folder}: ${why}`, {
    remedy: 'Remove that folder, or have it removed by whom it belongs to.',
    cause,
  });
}

/** False when it is there already, or its folder is not. */
function make(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(descriptor, `${process.pid} ${processSpace()}`);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Without a number in it, it was made this very moment; of who is elsewhere nothing is known. */
function isDead(lock: string): boolean {
  const [pid, space] = readLines(lock)[0]?.split(' ') ?? [];
  const holder = Number(pid ?? Number.NaN);
  return Number.isInteger(holder) && space === processSpace() && !isAlive(holder);
}

/** The same as long as it is the same lock. */
function marksOf(lock: string): string {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  return `${found?.ino} ${found?.mtimeMs} ${readLines(lock).join(' ')}`;
}

function breakLock(lock: string, isBroken: () => boolean): void {
  const breaker = `${lock}-breaker`;
  if (!make(breaker)) {
    const since = lstatSync(breaker, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
    if (Date.now() - since > breakerLastsMs) forget(breaker);
    return;
  }
  try {
    if (isBroken()) forget(lock);
  } finally {
    forget(breaker);
  }
}
