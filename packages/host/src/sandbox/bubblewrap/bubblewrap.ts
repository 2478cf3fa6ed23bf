/**
 * Commands contained by bubblewrap: namespaces of their own for files, processes, users and the network, no rights, a
 * filter of system calls. Made for each command anew; nothing of it is left when the command has ended.
 */
import { closeSync, existsSync, readFileSync } from 'node:fs';
import { TauError } from '@tau/core';
import { withoutSecrets } from '../environment.ts';
import type { ContainedLaunch, Launch, Report, Sandbox, SandboxPolicy } from '../sandbox.ts';
import { toolchainPlaces } from '../toolchains.ts';
import { readWitness } from '../witness/reports.ts';
import { witnessed } from '../witness/supervisor.ts';
import { bubblewrapArguments } from './arguments.ts';
import { inheritable, withStandIns } from './descriptors.ts';
import { type KeptFolder, keepFolder } from './folder.ts';
import { type Claim, openLedger } from './ledger.ts';
import { restoreLinks } from './links.ts';
import { clearPlacesOf, missingAmong, putAside } from './missing.ts';
import { type Disk, isOf, mountsOf } from './places.ts';
import { callFilter } from './seccomp.ts';
import { readStatus, type Status } from './status.ts';
import { boundSockets, linksAmong, type MachinePlaces, machinePlaces, rememberingDisk } from './surroundings.ts';

export interface BubblewrapOptions {
  /** The program. */
  path: string;
  /** What this version of it can do. */
  canLimitMemory: boolean;
  env: NodeJS.ProcessEnv;
  /** Looks on as a command runs, where it is asked for; see `witness/`. */
  perl?: string;
  /** Tells a secret by its looks. */
  isSecret?(value: string): boolean;
  /** Bytes that a private temporary folder in memory may hold. */
  memoryBytes?: number;
}

/** The same for all taus of a user, whatever their temporary folder is: they meet in the same projects. */
const ledgers = '/tmp/tau-stubs';
const defaultMemoryBytes = 512 * 1024 * 1024;
const filterDescriptor = 3;
const statusDescriptor = 4;
const witnessDescriptor = 5;
/** Everyone inside is dead as soon as the keeper is; the kernel needs a moment to say so. */
const lookEveryMs = 2;
const patienceMs = 1000;

export function bubblewrap(given: BubblewrapOptions): Sandbox {
  const options = { ...given, ...(given.isSecret && { isSecret: remembered(given.isSecret) }) };
  const ledger = openLedger(`${ledgers}-${process.getuid?.() ?? 0}`);
  let kept: KeptFolder | undefined;
  let machine: Machine | undefined;

  function keep(): KeptFolder {
    if (kept) return kept;
    const filter = callFilter(process.arch);
    if (!filter) {
      throw new TauError('process', `The sandbox does not know the system calls of ${process.arch}`, {
        remedy: 'Run without it: --no-sandbox.',
      });
    }
    kept = keepFolder(filter, ledger);
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
      const kept = [...asked.readOnly, ...own].filter((path) => isOf(path, asked.writable));
      const policy = { ...asked, readOnly: kept };
      machine ??= { ...machinePlaces(options.env), descriptors: inheritable(), caches: rememberingDisk() };
      const hidden = policy.unreadable.filter((path) => isOf(path, policy.writable));
      const { stubbed, unmade } = missingAmong([...kept, ...hidden], disk);
      const claim = await ledger.claim(stubbed);
      try {
        disk.forget(claim.stubs);
        return contained({ launch, policy, report, folder, machine, claim, unmade, disk, options });
      } catch (error) {
        await claim.release();
        throw error;
      }
    },

    async close() {
      kept?.remove();
      kept = undefined;
    },
  };
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
  /** Protected, not there, and no place for a stub. */
  unmade: readonly string[];
  disk: Disk;
  options: BubblewrapOptions;
}

