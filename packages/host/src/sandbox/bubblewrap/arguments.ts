/** What bubblewrap is told, for one command. Pure: the same mounts and options give the same words. */
import type { Launch, NetworkPlace } from '../sandbox.ts';
import { deviceNames } from './devices.ts';
import { isIn, type Mount } from './places.ts';

export interface Told {
  launch: Launch;
  mounts: readonly Mount[];
  network: 'none' | 'host' | NetworkPlace;
  /** Lie over what is not to be read. */
  empty: { file: string; folder: string };
  /** What lies over a place instead, by its path. */
  masks?: ReadonlyMap<string, string>;
  /** Where the session's copies of devices are; absent: the machine's are shown. */
  devices?: string;
  /** The private temporary folder of the session. */
  temp: string;
  /** It is proved to, and nothing of the disk can be written. */
  readsOnly: boolean;
  /** Bytes that a folder in memory may hold. Undefined: this bubblewrap cannot limit it. */
  memoryBytes?: number;
  /** Numbers of the descriptors: the filter to read, the status to write. */
  filter: number;
  status: number;
  /** Descriptors at which an empty file is: as a list of arguments it is read, says nothing, and is closed. */
  toClose: readonly number[];
}

/** For folders in which nothing is written. */
const smallBytes = 1 << 20;

export function bubblewrapArguments(told: Told): string[] {
  const { launch, network } = told;
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'none' ? ['--unshare-net'] : []),
    // A session of its own, so that a stop reaches the command and not its keepers.
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--seccomp', String(told.filter), '--json-status-fd', String(told.status)],
    ...told.toClose.flatMap((number) => ['--args', String(number)]),
    ...fileSystem(told),
    ...(typeof network === 'string' ? [] : network.binds.flatMap(({ from, to }) => ['--ro-bind', from, to])),
    ...['--chdir', launch.cwd, '--', launch.program, ...launch.args],
  ];
}

function fileSystem(told: Told): string[] {
  const { mounts } = told;
  const all = mounts.find(({ path }) => path === '/');
  const rest = mounts.filter(({ path }) => path !== '/');
  const closed = rest.filter((mount) => mount.kind === 'memory' && !mount.writable && holdsOthers(mount, rest));
  return [
    ...(all?.kind === 'writable' ? ['--bind', '/', '/'] : ['--ro-bind', '/', '/']),
    ...(isLean(told)
      ? fewDevices(told)
      : ['--dev', '/dev', ...copiedDevices(told), ...inMemory('/dev/shm', told, true), '--remount-ro', '/dev']),
    // The numbers in it are the command's own. What root may change there is the whole machine's.
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    ...rest.flatMap((mount) => words(mount, told)),
    // At the end: other mounts may lie in them.
    ...closed.toReversed().flatMap(({ path }) => ['--remount-ro', path]),
  ];
}

/** bubblewrap has laid the machine's there. */
function copiedDevices({ devices }: Told): string[] {
  return devices === undefined ? [] : deviceNames.flatMap((name) => shownDevice(devices, name));
}

function shownDevice(folder: string, name: string): string[] {
  return ['--dev-bind', `${folder}/${name}`, `/dev/${name}`];
}

function words(mount: Mount, told: Told): string[] {
  const { path } = mount;
  switch (mount.kind) {
    case 'writable':
      return ['--bind', mount.from ?? path, path];
    case 'readOnly':
      return ['--ro-bind', mount.from ?? path, path];
    case 'temp':
      return ['--bind', told.temp, path];
    case 'memory':
      if (mount.writable || holdsOthers(mount, told.mounts)) return inMemory(path, told, mount.writable);
      return isLean(told) ? closed(path) : ['--ro-bind', told.masks?.get(path) ?? told.empty.folder, path];
    case 'emptied':
      return ['--ro-bind', told.masks?.get(path) ?? told.empty.file, path];
    default:
      return mount satisfies never;
  }
}

/** Less will do for a command that only reads, and each mount less is felt. */
function isLean({ readsOnly, memoryBytes }: Told): boolean {
  return readsOnly && memoryBytes !== undefined;
}

/** What such a command opens: no terminals. */
function fewDevices(told: Told): string[] {
  const links = { fd: '/proc/self/fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2', random: 'urandom' };
  return [
    ...['--size', '4096', '--tmpfs', '/dev'],
    ...['null', 'zero', 'urandom'].flatMap((name) => shownDevice(told.devices ?? '/dev', name)),
    ...Object.entries(links).flatMap(([name, to]) => ['--symlink', to, `/dev/${name}`]),
    ...inMemory('/dev/shm', told, true),
  ];
}

/** Half as dear as a bind. Whoever opens it to themself writes a page of memory; where more counts, it is a bind. */
function closed(path: string): string[] {
  return ['--size', '4096', '--perms', '0555', '--tmpfs', path];
}

/** Only in a folder in memory can a place for other mounts be made; where there are none, one bind is cheaper. */
function holdsOthers({ path }: Mount, mounts: readonly Mount[]): boolean {
  return mounts.some((other) => isIn(other.path, path));
}

function inMemory(path: string, { memoryBytes }: Told, writable: boolean): string[] {
  const bytes = writable ? memoryBytes : smallBytes;
  return [...(memoryBytes === undefined ? [] : ['--size', String(bytes)]), '--tmpfs', path];
}
