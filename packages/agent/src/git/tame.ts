/**
 * Whether git may be started in a folder without being watched: the repository it would find, and those in it, name no
 * program to run. Nothing is run to find out.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readStart } from '../prompt/plain-file.ts';
import { isTameKey, parseGitConfig } from './config-keys.ts';
import { gitlinksIn } from './gitlinks.ts';

const maxConfigBytes = 256 * 1024;
const maxIndexBytes = 64 * 1024 * 1024;
const maxRepositories = 64;
const maxRemembered = 32;
const maxDepth = 64;

/** By these git works in another repository than the one that is there, or runs what they name. */
const steered =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_PARAMETERS|EXEC_PATH|NAMESPACE|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/;

export function createTameGit(env: NodeJS.ProcessEnv): (folder: string) => boolean {
  const known = new Map<string, Looked>();
  const isSteered = Object.keys(env).some((name) => steered.test(name));
  return (folder) => {
    if (isSteered) return false;
    try {
      const found = findRepository(realpathSync.native(folder));
      if (found === undefined) return true;
      return isTame(found, { left: maxRepositories, known });
    } catch {
      // What cannot be looked at is not known to be harmless.
      return false;
    }
  };
}

interface Found {
  /** The folder that has the `.git`. */
  root: string;
  gitDir: string;
  commonDir: string;
}

/** As git looks for it, from here upwards. Throws where it is not plain what git would take. */
function findRepository(start: string): Found | undefined {
  let root = start;
  for (let depth = 0; depth < maxDepth; depth++) {
    if (['HEAD', 'objects', 'refs'].every((name) => exists(join(root, name)))) throw new Error('a bare repository');
    const found = repositoryAt(root);
    if (found) return found;
    const parent = dirname(root);
    if (parent === root) return undefined;
    root = parent;
  }
  throw new Error('too deep');
}

function repositoryAt(root: string): Found | undefined {
  const dotGit = join(root, '.git');
  const stat = lstatSync(dotGit, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const gitDir = realpathSync.native(stat.isFile() ? pointedTo(root, dotGit) : dotGit);
  const common = exists(join(gitDir, 'commondir')) ? readStart(join(gitDir, 'commondir'), 4096).text.trim() : '.';
  const commonDir = realpathSync.native(resolve(gitDir, common));
  for (const place of new Set([gitDir, commonDir])) {
    if (statSync(place).uid !== process.getuid?.()) throw new Error('somebody else owns it');
  }
  return { root, gitDir, commonDir };
}

function pointedTo(root: string, dotGit: string): string {
  const pointer = /^gitdir: ([^\n\r]+)[\n\r]*$/.exec(readStart(dotGit, 4096).text)?.[1];
  if (pointer === undefined) throw new Error('a .git that is no folder and points nowhere');
  return resolve(root, pointer);
}

/** A repository that names no program, with the places of others in it; or one that may. */
type Looked = { stamp: string; nested: readonly string[] | undefined };

function isTame(found: Found, search: { left: number; known: Map<string, Looked> }): boolean {
  search.left -= 1;
  if (search.left < 0) return false;
  const { nested } = lookInto(found, search.known);
  return (
    nested?.every((name) => {
      const inside = repositoryAt(join(found.root, name));
      return inside === undefined || isTame(inside, search);
    }) ?? false
  );
}

/** Read again only when one of its files has changed. */
function lookInto(found: Found, known: Map<string, Looked>): Looked {
  const { root, gitDir, commonDir } = found;
  const [index, ...configs] = [join(gitDir, 'index'), join(commonDir, 'config'), join(gitDir, 'config.worktree')];
  const stamp = [index, ...configs].map(stampOf).join(' ');
  const key = `${root}\0${gitDir}`;
  const before = known.get(key);
  if (before?.stamp === stamp) return before;
  const looked = { stamp, nested: nestedIn(found, index, configs.filter(exists)) };
  known.set(key, looked);
  const [oldest] = known.keys();
  if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest);
  return looked;
}

function nestedIn({ root, gitDir }: Found, index: string, configs: readonly string[]): string[] | undefined {
  const isHere = (worktree: string) => realpathSync.native(resolve(gitDir, worktree)) === root;
  let sha256 = false;
  for (const path of configs) {
    const { text, size } = readStart(path, maxConfigBytes);
    const entries = size > maxConfigBytes ? undefined : parseGitConfig(text);
    if (!entries?.every((entry) => isTameKey(entry, isHere))) return undefined;
    sha256 ||= entries.some(({ name, value }) => name === 'extensions.objectformat' && value !== 'sha1');
  }
  if (!exists(index)) return [];
  if (statSync(index).size > maxIndexBytes) return undefined;
  return gitlinksIn(readFileSync(index), { sha256 });
}

function stampOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : '-';
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