function contained({ launch, policy, report, folder, machine, claim, unmade, disk, options }: Given): ContainedLaunch {
  const { network } = policy;
  const links = linksAmong(policy.readOnly, disk);
  // With the machine's own network, what contained commands have bound in the project is in the list too.
  const sockets = boundSockets().filter((path) => network !== 'host' || !isOf(path, policy.writable));
  const mounts = mountsOf(policy, { disk, ...machine, sockets, stubs: claim.stubs });
  const covered = mounts.flatMap(({ path }) => (isOf(path, policy.writable) && sockets.includes(path) ? [path] : []));
  const watch = policy.witness === true && options.perl !== undefined;
  const pipes = ['pipe', ...(watch ? (['pipe'] as const) : [])] as const;
  const nothing = machine.descriptors.length === 0 ? -1 : folder.nothing();
  const filter = folder.openFilter();
  const { descriptors, toClose } = withStandIns([filter, ...pipes], machine.descriptors, nothing);
  const clean = { ...launch, env: environmentOf(launch.env, policy, machine, options) };
  // A mount on a file goes away when somebody outside puts another file in its place, as git does with its config.
  const files = policy.readOnly.filter((path) => disk.kindOf(path) === 'file');
  const refused = [...unmade, ...files];
  const inner = watch && options.perl ? witnessed(options.perl, clean, witnessDescriptor, refused) : clean;
  const args = bubblewrapArguments({
    launch: inner,
    toClose,
    mounts,
    network,
    empty: folder.empty,
    temp: folder.temp,
    readsOnly: policy.writable.length === 0 && !policy.witness,
    ...(options.canLimitMemory && { memoryBytes: options.memoryBytes ?? defaultMemoryBytes }),
    filter: filterDescriptor,
    status: statusDescriptor,
  });
  const [program = options.path, ...before] =
    typeof network === 'string' ? [options.path] : [...network.prefix, options.path];
  let status: Status | undefined;
  let witness: ReturnType<typeof readWitness> | undefined;
  return {
    program,
    args: [...before, ...args],
    env: inner.env,
    cwd: launch.cwd,
    descriptors,
    started([, statusPipe, witnessPipe]) {
      if (statusPipe) status = readStatus(statusPipe);
      if (witnessPipe) witness = readWitness(witnessPipe, report ?? (() => {}));
    },
    first: () => status?.first(),
    async release() {
      closeSync(filter);
      await status?.ended;
      await witness?.ended;
      const first = status?.first();
      // While someone lives inside, the stubs keep protecting; whoever comes next clears them.
      if (claim.stubs.length > 0 && (first === undefined || (await isOver(first)))) await claim.release();
      clearPlacesOf(covered);
      for (const path of restoreLinks(links)) report?.({ what: 'write', path });
      putAside(unmade, report ?? (() => {}), launch);
      return { began: status?.began() ?? false, left: witness?.left() ?? false };
    },
  };
}

function environmentOf(
  env: NodeJS.ProcessEnv,
  policy: SandboxPolicy,
  machine: Machine,
  { isSecret }: BubblewrapOptions,
): NodeJS.ProcessEnv {
  const { writable, network } = policy;
  const last = machine.cleaned;
  const isSame = last && isAlike(last.writable, writable) && isAlike(last.from, env);
  const kept = isSame ? last : { from: env, writable, env: cleanedOf(env, writable, machine.caches, isSecret) };
  machine.cleaned = kept;
  return { ...kept.env, ...(typeof network === 'string' ? {} : network.env), ...policy.env };
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
  const temp = '/tmp';
  const caches = toolchainPlaces(clean, `${temp}/tau-cache`, {
    exists: (path) => disk.kindOf(path) !== undefined,
    isWritable: (path) => isOf(path, writable),
  });
  return { ...clean, TMPDIR: temp, ...caches };
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
 * Whether somebody may live in the namespace of this first process. Dead and not buried is dead; and without children it is
 * alone, for whoever has lost their parent becomes its child. Its own end takes the kernel milliseconds.
 */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    if (/^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1))) return false;
  } catch {
    return false;
  }
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '';
  } catch {
    // Not every kernel tells; then its end is waited for.
    return existsSync(`/proc/${pid}`);
  }
}
