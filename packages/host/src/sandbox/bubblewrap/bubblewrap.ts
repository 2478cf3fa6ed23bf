/**
 * Commands contained by bubblewrap: namespaces of their own for files, processes, users and the network, no rights, a
 * filter of system calls. Made for each command anew; nothing of it is left when the command has ended.
 */
import { closeSync, existsSync, readFileSync } from 'node:fs';
import { TauError } from '@tau/core';
import { isGone } from '../../local/gone.ts';
import { withoutSecrets } from '../environment.ts';
import type { Launch, Report, Sandbox, SandboxPolicy, Violation } from '../sandbox.ts';
import { pnpmPlace, toolchainPlaces } from '../toolchains.ts';
import { type Lookout, openLookout } from '../witness/lookout.ts';
import { readWitness } from '../witness/reports.ts';
import { witnessed } from '../witness/supervisor.ts';
import { bubblewrapArguments } from './arguments.ts';
import { inheritable, withStandIns } from './descriptors.ts';
import type { Devices } from './devices.ts';
import { type KeptFolder, keepFolder } from './folder.ts';
import { type Claim, openLedger } from './ledger.ts';
import { type LinkTargets, linkTargets } from './link-targets.ts';
import { restoreLinks } from './links.ts';
import type { Masks } from './masks.ts';
import { clearPlacesOf, missingAmong, putAside } from './missing.ts';
import { type MountTable, mountsNow, readMountTable, withoutLaterMounts } from './mount-table.ts';
import type { Overlay } from './overlays.ts';
import { type Disk, isIn, isOf, type Mount, mountsOf } from './places.ts';
import { callFilters } from './seccomp.ts';
import { readStatus, type Status } from './status.ts';
import {
  boundSockets,
  linksAmong,
  type MachinePlaces,
  machinePlaces,
  realDisk,
  rememberingDisk,
} from './surroundings.ts';
import { withTempWays } from './temp-ways.ts';
import { type Blank, waitingRoom, waitingShell } from './waiting.ts';

export interface BubblewrapOptions {
  /** The program. */
  path: string;
  /** What this version of it can do. */
  canLimitMemory: boolean;
  env: NodeJS.ProcessEnv;
  /** Looks on as a command runs, where it is asked for; see `witness/`. */
  perl?: string;
  /** Keeps out what is mounted on the machine while a command runs. Absent: that is seen. */
  unshare?: string;
  /** Whether such mounts would come in. Absent: as the machine's list of mounts says. */
  sharesMounts?: boolean;
  /** Tells a secret by its looks. */
  isSecret?(value: string): boolean;
  /** Bytes that a private temporary folder in memory may hold. */
  memoryBytes?: number;
}

/** The same for all taus of a user, whatever their temporary folder is: they meet in the same projects. */
const ledgers = '/tmp/tau-stubs';
const defaultMemoryBytes = 512 * 1024 * 1024;
/** Inside. */
const tempFolder = '/tmp';
const cacheFolder = `${tempFolder}/tau-cache`;
const filterDescriptor = 3;
const statusDescriptor = 4;
/** Of the witness to write to, or of a shell that waits to read from. */
const thirdDescriptor = 5;
/** Everyone inside is dead as soon as the keeper is; the kernel needs a moment to say so. */
const lookEveryMs = 2;
const patienceMs = 1000;

