/** What is mounted on this machine, as the kernel lists it: whether mounts that are made later come in, and what is seen twice. */
import { readFileSync } from 'node:fs';
import { isIn, isOf } from './places.ts';

interface Mounted {
  /** Of the file system: equal ones show the same files. */
  device: string;
  /** Which folder or file of it is shown. */
  root: string;
  place: string;
  /** What is mounted in it elsewhere appears here too. */
  shared: boolean;
}

export interface MountTable {
  /** Some mount is shared with others: what they mount later is seen here. */
  shared: boolean;
  /** Other places at which a path, or a part of what is in it, is seen. */
  alsoAt(path: string): readonly string[];
  /** What a bind of this path is, as the list of whoever has it will say: `98:0 /folder`. */
  sourceOf(path: string): string | undefined;
}

/** Where there is no such list, nothing is known of others. */
export function readMountTable(): MountTable {
  return mountTable(mountsNow());
}

/** As the kernel lists them. What is undone and done again is another line. */
export function mountsNow(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

export function mountTable(text: string): MountTable {
  const all = text.split('\n').flatMap((line) => mountedIn(line));
  const seen = new Map<string, number>();
  for (const { device } of all) seen.set(device, (seen.get(device) ?? 0) + 1);
  const twice = all.filter(({ device }) => (seen.get(device) ?? 0) > 1);
  const known = new Map<string, readonly string[]>();
  return {
    shared: all.some(({ shared }) => shared),
    alsoAt(path) {
      if (twice.length === 0) return [];
      const places = known.get(path) ?? otherPlaces(path, all, twice);
      known.set(path, places);
      return places;
    },
    sourceOf(path) {
      const own = holderOf(path, all);
      return own && `${own.device} ${moved(path, own.place, own.root)}`;
    },
  };
}

/**
 * In front of bubblewrap, which leaves its mounts tied to those of the machine. It becomes the program that follows, so
 * who is started stays who they are. Only root may do it without a namespace of users.
 */
export function withoutLaterMounts(unshare: string | undefined): string[] {
  if (unshare === undefined) return [];
  const users = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  return [unshare, ...users, '--mount', '--propagation', 'private', '--'];
}

/** `36 35 98:0 /root /place rw,noatime shared:1 - ext4 /dev/sda1 rw` */
function mountedIn(line: string): Mounted[] {
  const [fields = ''] = line.split(' - ');
  const [, , device, root, place, , ...shares] = fields.split(' ');
  if (device === undefined || root === undefined || place === undefined) return [];
  const shared = shares.some((one) => /^(?:shared|master):/.test(one));
  return [{ device, root: plain(root), place: plain(place), shared }];
}

/** Blanks and the like are written as `\040`. */
function plain(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function otherPlaces(path: string, all: readonly Mounted[], twice: readonly Mounted[]): string[] {
  const own = holderOf(path, all);
  if (!own || !twice.includes(own)) return [];
  const inside = moved(path, own.place, own.root);
  const places = twice.flatMap((other) => {
    if (other === own || other.device !== own.device) return [];
    const place = isOf(inside, [other.root]) ? moved(inside, other.root, other.place) : other.place;
    const isSeen = isOf(inside, [other.root]) || isIn(other.root, inside);
    // Something else may be mounted over it.
    return isSeen && place !== path && holderOf(place, all) === other ? [place] : [];
  });
  return [...new Set(places)];
}

/** The mount that a path is on: the deepest, and of those at one place the last. */
function holderOf(path: string, all: readonly Mounted[]): Mounted | undefined {
  const above = all.filter(({ place }) => isOf(path, [place]));
  return above.reduce<Mounted | undefined>(
    (deepest, one) => (deepest && deepest.place.length > one.place.length ? deepest : one),
    undefined,
  );
}

/** The same below another folder. */
function moved(path: string, from: string, to: string): string {
  const rest = from === '/' ? path : path.slice(from.length);
  return to === '/' ? rest || '/' : `${to}${rest === '/' ? '' : rest}`;
}
