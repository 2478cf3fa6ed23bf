/**
 * Commands contained by bubblewrap: namespaces of their own for files, processes, users and the network, no rights, a
 * filter of system calls. Made for each command anew; nothing of it is left when the command has ended.
 */
import { TauError } from '@tau/core';
import type { Launch, Sandbox, SandboxPolicy } from '../sandbox.ts';
import { pnpmPlace } from '../toolchains.ts';
import { type Lookout, openLookout } from '../witness/lookout.ts';
import { type BubblewrapOptions, contained, type Machine, readsOnly, thirdDescriptor } from './contained.ts';
import { inheritable } from './descriptors.ts';
import { type KeptFolder, keepFolder } from './folder.ts';
import { cacheFolder, environmentMaker, looksOf } from './inner-environment.ts';
import { openLedger } from './ledger.ts';
import { linkTargets } from './link-targets.ts';
import { missingAmong } from './missing.ts';
import { type MountTable, readMountTable } from './mount-table.ts';
import type { Overlay } from './overlays.ts';
import { isOf } from './places.ts';
import { callFilters } from './seccomp.ts';
import { machinePlaces, realDisk, rememberingDisk } from './surroundings.ts';
import { waitingRoom, waitingShell } from './waiting.ts';

/** The same for all taus of a user, whatever their temporary folder is: they meet in the same projects. */
const ledgers = '/tmp/tau-stubs';

export function bubblewrap(options: BubblewrapOptions): Sandbox {
  const ledger = openLedger(`${ledgers}-${process.getuid?.() ?? 0}`);
  const targets = linkTargets();
  const environment = environmentMaker(options.isSecret);
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
      const making = folder.devices();
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
      const devices = await making;
      const claim = await ledger.claim(stubbed);
      try {
        disk.forget(claim.stubs);
        if (options.perl !== undefined && policy.witness) lookout ??= openLookout(options.perl);
        const session = { folder, machine, environment, targets, options, ...(lookout && { lookout }) };
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
  return { ...machinePlaces(env), descriptors: inheritable(), table: readMountTable() };
}

/** What is hidden is hidden at every place it is seen at; a folder that the command is to write in is meant as it is. */
function wherever({ unreadable, writable }: SandboxPolicy, table: MountTable): string[] {
  const others = unreadable.flatMap((path) => table.alsoAt(path));
  return [...unreadable, ...others.filter((path) => !writable.includes(path))];
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
