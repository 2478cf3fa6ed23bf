/** The folders of PATH: which of them others may put programs into, and where a program is found in the rest. */
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { isProgram } from '@tau/host';
import { isTrustedPath } from '@tau/policy';
import type { Home } from '../config/home.ts';
import { projectRoot } from '../config/layers.ts';
import { isBelow, realPlace, searchPath } from '../place.ts';
import { type Check, check, someOf } from './check.ts';

export interface Programs {
  /** The folders nobody else puts programs into. */
  folders: readonly string[];
  /** What is wrong with the others. */
  unproved: readonly string[];
  /** Doctor starts only what is found here. */
  find(name: string): string | undefined;
}

export function readPath(env: NodeJS.ProcessEnv, cwd: string | undefined, home: Home): Programs {
  const project = cwd === undefined ? [] : [realPlace(cwd), realPlace(projectRoot(cwd, home))];
  const temp = realPlace(tmpdir());
  const folders: string[] = [];
  const unproved: string[] = [];
  for (const entry of new Set(env.PATH === undefined ? [] : env.PATH.split(delimiter))) {
    const why = suspicion(entry, project, temp);
    if (why === undefined) folders.push(entry);
    else unproved.push(entry === '' ? why : `${entry} (${why})`);
  }
  const others = [...project, temp];
  return {
    folders,
    unproved,
    find: (name) =>
      folders
        .map((folder) => join(folder, name))
        .find((path) => isProgram(path) && !others.some((folder) => isBelow(realPlace(path), folder))),
  };
}

/** As decisions see it, and one thing more: a folder that everybody may write to. */
function suspicion(entry: string, project: readonly string[], temp: string): string | undefined {
  if (entry === '') return 'an empty entry, which is the current folder';
  if (!isAbsolute(entry)) return 'it is relative, so the project can bring programs';
  const real = searchPath({ PATH: entry });
  if (!isTrustedPath(real, project)) return 'it is in the project';
  if (!isTrustedPath(real, [temp])) return 'it is in the temp folder';
  return isOpenToAll(entry) ? 'everybody may write to it' : undefined;
}

function isOpenToAll(folder: string): boolean {
  try {
    return ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0;
  } catch {
    return false;
  }
}

export function pathCheck({ folders, unproved }: Programs): Check {
  if (unproved.length > 0) {
    const detail = `no command is proved to only read because of ${someOf(unproved, 5)}`;
    return check('path', 'PATH', 'warning', detail, 'Take these folders out of PATH');
  }
  if (folders.length > 0) return check('path', 'PATH', 'ok', `${folders.length} folders, none that others write to`);
  return check(
    'path',
    'PATH',
    'problem',
    'it is empty, so no program is found',
    'Set PATH, for example to /usr/bin:/bin',
  );
}