export function bubblewrap(given: BubblewrapOptions): Sandbox {
  const options = { ...given, ...(given.isSecret && { isSecret: remembered(given.isSecret) }) };
  const ledger = openLedger(`${ledgers}-${process.getuid?.() ?? 0}`);
  const targets = linkTargets();
  let kept: KeptFolder | undefined;
  let machine: Machine | undefined;
  let lookout: Lookout | undefined;
  const room = waitingRoom(thirdDescriptor);

  function keep(): KeptFolder {
    if (kept) return kept;
    const filters = callFilters(process.arch);
    if (!filters) {
      throw new TauError('process', `The sandbox does not know the system calls of ${process.arch}`, {
        remedy: 'Run without it: --no-sandbox.',
      });
    }
    kept = keepFolder(filters, ledger);
    return kept;
  }

  return {
    name: 'bubblewrap',
    ownProcesses: true,

    async wrap(launch, asked, report) {
      const folder = keep();
      const disk = rememberingDisk();
      // Whoever works in the temporary folder works beside what holds the command.
      const own = [folder.root, ledger.folder].filter((path) => disk.kindOf(path) !== undefined);
      // Nothing has to be kept as it is where nothing can be written.
      const kept = [...targets.withMissing(asked.readOnly, disk), ...own].filter((path) => isOf(path, asked.writable));
      machine ??= lookAround(options.env);
      const policy = { ...asked, readOnly: kept, unreadable: wherever(asked, machine.table) };
      const hidden = policy.unreadable.filter((path) => isOf(path, policy.writable));
      const { stubbed, unmade } = missingAmong([...kept, ...hidden], disk);
      const overlay = await overlayFor(launch, policy, folder, machine);
      const devices = await folder.devices();
      const claim = await ledger.claim(stubbed);
      try {
        disk.forget(claim.stubs);
        if (options.perl !== undefined && policy.witness) lookout ??= openLookout(options.perl);
        const session = { folder, machine, targets, options, ...(lookout && { lookout }) };
        const given = { ...session, launch, policy, report, claim, overlay, devices, unmade, disk };
        const shell = readsOnly(policy) ? waitingShell(launch, thirdDescriptor) : undefined;
        if (!shell) return contained(given);
        const blank = contained({ ...given, launch: shell.launch, waits: true });
        return room.serve(blank, shell.script, () => contained(given));
      } catch (error) {
        await claim.release();
        throw error;
      }
    },

    async close() {
      await room.close();
      lookout?.close();
      lookout = undefined;
      kept?.remove();
      kept = undefined;
    },
  };
}

function lookAround(env: NodeJS.ProcessEnv): Machine {
  const own = { descriptors: inheritable(), caches: rememberingDisk() };
  return { ...machinePlaces(env), ...own, table: readMountTable() };
}

/** What is hidden is hidden at every place it is seen at; a folder that the command is to write in is meant as it is. */
function wherever({ unreadable, writable }: SandboxPolicy, table: MountTable): string[] {
  const others = unreadable.flatMap((path) => table.alsoAt(path));
  return [...unreadable, ...others.filter((path) => !writable.includes(path))];
}

const maxRemembered = 1000;

/** The environment is the same from command to command, and what looks at values takes its time. */
function remembered(isSecret: (value: string) => boolean): (value: string) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const now = isSecret(value);
    if (known.size < maxRemembered) known.set(value, now);
    return now;
  };
}

/** As it is when the session begins. */
interface Machine extends MachinePlaces {
  /** Inherited ones. */
  descriptors: readonly number[];
  table: MountTable;
  /** Where package managers keep things: nothing that must be known anew for each command. */
  caches: Disk;
  /** What became of the environment the last time. */
  cleaned?: { from: NodeJS.ProcessEnv; writable: readonly string[]; env: NodeJS.ProcessEnv };
}

interface Given {
  launch: Launch;
  policy: SandboxPolicy;
  report: Report | undefined;
  folder: KeptFolder;
  machine: Machine;
  claim: Claim;
  overlay: Overlay;
  devices: Devices;
  /** Protected, not there, and no place for a stub. */
  unmade: readonly string[];
  targets: LinkTargets;
  lookout?: Lookout;
  disk: Disk;
  options: BubblewrapOptions;
  /** Its shell is told later what to do. */
  waits?: boolean;
}

