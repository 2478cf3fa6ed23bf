/**
 * Places in `/proc` and `/dev` that show the inside of a process or of the machine. Their links lead wherever the process
 * that asks happens to be, so what was judged is not what would be opened.
 */

const memory: readonly string[] = ['/dev/mem', '/dev/kmem', '/dev/port', '/dev/core', '/proc/kcore', '/proc/kmem'];

/** What such a place is, as the end of "… ", or undefined. The path is folded. */
export function magicPlace(path: string): string | undefined {
  if (memory.includes(path)) return 'is the memory of the machine';
  const inside = /^\/proc\/([^/]+)(?:\/task\/[^/]+)?\/(.+)$/.exec(path);
  const fd = /^\/dev\/fd\/(.+)$/.exec(path);
  const [, owner = 'self', what = fd && `fd/${fd[1]}`] = inside ?? [];
  if (!what) return undefined;
  if (/^(?:environ|mem|auxv)$/.test(what)) return 'is the inside of a process, where keys are';
  if (/^(?:root|cwd|map_files)(?:\/|$)/.test(what)) return leads;
  if (!/^fd\//.test(what)) return undefined;
  // What a command has open itself was judged when it was opened.
  const own = owner === 'self' || owner === 'thread-self';
  return own && /^fd\/\d+$/.test(what) ? undefined : leads;
}

const leads = 'leads wherever a process happens to be';

/** True when the folder holds such places, or is in one. */
export function hasMagicBelow(folder: string): boolean {
  return folder === '/' || folder === '/dev' || folder === '/proc' || folder.startsWith('/proc/');
}

/** Devices that anybody may write to. */
const harmless = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|random|urandom|fd\/\d+|(?:shm|mqueue)(?:\/.*)?)$/;

/** True for a device that a write may do anything to: a disk, for one. The path is folded. */
export function isDevice(path: string): boolean {
  return path.startsWith('/dev/') && !harmless.test(path);
}
