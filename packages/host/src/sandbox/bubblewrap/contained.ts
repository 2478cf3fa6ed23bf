/** One command, about to be contained: what it is told, what is open meanwhile, and what is put right after it. */
import { closeSync } from 'node:fs';
import type { Launch, Report, SandboxPolicy, Violation } from '../sandbox.ts';
import type { Lookout } from '../witness/lookout.ts';
import { readWitness } from '../witness/reports.ts';
import { witnessed } from '../witness/supervisor.ts';
import { bubblewrapArguments } from './arguments.ts';
import { withStandIns } from './descriptors.ts';
import type { Devices } from './devices.ts';
import type { KeptFolder } from './folder.ts';
import type { EnvironmentMaker } from './inner-environment.ts';
import type { Claim } from './ledger.ts';
import type { LinkTargets } from './link-targets.ts';
import { restoreLinks } from './links.ts';
import type { Masks } from './masks.ts';
import { clearPlacesOf, putAside } from './missing.ts';
import { type MountTable, mountsNow, readMountTable, withoutLaterMounts } from './mount-table.ts';
import { isOver } from './over.ts';
import type { Overlay } from './overlays.ts';
import { type Disk, isIn, isOf, type Mount, mountsOf } from './places.ts';
import { readStatus, type Status } from './status.ts';
import { boundSockets, linksAmong, type MachinePlaces } from './surroundings.ts';
import { withTempWays } from './temp-ways.ts';
import type { Blank } from './waiting.ts';

const filterDescriptor = 3;
const statusDescriptor = 4;
/** Of the witness to write to, or of a shell that waits to read from. */
export const thirdDescriptor = 5;

const defaultMemoryBytes = 512 * 1024 * 1024;

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

/** As it is when the session begins. */
export interface Machine extends MachinePlaces {
  /** Inherited ones. */
  descriptors: readonly number[];
  table: MountTable;
}

interface Given {
  launch: Launch;
  policy: SandboxPolicy;
  report: Report | undefined;
  folder: KeptFolder;
  machine: Machine;
  environment: EnvironmentMaker;
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

export function contained(given: Given): Blank {
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
  const standIn = machine.descriptors.length === 0 ? -1 : folder.nothing();
  const reads = readsOnly(policy);
  const nothing = devices.openNull();
  const filter = folder.openFilter(watch ? 'rest' : reads ? 'reads' : 'all');
  const masks = watch ? masksOver(mounts, policy, folder) : undefined;
  if (masks) lookout?.watch([...masks.files.keys()]);
  const { descriptors, toClose } = withStandIns([filter, ...pipes], machine.descriptors, standIn);
  const clean = { ...launch, env: given.environment(launch.env, policy, overlay.env) };
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
    nothing,
    descriptors,
    identities: waits ? [mountsNow(), ...[launch.cwd, ...mounts.map(({ path }) => path)].map(disk.identityOf)] : [],
    started([, statusPipe, third]) {
      if (statusPipe) status = readStatus(statusPipe);
      if (third && watch) witness = readWitness(third, report ?? (() => {}));
    },
    first: () => status?.first(),
    async release() {
      for (const descriptor of [nothing, filter]) closeSync(descriptor);
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
export function readsOnly({ writable, witness }: SandboxPolicy): boolean {
  return writable.length === 0 && !witness;
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