function contained(given: Given): Blank {
  const { waits = false } = given;
  const { launch, policy, report, folder, machine, claim, overlay, devices, unmade, targets, disk, options, lookout } =
    given;
  const { network } = policy;
  const links = linksAmong(policy.readOnly, disk);
  // With the machine's own network, what contained commands have bound in the project is in the list too.
  const sockets = boundSockets(policy.writable).filter((path) => network !== 'host' || !isOf(path, policy.writable));
  const around = { disk, ...machine, sockets, stubs: claim.stubs, unmade, overlays: overlay.mounts };
  const mounts = withTempWays(mountsOf(policy, around), folder.temp);
  const covered = mounts.flatMap(({ path }) => (isOf(path, policy.writable) && sockets.includes(path) ? [path] : []));
  const watch = policy.witness === true && options.perl !== undefined;
  const pipes = ['pipe', ...(watch || waits ? (['pipe'] as const) : [])] as const;
  const nothing = machine.descriptors.length === 0 ? -1 : folder.nothing();
  const reads = readsOnly(policy);
  const input = devices.openNull();
  const filter = folder.openFilter(watch ? 'rest' : reads ? 'reads' : 'all');
  const masks = watch ? masksOver(mounts, policy, folder) : undefined;
  if (masks) lookout?.watch([...masks.files.keys()]);
  const { descriptors, toClose } = withStandIns([filter, ...pipes], machine.descriptors, nothing);
  const clean = { ...launch, env: environmentOf(launch.env, policy, { machine, overlay, options }) };
  // A mount on a file goes away when somebody outside puts another file in its place, as git does with its config.
  const files = policy.readOnly.filter((path) => disk.kindOf(path) === 'file');
  const told = {
    refused: [...unmade, ...files, ...links.keys()],
    met: typeof network === 'string' ? [] : network.binds.map(({ to }) => to),
    shown: watch ? sourcesOf(mounts) : [],
  };
  const inner = watch && options.perl ? witnessed(options.perl, clean, thirdDescriptor, told) : clean;
  const args = bubblewrapArguments({
    launch: inner,
    toClose,
    mounts,
    network,
    empty: folder.empty,
    ...(masks && { masks: masks.over }),
    ...(devices.folder !== undefined && { devices: devices.folder }),
    temp: folder.temp,
    readsOnly: reads,
    ...(options.canLimitMemory && { memoryBytes: options.memoryBytes ?? defaultMemoryBytes }),
    filter: filterDescriptor,
    status: statusDescriptor,
  });
  // What is proved to only read writes nothing there, and is soon over.
  const alone = !reads && (options.sharesMounts ?? machine.table.shared) ? withoutLaterMounts(options.unshare) : [];
  const entered = typeof network === 'string' ? [] : network.prefix;
  const [program = options.path, ...before] = [...entered, ...alone, options.path];
  let status: Status | undefined;
  let witness: ReturnType<typeof readWitness> | undefined;
  return {
    program,
    args: [...before, ...args],
    env: inner.env,
    cwd: launch.cwd,
    nothing: input,
    descriptors,
    identities: waits ? [mountsNow(), ...[launch.cwd, ...mounts.map(({ path }) => path)].map(disk.identityOf)] : [],
    started([, statusPipe, third]) {
      if (statusPipe) status = readStatus(statusPipe);
      if (third && watch) witness = readWitness(third, report ?? (() => {}));
    },
    first: () => status?.first(),
    async release() {
      for (const descriptor of [input, filter]) closeSync(descriptor);
      await status?.ended;
      await witness?.ended;
      for (const path of await openedIn(masks, lookout, status)) report?.({ what: 'read', path });
      masks?.giveBack();
      const first = status?.first();
      // While someone lives inside, the stubs keep protecting; whoever comes next clears them.
      if (claim.stubs.length > 0 && (first === undefined || (await isOver(first)))) await releaseOf(claim);
      clearPlacesOf(covered);
      const changed = devices.restore().map((path) => ({ what: 'write', path, happened: true }) as const);
      const made = unmade.filter((path) => !targets.isBack(path));
      tellAll([...restoreLinks(links), ...changed, ...putAside(made, launch)], report);
      return { began: status?.began() ?? false, left: witness?.left() ?? false };
    },
  };
}

/** It is proved to, and nothing of the disk can be written. */
function readsOnly({ writable, witness }: SandboxPolicy): boolean {
  return writable.length === 0 && !witness;
}

async function overlayFor(
  launch: Launch,
  policy: SandboxPolicy,
  folder: KeptFolder,
  { temp, hidden, needed }: Machine,
): Promise<Overlay> {
  if (readsOnly(policy)) return { mounts: [], env: {} };
  const isSeen = (path: string) => !isOf(path, [...temp, ...hidden]) || isOf(path, needed);
  const { mounts, env } = await folder.overlays.over(launch, policy, isSeen);
  const { writable } = policy;
  return { mounts, env: { ...pnpmPlace(launch, cacheFolder, writable, looksOf(realDisk, writable)), ...env } };
}

