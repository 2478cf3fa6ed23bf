/**
 * From a policy to the mounts of one command: every place by its path, ancestors before what is in them, so that the
 * longest path wins and of equal ones the stricter. Pure: what exists on the disk is asked through `Disk`.
 */
import { dirname } from 'node:path/posix';
import type { SandboxPolicy } from '../sandbox.ts';

export type Mount =
  /** As it is, or what is `from` elsewhere, and may be changed. */
  | { kind: 'writable'; path: string; from?: string }
  /** The same, and stays so. */
  | { kind: 'readOnly'; path: string; from?: string }
  /** A private folder that outlives the command. */
  | { kind: 'temp'; path: string }
  /** An empty folder in memory; `writable` until the command ends, or not at all. */
  | { kind: 'memory'; path: string; writable: boolean }
  /** A file that seems empty. */
  | { kind: 'emptied'; path: string };

export interface Disk {
  /** Undefined when nothing is there. Links are not followed. */
  kindOf(path: string): 'file' | 'folder' | 'link' | undefined;
  /** Another one for whatever takes its place, also under the same name. */
  identityOf(path: string): string;
  /** False when the user has no right to read it anyway, nor to look for names in it. */
  isOpen(path: string): boolean;
  /** A socket is there, and the user may connect to it. */
  isReachableSocket(path: string): boolean;
}

export interface Surroundings {
  disk: Disk;
  /** Temporary folders of the machine. */
  temp: readonly string[];
  /** Folders full of sockets and other people's things. */
  hidden: readonly string[];
  /** Found in hidden places, and needed: folders of programs, home. */
  needed: readonly string[];
  /** Where others have bound sockets, as far as is known. */
  sockets: readonly string[];
  /** Protected paths that are stubs for this command. */
  stubs: readonly string[];
  /** Over folders of package managers. */
  overlays?: readonly Mount[];
  /** Protected paths that do not exist, and are no stubs. */
  unmade: readonly string[];
}

const strictness = { writable: 0, readOnly: 1, temp: 2, memory: 3, emptied: 4 } as const;

export function mountsOf(policy: SandboxPolicy, around: Surroundings): Mount[] {
  const { disk } = around;
  const exists = (path: string) => disk.kindOf(path) !== undefined;
  const mounts: Mount[] = [...(around.overlays ?? [])];
  const fresh = policy.temp === 'fresh';
  // Whoever works in the temporary folder itself means that one.
  const meant = [...policy.writable, ...(policy.shown ?? [])];
  const temp = around.temp.filter((path) => !meant.includes(path));
  const hidden = around.hidden.filter((path) => !meant.includes(path));
  for (const path of temp) mounts.push(fresh ? { kind: 'memory', path, writable: true } : { kind: 'temp', path });
  for (const path of hidden) mounts.push({ kind: 'memory', path, writable: false });
  const covered = [...temp, ...hidden];
  for (const path of [...around.needed, ...(policy.shown ?? [])])
    if (isBelow(path, covered) && !policy.writable.includes(path) && exists(path))
      mounts.push({ kind: 'readOnly', path });
  const writable = policy.writable.filter(exists);
  for (const path of writable) mounts.push({ kind: 'writable', path });

  const named = [...policy.readOnly.filter((path) => isOf(path, writable)), ...around.stubs];
  const kept = named.filter((path) => isMountable(disk, path));
  for (const path of kept) mounts.push({ kind: 'readOnly', path });
  const open = [...writable, ...around.needed, ...(policy.shown ?? [])];
  const isSeen = (path: string) => !isOf(path, covered) || isOf(path, open);
  // Each mount costs time: what nobody can read is closed without one, and stays so where nothing can be changed.
  const isOpen = (path: string) => isOf(path, writable) || disk.isOpen(path);
  const closed = policy.unreadable.filter((path) => isSeen(path) && isMountable(disk, path) && isOpen(path));
  for (const path of closed) mounts.push(hide(disk, path));
  const reached = around.sockets.filter((path) => isSeen(path) && disk.isReachableSocket(path));
  for (const path of reached) mounts.push({ kind: 'emptied', path });
  // A folder cannot be renamed, and another put in its place, when it is a mount itself.
  // So are those above what is not there yet, and above links.
  const bare = [...named, ...policy.unreadable, ...around.unmade].filter((path) => !isMountable(disk, path));
  const parents = [
    ...[...kept, ...closed].flatMap((path) => between(path, writable)),
    ...bare.flatMap((path) => between(path, writable)).filter((path) => disk.kindOf(path) === 'folder'),
  ];
  return inOrder([...mounts, ...pins(parents, inOrder(mounts))]);
}

/** Only where something can be renamed at all: in a place that is closed, such a mount would open it. */
function pins(parents: readonly string[], mounts: readonly Mount[]): Mount[] {
  const isOpen = (path: string) => mounts.findLast((mount) => isOf(path, [mount.path]))?.kind === 'writable';
  return [...new Set(parents)].filter(isOpen).map((path) => ({ kind: 'writable', path }));
}

function isMountable(disk: Disk, path: string): boolean {
  const kind = disk.kindOf(path);
  return kind === 'file' || kind === 'folder';
}

function hide(disk: Disk, path: string): Mount {
  return disk.kindOf(path) === 'folder' ? { kind: 'memory', path, writable: false } : { kind: 'emptied', path };
}

/** The folders between a path and what is writable above it. */
function between(path: string, writable: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = dirname(path); isBelow(at, writable); at = dirname(at)) found.push(at);
  return found;
}

/** One mount a path, the strictest; ancestors first. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map<string, Mount>();
  for (const mount of mounts) {
    const other = byPath.get(mount.path);
    if (!other || strictness[mount.kind] > strictness[other.kind]) byPath.set(mount.path, mount);
  }
  return [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}

/** In one of the folders, or one of them. */
export function isOf(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || isIn(path, folder));
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isIn(path, folder));
}

export function isIn(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
