/** Where the paths of a call lead, and whether what it removes can be had again, as the gate wants to know. */
import { lstatSync, opendirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect, ResolvedEffect } from '@tau/core';
import type { Host } from '@tau/host';
import { credentialPlaces, type PathScope, steeringPlaces } from '@tau/policy';

export interface ResolvePlace {
  scope: PathScope;
  env: NodeJS.ProcessEnv;
  /** Whether a plain `git` can only be the user's. */
  trustedPath(): boolean;
}

export async function resolveEffects(
  effects: readonly Effect[],
  { files }: Pick<Host, 'files'>,
  { scope, env, trustedPath }: ResolvePlace,
): Promise<ResolvedEffect[]> {
  const resolved = await Promise.all(
    effects.map(async (effect): Promise<ResolvedEffect> => {
      if (effect.kind !== 'read' && effect.kind !== 'write') return effect;
      return { ...effect, resolved: otherName(await files.resolve(effect.path), scope) };
    }),
  );
  const trees = resolved.flatMap((effect) =>
    effect.kind === 'write' && effect.removes === 'tree' && effect.resolved !== undefined ? [effect.resolved] : [],
  );
  if (trees.length === 0 || !trustedPath()) return resolved;
  const { recoverablePaths } = await import('./git/recoverable.ts');
  const recoverable = await recoverablePaths(trees, env);
  return resolved.map((effect) =>
    effect.kind === 'write' && effect.removes === 'tree' && effect.resolved !== undefined
      ? { ...effect, recoverable: recoverable.has(effect.resolved) }
      : effect,
  );
}

/** A file can have two names. One that is also a credential, hidden, or steers tools, is judged by that name. */
function otherName(place: string, scope: PathScope): string {
  const found = fileAt(place);
  if (!found || found.nlink < 2) return place;
  const room = { names: maxNames };
  for (const guarded of [...credentialPlaces(scope), ...(scope.unreadable ?? []), ...steeringPlaces(scope)]) {
    const name = nameOf(found, guarded, 2, room);
    if (name !== undefined) return name;
  }
  return place;
}

function fileAt(place: string): Stats | undefined {
  try {
    const found = statSync(place, { throwIfNoEntry: false });
    return found?.isFile() ? found : undefined;
  } catch {
    // Whoever opens it will be told why that cannot be.
    return undefined;
  }
}

/** Those of the user are few; a browser's files may be many, and come late. */
const maxNames = 2000;

/** The name of a file at a place or in it, so many folders deep. What cannot be looked at cannot be linked to either. */
function nameOf(file: Stats, place: string, depth: number, room: { names: number }): string | undefined {
  room.names -= 1;
  if (room.names < 0) return undefined;
  try {
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat?.isFile()) return stat.ino === file.ino && stat.dev === file.dev ? place : undefined;
    if (!stat?.isDirectory() || depth === 0) return undefined;
    const folder = opendirSync(place);
    try {
      for (let entry = folder.readSync(); entry && room.names > 0; entry = folder.readSync()) {
        const found = nameOf(file, join(place, entry.name), depth - 1, room);
        if (found !== undefined) return found;
      }
    } finally {
      folder.closeSync();
    }
  } catch {
    // Not ours to look into.
  }
  return undefined;
}
