/** Where settings come from, low to high, and the text of each file. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeError, TauError } from '@tau/core';
import type { ProjectTrust } from '../trust/project-trust.ts';
import type { Home } from './home.ts';
import { locateJson, parseJson } from './jsonc.ts';
import { readText } from './text.ts';
import { locateToml, parseToml } from './toml.ts';

/** The layers that are files. Above them are the environment and the flags, below them the defaults. */
export type FileLayer = 'user' | 'project' | 'local' | 'config';

export interface LayerFile {
  layer: FileLayer;
  /** The one that is read, or would be if it were there. */
  path: string;
}

export interface SettingsFile extends LayerFile {
  text: string;
  value: unknown;
  /** `line:column` of a path of keys as the file spells them. */
  locate(keys: readonly string[]): Promise<string>;
}

export interface SettingsPlace {
  env: NodeJS.ProcessEnv;
  /** Without it there is no project. */
  cwd?: string | undefined;
  /** A file of its own that must exist, relative to `cwd`. */
  configFile?: string | undefined;
  /** Whether the project is trusted; what is recorded if not given. */
  trust?: (() => ProjectTrust) | undefined;
}

export function layerFiles(home: Home, { cwd, configFile }: SettingsPlace): LayerFile[] {
  const project = cwd === undefined ? undefined : projectFolder(home, cwd);
  return [
    { layer: 'user', path: home.settings },
    ...(project === undefined
      ? []
      : [
          { layer: 'project' as const, path: join(project, 'settings.json') },
          { layer: 'local' as const, path: join(project, 'settings.local.json') },
        ]),
    ...(configFile === undefined ? [] : [{ layer: 'config' as const, path: resolve(cwd ?? '.', configFile) }]),
  ];
}

/** `.tau` of the repository that holds the folder, else of the folder itself; the user's own `.tau` is no project's. */
export function projectFolder(home: Home, cwd: string): string | undefined {
  const folder = join(projectRoot(cwd, home), '.tau');
  if (folder === home.tau) return undefined;
  return existsSync(folder) && realPath(folder) === realPath(home.tau) ? undefined : folder;
}

/**
 * A repository of the home folder itself is no project of what lies below it, also where a link leads to the home. What was
 * found stays: a start asks a dozen times, and a command must not move the project by making a repository.
 */
export function projectRoot(cwd: string, home: Home): string {
  const root = home.roots.get(cwd) ?? findRoot(cwd, home.user);
  home.roots.set(cwd, root);
  return root;
}

function findRoot(cwd: string, userHome: string): string {
  const home = realPath(userHome);
  for (let folder = cwd; folder === cwd || folder !== home; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return cwd;
  }
  return cwd;
}

/** Links followed; one that is not there has no other name. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path;
}

/** A repository may bring any file; looking at this much of it takes no time. */
const maxBytes = 256 * 1024;

export interface ReadLayer {
  file?: SettingsFile;
  warnings: string[];
  /** Why nothing in the file counts, although it is there. */
  broken?: string;
}

/**
 * A file that cannot be understood is a warning, unless somebody counts on it: one that was asked for by name, and one
 * that speaks of permissions, because a guard must not silently be missing.
 */
export async function readLayer({ layer, path }: LayerFile): Promise<ReadLayer> {
  const tomlPath = path.endsWith('.json') && layer !== 'config' ? path.replace(/\.json$/, '.toml') : undefined;
  const text = readIfThere(path);
  const tomlText = tomlPath === undefined ? undefined : readIfThere(tomlPath);
  if (layer === 'config' && text === undefined) {
    throw new TauError('usage', `There is no file ${path}`, { remedy: 'Check the path behind --config' });
  }
  if (text === undefined) {
    if (tomlPath === undefined || tomlText === undefined) return { warnings: [] };
    return parse({ layer, path: tomlPath, text: tomlText });
  }
  const found = await parse({ layer, path, text });
  if (tomlPath === undefined || tomlText === undefined) return found;
  const both = `${tomlPath} is not read, because ${path} is there too. Keep one of them`;
  if (speaksOfGuards(tomlText)) throw new TauError('configuration', both);
  return { ...found, warnings: [both, ...found.warnings] };
}

/** Looking for what is mostly not there must cost little: a failed open makes an error object, this does not. */
function readIfThere(path: string): string | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  } catch {
    // Something is there that cannot be looked at: reading it says why.
  }
  return readText(path, maxBytes);
}

async function parse({ layer, path, text }: LayerFile & { text: string }): Promise<ReadLayer> {
  const toml = path.endsWith('.toml');
  try {
    if (isDeep(text))
      throw new TauError('configuration', `${path}: it is nested too deeply`, { remedy: 'Mend the file' });
    const value = await (toml ? parseToml(path, text) : parseJson(path, text));
    const locate = async (keys: readonly string[]) => (toml ? locateToml(text, keys) : locateJson(text, keys));
    return { file: { layer, path, text, value, locate }, warnings: [] };
  } catch (error) {
    if (layer === 'config' || speaksOfGuards(text) || (layer === 'user' && /hooks/i.test(text))) throw error;
    const broken = describeError(error);
    return { warnings: [`${broken}. Nothing in it counts until then`], broken };
  }
}

const mostDepth = 100;

/** Whoever walks through the value would run out of stack. Brackets in texts count too, but they come in pairs. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > mostDepth) return true;
  }
  return false;
}

export function speaksOfGuards(text: string): boolean {
  return /permission|sandbox/i.test(text);
}
