/**
 * Whether what a command removes can be had again: git has all of it, a tool makes it anew, or there is nothing. Git is
 * asked in the way of `snapshot.ts`, which runs nothing that a repository names. Any doubt is a no.
 */
import { lstatSync, opendirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { askGit, type Git } from './ask.ts';
import { openRepository, type Repository } from './repository.ts';

/** Folders that tools make, and make again. They count only where git ignores them. */
const made: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'dist',
  'build',
  'out',
  'output',
  'target',
  'coverage',
  'tmp',
  '.tmp',
  'temp',
  '.cache',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.astro',
  '.angular',
  '.turbo',
  '.parcel-cache',
  '.vite',
  '.nyc_output',
  '.eslintcache',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '.eggs',
  '.gradle',
  '.terraform',
  '.dart_tool',
  '.bundle',
  '_build',
  'deps',
  'obj',
  'playwright-report',
  'test-results',
  'storybook-static',
]);

const maxPaths = 50;
const maxEntries = 5000;
const waitMs = 2000;

/** Those of the paths that can be had again. All are real paths. */
export async function recoverablePaths(paths: readonly string[], env: NodeJS.ProcessEnv): Promise<Set<string>> {
  const there = paths.filter((path) => exists(path));
  const found = new Set(paths.filter((path) => !there.includes(path)));
  if (there.length > maxPaths) return found;
  const byRoot = new Map<string, { repository: Repository; paths: string[] }>();
  for (const path of there) {
    const repository = repositoryAround(path);
    if (!repository) continue;
    const group = byRoot.get(repository.root) ?? { repository, paths: [] };
    group.paths.push(path);
    byRoot.set(repository.root, group);
  }
  for (const { repository, paths: inside } of byRoot.values()) {
    const kept = await askGit(repository, { env, waitMs }, (git) => keptIn(repository, inside, git)).catch(() => []);
    for (const path of kept) found.add(path);
  }
  return found;
}

/** The nearest one that has the path in it; the repository itself is nothing that git has. */
function repositoryAround(path: string): Repository | undefined {
  if (exists(join(path, '.git'))) return undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (exists(join(folder, '.git'))) return openRepository(folder);
    if (folder === dirname(folder)) return undefined;
  }
}

async function keptIn({ root }: Repository, paths: readonly string[], git: Git): Promise<string[]> {
  const names = new Map(paths.map((path) => [relative(root, path), path]));
  // As they stand: a `*` in a name is no pattern.
  const asked = [...names.keys()];
  const [listed, changed, ignored] = await Promise.all([
    git(['--literal-pathspecs', 'ls-files', '-v', '-s', '-z', '--', ...asked]),
    git(['--literal-pathspecs', ...status, '--', ...asked]),
    git(['-c', 'core.quotePath=false', 'check-ignore', '--', ...asked], { noneIsOne: true }),
  ]);
  if (listed.cut || changed.cut || ignored.cut) return [];
  const tracked = new Map(listed.output.split('\0').map(trackedFile));
  const dirty = changed.output.split('\0').map((line) => line.slice(3));
  const left = new Set(ignored.output.split('\n'));
  return asked.flatMap((name) => {
    const path = names.get(name);
    if (path === undefined) return [];
    const inside = (file: string) => file === name || file.startsWith(`${name}/`);
    if (made.has(basename(name)) && left.has(name) && ![...tracked.keys()].some(inside)) return [path];
    return !dirty.some(inside) && filesIn(path)?.every((file) => tracked.get(relative(root, file))) ? [path] : [];
  });
}

const status = ['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'];

/** `H 100644 <hash> 0<tab>name`: a plain file that git compares; another letter is one it was told not to look at. */
function trackedFile(line: string): [name: string, plain: boolean] {
  const [, state = '', name = ''] = /^([^\t]*)\t(.*)$/s.exec(line) ?? [];
  return [name, /^H (?:100644|100755|120000) [0-9a-f]+ 0$/.test(state)];
}

/** Every file below a path, or undefined when there are too many, or a repository among them. */
function filesIn(path: string): string[] | undefined {
  if (!lstatSync(path).isDirectory()) return [path];
  const files: string[] = [];
  const folders = [path];
  let left = maxEntries;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const open = opendirSync(folder);
    try {
      for (let entry = open.readSync(); entry; entry = open.readSync()) {
        left -= 1;
        if (left < 0 || entry.name === '.git') return undefined;
        (entry.isDirectory() ? folders : files).push(join(folder, entry.name));
      }
    } finally {
      open.closeSync();
    }
  }
  return files;
}

/** What cannot be looked at is there. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOTDIR');
  }
}