/** What cannot be released now is cleared by the helper when the session ends; the command's result is not lost to it. */
async function releaseOf(claim: Claim): Promise<void> {
  await claim.release().catch(() => {});
}

/** A listener that fails is not the command's failure either. */
function tellAll(violations: readonly Violation[], report: Report | undefined): void {
  for (const violation of violations) {
    try {
      report?.(violation);
    } catch {
      // The others are told all the same.
    }
  }
}

/** What is to be found at each place that is shown as it is. Looked up again: the user may mount something meanwhile. */
function sourcesOf(mounts: readonly Mount[]): (readonly [path: string, source: string])[] {
  const table = readMountTable();
  return mounts.flatMap((mount) => {
    if ((mount.kind !== 'writable' && mount.kind !== 'readOnly') || mount.path === '/') return [];
    const source = table.sourceOf(mount.from ?? mount.path);
    return source === undefined ? [] : [[mount.path, source] as const];
  });
}

/** Of a command that failed, the hidden files it opened, by the paths they have inside. */
async function openedIn(masks: Masks | undefined, lookout: Lookout | undefined, status: Status | undefined) {
  if (!masks || !lookout || masks.files.size === 0 || status?.first() === undefined) return [];
  if (status.succeeded()) return [];
  const opened = await lookout.opened([...masks.files.keys()]);
  return opened.flatMap((mask) => masks.files.get(mask) ?? []);
}

/** Undefined when there is no room for them: then what is hidden seems empty, and nobody hears who looked. */
function masksOver(mounts: readonly Mount[], { unreadable }: SandboxPolicy, folder: KeptFolder): Masks | undefined {
  const places = mounts.flatMap((mount) => {
    const { kind, path } = mount;
    const isFolder = kind === 'memory' && !mount.writable && !mounts.some((other) => isIn(other.path, path));
    return (isFolder || kind === 'emptied') && unreadable.includes(path) ? [{ path, isFolder }] : [];
  });
  try {
    return folder.masks.take(places);
  } catch {
    return undefined;
  }
}

function environmentOf(
  env: NodeJS.ProcessEnv,
  policy: SandboxPolicy,
  { machine, overlay, options }: Pick<Given, 'machine' | 'overlay' | 'options'>,
): NodeJS.ProcessEnv {
  const { writable, network } = policy;
  const last = machine.cleaned;
  const isSame = last && isAlike(last.writable, writable) && isAlike(last.from, env);
  const kept = isSame ? last : { from: env, writable, env: cleanedOf(env, writable, machine.caches, options.isSecret) };
  machine.cleaned = kept;
  return { ...kept.env, ...overlay.env, ...(typeof network === 'string' ? {} : network.env), ...policy.env };
}

/** As many things, and each the same. */
function isAlike<T extends object>(a: T, b: T): boolean {
  const entries = Object.entries(a);
  return entries.length === Object.keys(b).length && entries.every(([key, value]) => Reflect.get(b, key) === value);
}

function cleanedOf(
  env: NodeJS.ProcessEnv,
  writable: readonly string[],
  disk: Disk,
  isSecret: BubblewrapOptions['isSecret'],
): NodeJS.ProcessEnv {
  const clean = withoutSecrets(env, isSecret);
  return { ...clean, TMPDIR: tempFolder, ...toolchainPlaces(clean, cacheFolder, looksOf(disk, writable)) };
}

function looksOf(disk: Disk, writable: readonly string[]) {
  return {
    exists: (path: string) => disk.kindOf(path) !== undefined,
    isWritable: (path: string) => isOf(path, writable),
  };
}

async function isOver(pid: number): Promise<boolean> {
  const until = Date.now() + patienceMs;
  for (let looks = 0; isAlive(pid); looks += 1) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => (looks < 50 ? setImmediate(resolve) : setTimeout(resolve, lookEveryMs)));
  }
  return true;
}

/**
 * Whether somebody may live in the namespace of this first process. Without children it is alone, for whoever has lost
 * their parent becomes its child. Its own end takes the kernel milliseconds.
 */
function isAlive(pid: number): boolean {
  if (isGone(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '';
  } catch {
    // Not every kernel tells; then its end is waited for.
    return existsSync(`/proc/${pid}`);
  }
}
