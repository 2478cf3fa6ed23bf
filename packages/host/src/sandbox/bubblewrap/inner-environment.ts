/** The environment of contained commands: without secrets, with places that can be written to. */
import { withoutSecrets } from '../environment.ts';
import type { SandboxPolicy } from '../sandbox.ts';
import { toolchainPlaces } from '../toolchains.ts';
import { type Disk, isOf } from './places.ts';
import { rememberingDisk } from './surroundings.ts';

/** `added`: what the command needs besides. */
export type EnvironmentMaker = (
  env: NodeJS.ProcessEnv,
  policy: SandboxPolicy,
  added: NodeJS.ProcessEnv,
) => NodeJS.ProcessEnv;

/** Inside. */
const tempFolder = '/tmp';
export const cacheFolder = `${tempFolder}/tau-cache`;

/** It is the same from command to command. */
export function environmentMaker(isSecret?: (value: string) => boolean): EnvironmentMaker {
  const isKnownSecret = isSecret && remembered(isSecret);
  // Where package managers keep things: nothing that must be known anew for each command.
  const disk = rememberingDisk();
  let last: { from: NodeJS.ProcessEnv; writable: readonly string[]; env: NodeJS.ProcessEnv } | undefined;

  function cleaned(env: NodeJS.ProcessEnv, writable: readonly string[]): NodeJS.ProcessEnv {
    const clean = withoutSecrets(env, isKnownSecret);
    return { ...clean, TMPDIR: tempFolder, ...toolchainPlaces(clean, cacheFolder, looksOf(disk, writable)) };
  }

  return (env, { writable, network, env: asked }, added) => {
    const isSame = last && isAlike(last.writable, writable) && isAlike(last.from, env);
    if (!last || !isSame) last = { from: env, writable, env: cleaned(env, writable) };
    return { ...last.env, ...added, ...(typeof network === 'string' ? {} : network.env), ...asked };
  };
}

/** What places of package managers are chosen by. */
export function looksOf(disk: Disk, writable: readonly string[]) {
  return {
    exists: (path: string) => disk.kindOf(path) !== undefined,
    isWritable: (path: string) => isOf(path, writable),
  };
}

const maxRemembered = 1000;

/** What looks at values takes its time. */
function remembered(isSecret: (value: string) => boolean): (value: string) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const now = isSecret(value);
    if (known.size < maxRemembered) known.set(value, now);
    return now;
  };
}

/** As many things, and each the same. */
function isAlike<T extends object>(a: T, b: T): boolean {
  const entries = Object.entries(a);
  return entries.length === Object.keys(b).length && entries.every(([key, value]) => Reflect.get(b, key) === value);
}
