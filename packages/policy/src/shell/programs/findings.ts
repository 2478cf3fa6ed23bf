/** How a judge says what it found. */
import { normalize } from 'node:path/posix';
import type { CommandClass, Effect } from '@tau/core';
import type { Finding, Word } from '../invocation.ts';

/** It only looks, and at nothing but these. */
export function looksAt(paths: readonly Word[]): Finding {
  return does('read-only', reads(paths));
}

/** All it does is known: these effects. A path that nobody knows yet (see `reads`) makes that untrue. */
export function does(kind: CommandClass, effects: readonly (Effect | undefined)[]): Finding {
  const known = effects.filter((effect) => effect !== undefined);
  if (known.length < effects.length) {
    return notKnown(kind === 'read-only' ? 'unknown' : kind, 'one of its files is known only when it runs', known);
  }
  const device = known.find((effect) => effect.kind === 'write' && isDevice(effect.path));
  return { class: kind, known: true, effects: known, ...(device && { danger: 'it writes to a device' }) };
}

/** What is known of it is not all of it. The effects are those that are sure to be meant. */
export function notKnown(kind: CommandClass, why: string, effects: readonly Effect[] = []): Finding {
  const device = effects.some((effect) => effect.kind === 'write' && isDevice(effect.path));
  return { class: kind, known: false, effects, why, ...(device && { danger: 'it writes to a device' }) };
}

/** A read of each; of none where what comes in is meant. Undefined for a path that nobody knows yet. */
export function reads(paths: readonly Word[]): (Effect | undefined)[] {
  return readsFiles(paths.filter((path) => path !== '-' && path !== '/dev/stdin'));
}

/** The same, with all that is below each of them. */
export function readsTrees(paths: readonly Word[]): (Effect | undefined)[] {
  return reads(paths).map((effect) => (effect?.kind === 'read' ? { ...effect, tree: true } : effect));
}

/** For programs to which a dash is a file like any other. */
export function readsFiles(paths: readonly Word[]): (Effect | undefined)[] {
  return paths.map((path) => (path === undefined ? undefined : { kind: 'read', path }));
}

export function writes(paths: readonly Word[], removes?: 'file' | 'tree'): (Effect | undefined)[] {
  return paths.map((path) => (path === undefined ? undefined : { kind: 'write', path, ...(removes && { removes }) }));
}

/** For programs that only open what they write: then nothing comes of it where nothing stays. */
export function pours(paths: readonly Word[]): (Effect | undefined)[] {
  return writes(paths.filter((path) => path === undefined || !leadsNowhere.has(path)));
}

/** The words that are no option, whatever else they are: what a call that is not understood may mean to touch. */
export function likelyPaths(words: readonly Word[]): string[] {
  return words.filter((word): word is string => word !== undefined && word !== '' && !word.startsWith('-'));
}

export function defined<T>(things: readonly (T | undefined)[]): T[] {
  return things.filter((thing): thing is T => thing !== undefined);
}

/** Written to without any trace. */
const leadsNowhere: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr']);

/** A disk, a port, a terminal. The folder for shared memory holds plain files. */
function isDevice(path: string): boolean {
  const plain = normalize(path).replace(/^\/+/, '/');
  return plain.startsWith('/dev/') && !plain.startsWith('/dev/shm/');
}
