/** What a sandbox must know of this machine: where temporary things are, who listens on sockets, which links there are. */
import { accessSync, constants, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { errorCode } from '../../local/failure.ts';
import type { Disk } from './places.ts';

export const realDisk: Disk = {
  kindOf: (path) => kindOf(look(path)),
  identityOf: (path) => identityOf(look(path)),
  isOpen: (path) => may(path, constants.R_OK) || may(path, constants.X_OK),
  isReachableSocket,
};

/** The same for one command, about which many ask after the same places: each is looked at once. */
export function rememberingDisk(): Disk & { forget(paths: readonly string[]): void } {
  const seen = new Map<string, ReturnType<typeof look>>();
  const lookOnce = (path: string) => {
    if (!seen.has(path)) seen.set(path, look(path));
    return seen.get(path);
  };
  return {
    ...realDisk,
    forget(paths) {
      for (const path of paths) seen.delete(path);
    },
    kindOf: (path) => kindOf(lookOnce(path)),
    identityOf: (path) => identityOf(lookOnce(path)),
  };
}

function kindOf(found: ReturnType<typeof look>): ReturnType<Disk['kindOf']> {
  if (!found) return undefined;
  return found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file';
}

/** Numbers are given again as soon as they are free; the time at which it was made is not. */
function identityOf(found: ReturnType<typeof look>): string {
  return found ? `${found.dev} ${found.ino} ${found.birthtimeMs}` : '';
}

function may(path: string, what: number): boolean {
  try {
    accessSync(path, what);
    return true;
  } catch (error) {
    // Only a plain no is one.
    return errorCode(error) !== 'EACCES';
  }
}

function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Who may not look there cannot be hurt there; a file in the place of a folder hides it too.
    return undefined;
  }
}

/** Sockets, other people's sessions and mounted secrets are there. */
const hiddenPlaces: readonly string[] = ['/run', '/var/run', '/mnt/wslg'];
/** Programs of some systems are reached through these. */
const programsInHidden: readonly string[] = [
  '/run/current-system',
  '/run/booted-system',
  '/run/opengl-driver',
  '/run/wrappers',
  '/run/systemd/resolve',
];

export interface MachinePlaces {
  temp: readonly string[];
  hidden: readonly string[];
  needed: readonly string[];
}

export function machinePlaces(env: NodeJS.ProcessEnv): MachinePlaces {
  const temp = realFolders(['/tmp', '/var/tmp', ...(env.TMPDIR === undefined ? [] : [env.TMPDIR])]);
  const programs = (env.PATH ?? '').split(':').filter(isAbsolute);
  return {
    temp: temp.filter((path) => path !== '/' && path !== env.HOME),
    hidden: realFolders(hiddenPlaces),
    needed: [...programsInHidden, ...programs, ...(env.HOME === undefined ? [] : [env.HOME])],
  };
}

function realFolders(paths: readonly string[]): string[] {
  const real = paths.flatMap((path) => {
    try {
      const found = realpathSync(path);
      return lstatSync(found).isDirectory() ? [found] : [];
    } catch {
      return [];
    }
  });
  return [...new Set(real)];
}

/**
 * Paths at which somebody in tau's own network namespace has bound a socket, as real ones. Of a relative name nobody says
 * where it is: it is looked for in the given folders. Nobody tells of one that was renamed; those are left to the witness.
 */
export function boundSockets(folders: readonly string[]): string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n').slice(1);
    const names = lines.flatMap((line) => /^\S+ \S+ \S+ \S+ \S+ \S+ +\d+ ([^@].*)$/.exec(line)?.[1] ?? []);
    const paths = names.flatMap((name) => (isAbsolute(name) ? name : folders.map((folder) => join(folder, name))));
    const real = new Map([...new Set(paths.map((path) => dirname(path)))].map((path) => [path, realFolder(path)]));
    return [...new Set(paths.map((path) => join(real.get(dirname(path)) ?? dirname(path), basename(path))))];
  } catch {
    // Without that list, what is known by its place is still hidden.
    return [];
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // Gone, or closed.
    return path;
  }
}

function isReachableSocket(path: string): boolean {
  try {
    const isThere = look(path)?.isSocket() === true && may(path, constants.W_OK) && realpathSync(path) === path;
    return isThere && isEntered(dirname(path));
  } catch {
    // Gone meanwhile.
    return false;
  }
}

/** Root has no rights of its own inside: what others keep to themselves is closed to it, and nothing can be put over it. */
function isEntered(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const { uid, gid, mode } = statSync(folder);
  const bit = uid === 0 ? 0o100 : gid === 0 ? 0o010 : 0o001;
  return (mode & bit) !== 0 && (folder === '/' || isEntered(dirname(folder)));
}

/** Where the links among the paths lead. */
export function linksAmong(paths: readonly string[], disk: Disk): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of paths.filter((one) => disk.kindOf(one) === 'link')) {
    const to = leadsTo(path);
    if (to !== undefined) found.set(path, to);
  }
  return found;
}

/** Undefined when it is none any more. */
function leadsTo(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
