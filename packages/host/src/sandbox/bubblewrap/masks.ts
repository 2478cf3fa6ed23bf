/**
 * What lies over hidden places while a witness looks on. A file seems empty. A folder cannot be listed, and a file in it
 * that is asked for by its name seems empty too, so that it is known who opens what. Each command that runs has masks of
 * its own: of one that several shared nobody could say whose doing it was.
 */
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Masks {
  /** The mask of a place, by the path of the place. */
  over: ReadonlyMap<string, string>;
  /** What can be opened in them: where it is, and the path it has inside. */
  files: ReadonlyMap<string, string>;
  /** The command has ended. */
  giveBack(): void;
}

export interface MaskMaker {
  take(places: readonly { path: string; isFolder: boolean }[]): Masks;
}

/** Folders of keys hold a few names, those of browsers tens of thousands. */
const maxNames = 200;
const maxDepth = 3;

interface Mask {
  path: string;
  folders: string[];
  /** Below it; itself is the empty name. */
  files: string[];
  /** When the folder it is for was changed last. */
  changed: number;
}

interface MaskSet {
  root: string;
  inUse: boolean;
  /** So many were made: each has a name of its own. */
  made: number;
  masks: Map<string, Mask>;
}

export function maskMaker(root: string): MaskMaker {
  const sets: MaskSet[] = [];

  function freeSet(): MaskSet {
    const free = sets.find(({ inUse }) => !inUse);
    if (free) return free;
    const made = { root: join(root, String(sets.length)), inUse: false, made: 0, masks: new Map() };
    mkdirSync(made.root, { recursive: true, mode: 0o700 });
    sets.push(made);
    return made;
  }

  return {
    take(places) {
      const set = freeSet();
      const masks = places.map(({ path, isFolder }) => ({ path, mask: maskOf(path, isFolder, set) }));
      set.inUse = true;
      return {
        over: new Map(masks.map(({ path, mask }) => [path, mask.path])),
        files: new Map(
          masks.flatMap(({ path, mask }) =>
            mask.files.map((name) => [join(mask.path, name), join(path, name)] as const),
          ),
        ),
        giveBack() {
          set.inUse = false;
        },
      };
    },
  };
}

function maskOf(path: string, isFolder: boolean, set: MaskSet): Mask {
  const { masks } = set;
  const changed = isFolder ? changedAt(path) : 0;
  const before = masks.get(path);
  if (before?.changed === changed) return before;
  if (before) unmake(before);
  const mask: Mask = { path: join(set.root, String(set.made)), folders: [], files: [], changed };
  set.made += 1;
  masks.delete(path);
  try {
    if (isFolder) makeFolder(mask, path, '', maxDepth);
    else makeFile(mask, '');
  } catch (error) {
    unmake(mask);
    throw error;
  }
  masks.set(path, mask);
  return mask;
}

function makeFolder(mask: Mask, like: string, name: string, depth: number): void {
  const at = join(mask.path, name);
  mkdirSync(at, { mode: 0o700 });
  mask.folders.push(at);
  for (const entry of depth > 0 ? entriesOf(like) : []) {
    if (mask.files.length + mask.folders.length >= maxNames) break;
    const inner = join(name, entry.name);
    if (entry.isDirectory()) makeFolder(mask, join(like, entry.name), inner, depth - 1);
    else if (entry.isFile() || entry.isSymbolicLink()) makeFile(mask, inner);
  }
  chmodSync(at, 0o111);
}

function makeFile(mask: Mask, name: string): void {
  writeFileSync(join(mask.path, name), '', { mode: 0o444 });
  mask.files.push(name);
}

/** Who is not root can remove nothing from a folder that cannot be listed. */
function unmake({ path, folders }: Mask): void {
  for (const folder of folders) chmodSync(folder, 0o700);
  rmSync(path, { recursive: true, force: true });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What the user cannot list has no names.
    return [];
  }
}

function changedAt(folder: string): number {
  try {
    return statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}
