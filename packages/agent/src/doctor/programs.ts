/**
 * The programs tau uses. Each is started for its version only, outside of the project, with an environment of its own: a
 * version manager must not read what the project says about versions.
 */
import { basename } from 'node:path';
import { findRipgrep, findShell } from '@tau/host';
import type { Home } from '../config/home.ts';
import { projectRoot } from '../config/layers.ts';
import type { Settings } from '../config/types.ts';
import { type Check, check, failed, isAtLeast } from './check.ts';
import type { Programs } from './path.ts';

export interface ProgramPlace {
  env: NodeJS.ProcessEnv;
  cwd: string | undefined;
  home: Home;
  settings: Settings;
  programs: Programs;
}

const waitMs = 3000;
const outside = '/';

/** The first line of what it prints; undefined when it does not say. */
async function versionOf(path: string, place: ProgramPlace, args: readonly string[] = ['--version']) {
  const { execFile } = await import('node:child_process');
  const env = {
    PATH: place.programs.folders.join(':'),
    HOME: place.home.user,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const limits = { timeout: waitMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 } as const;
  return new Promise<string | undefined>((resolve) => {
    const child = execFile(path, [...args], { cwd: outside, env, ...limits }, (error, stdout) => {
      const line = stdout.trim().split('\n')[0] ?? '';
      resolve(error || line === '' ? undefined : line);
    });
    child.stdin?.end();
    child.stdin?.on('error', () => {});
  });
}

function versionIn(line: string | undefined): string | undefined {
  return line === undefined ? undefined : /\d+(?:\.\d+)+/.exec(line)?.[0];
}

/** Others may take the word for a file to run. */
const saysVersion: ReadonlySet<string> = new Set(['bash', 'zsh']);

export async function shellCheck(place: ProgramPlace): Promise<Check> {
  const { env, settings, programs, home, cwd = outside } = place;
  const wish = settings.shell;
  let path: string;
  try {
    path = findShell(env, projectRoot(cwd, home), wish === undefined ? {} : { shell: wish }).path;
  } catch (error) {
    return failed('shell', 'Shell', error);
  }
  const chosen = wish === undefined ? '' : ', as the setting shell says';
  if (wish === undefined && basename(path) !== 'bash') {
    const remedy = 'Install bash, or name a shell in the setting shell';
    return check('shell', 'Shell', 'warning', `${path}: there is no bash, and models write for it`, remedy);
  }
  // One that lies where others put programs is told of, not started.
  const known = saysVersion.has(basename(path)) && programs.find(basename(path)) === path;
  const version = known ? versionIn(await versionOf(path, place)) : undefined;
  return check('shell', 'Shell', 'ok', `${path}${version === undefined ? '' : ` ${version}`}${chosen}`);
}

/** `GIT_CONFIG_COUNT`, by which hooks and monitors are switched off. */
const takesSettings = [2, 31] as const;
/** `safe.bareRepository`. */
const knowsBare = [2, 38] as const;

export async function gitCheck(place: ProgramPlace): Promise<Check> {
  const path = place.programs.find('git');
  if (path === undefined) {
    const detail =
      'not found: prompts say nothing of status and history, and nobody knows whether what is removed is kept somewhere';
    return check('git', 'git', 'warning', detail, 'Install git 2.38 or later');
  }
  const version = versionIn(await versionOf(path, place));
  if (version === undefined) {
    const remedy = `Run ${path} --version by hand, and install git anew`;
    return check('git', 'git', 'warning', `${path} does not tell its version`, remedy);
  }
  if (!isAtLeast(version, ...takesSettings)) {
    const detail = `${path} ${version} is too old to have a repository's hooks and monitors switched off`;
    return check('git', 'git', 'warning', detail, 'Install git 2.38 or later');
  }
  if (isAtLeast(version, ...knowsBare)) return check('git', 'git', 'ok', `${path} ${version}`);
  const detail = `${path} ${version} does not know safe.bareRepository: a bare repository within a project is not refused`;
  return check('git', 'git', 'warning', detail, 'Install git 2.38 or later');
}

export async function ripgrepCheck(place: ProgramPlace): Promise<Check> {
  const { programs, cwd = outside } = place;
  const path = await findRipgrep({ PATH: programs.folders.join(':') }, cwd);
  if (path === undefined) {
    const detail = 'not found: tau searches by itself, which is slower in large projects';
    return check('ripgrep', 'ripgrep', 'note', detail, 'Install ripgrep 13 or later');
  }
  const from = programs.find('rg') === path ? '' : ', installed with tau';
  const version = versionIn(await versionOf(path, place, ['--no-config', '--version']));
  return check('ripgrep', 'ripgrep', 'ok', `${path}${version === undefined ? '' : ` ${version}`}${from}`);
}
