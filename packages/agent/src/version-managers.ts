/**
 * Whether a name on PATH leads to a program or to a version manager (asdf, mise, volta, pyenv, rustup, corepack), which
 * looks into the project for what to start: a file there can name any program.
 */
import { realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readStart } from './prompt/plain-file.ts';

const managers: ReadonlySet<string> = new Set(
  'asdf mise rtx volta volta-shim rustup rustup-init pyenv rbenv nodenv goenv jenv proto proto-shim corepack'.split(
    ' ',
  ),
);

/** Scripts in these came with the system; elsewhere a script in front of a program may be a manager's. */
const system = /^\/(?:usr\/)?s?bin\//;

/** Asks the machine once for each name. */
export function createManaged(path: string | undefined): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name) ?? isManaged(name, (path ?? '').split(':'));
    known.set(name, found);
    return found;
  };
}

function isManaged(name: string, folders: readonly string[]): boolean {
  try {
    const folder = folders.find((one) => isProgram(one === '' ? name : `${one}/${name}`));
    if (folder === undefined) return false;
    const file = join(folder, name);
    const real = realpathSync.native(file);
    if ([file, real].some((place) => /\/(?:shims|\.volta)\//.test(place)) || managers.has(basename(real))) return true;
    return !system.test(real) && readStart(real, 2).text === '#!';
  } catch {
    // What cannot be looked at may be anything.
    return true;
  }
}

function isProgram(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
}
