/**
 * Whose programs plain names mean. What tau or the user's own words start in a stranger's folder must not be found in
 * that folder, although PATH may lead there: by a relative entry, or by one that names it.
 */
import { delimiter, isAbsolute } from 'node:path';
import { findHome, type Home } from './config/home.ts';
import { projectRoot } from './config/layers.ts';
import { isBelow, realPlace } from './place.ts';

/** The project whose programs are not the user's. One that is the whole disk would leave no others: there it is the folder. */
export function programsProject(cwd: string, home: Home): string {
  const root = projectRoot(cwd, home);
  return root === '/' ? cwd : root;
}

/** A PATH without the folders that the project can bring programs in. */
export function ownPath(path: string, project: string | undefined): string {
  const strange = project === undefined || project === '/' ? undefined : realPlace(project);
  const isOwn = (folder: string) =>
    isAbsolute(folder) && (strange === undefined || !isBelow(realPlace(folder), strange));
  return path.split(delimiter).filter(isOwn).join(delimiter);
}

/** The same for a whole environment, and for the project that tau was started in. */
export function withOwnPrograms(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env.PATH === undefined) return env;
  const cwd = startedIn();
  const project = cwd === undefined ? undefined : programsProject(cwd, findHome(env));
  return { ...env, PATH: ownPath(env.PATH, project) };
}

/** In a folder that is gone there are no programs. */
function startedIn(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
