/**
 * The system calls that a witness looks at: those that change files, by the paths they name, and those that name a socket.
 * The same table makes the filter that stops a call for the witness and tells the witness how to read it. Others it
 * refuses, and tells.
 */
import { allow, assemble, notify, refuse, type Step } from '../bubblewrap/bpf.ts';
import { knownMachine, toldCalls } from '../bubblewrap/seccomp.ts';

/**
 * What happens to a path. `open`: written, and made if a flag says so. `change`: its content or mode. `make`: a new entry.
 * `take`: the entry goes away. `put`: an entry comes, over an old one or not. `share`: it gets a second name. `bind`: an
 * address that may be a new entry. `meet`: one to connect to.
 */
type Act = 'open' | 'change' | 'make' | 'take' | 'put' | 'share' | 'bind' | 'meet';

/** Positions of arguments: of the folder it is relative to (undefined: the current one), of the path, of the flags. */
interface Reading {
  act: Act;
  folder?: number;
  path: number;
  flags?: number;
}

interface Watched {
  name: string;
  numbers: readonly [x64: number | undefined, arm64: number | undefined];
  readings: readonly Reading[];
}

const watched: readonly Watched[] = [
  { name: 'open', numbers: [2, undefined], readings: [{ act: 'open', path: 0, flags: 1 }] },
  { name: 'openat', numbers: [257, 56], readings: [{ act: 'open', folder: 0, path: 1, flags: 2 }] },
  { name: 'creat', numbers: [85, undefined], readings: [{ act: 'open', path: 0 }] },
  { name: 'truncate', numbers: [76, 45], readings: [{ act: 'change', path: 0 }] },
  { name: 'mkdir', numbers: [83, undefined], readings: [{ act: 'make', path: 0 }] },
  { name: 'mkdirat', numbers: [258, 34], readings: [{ act: 'make', folder: 0, path: 1 }] },
  { name: 'mknod', numbers: [133, undefined], readings: [{ act: 'make', path: 0 }] },
  { name: 'mknodat', numbers: [259, 33], readings: [{ act: 'make', folder: 0, path: 1 }] },
  { name: 'rmdir', numbers: [84, undefined], readings: [{ act: 'take', path: 0 }] },
  { name: 'unlink', numbers: [87, undefined], readings: [{ act: 'take', path: 0 }] },
  { name: 'unlinkat', numbers: [263, 35], readings: [{ act: 'take', folder: 0, path: 1 }] },
  { name: 'rename', numbers: [82, undefined], readings: both('take', 'put') },
  { name: 'renameat', numbers: [264, 38], readings: bothAt('take', 'put') },
  { name: 'renameat2', numbers: [316, 276], readings: bothAt('take', 'put') },
  { name: 'link', numbers: [86, undefined], readings: both('share', 'make') },
  { name: 'linkat', numbers: [265, 37], readings: bothAt('share', 'make') },
  { name: 'symlink', numbers: [88, undefined], readings: [{ act: 'make', path: 1 }] },
  { name: 'symlinkat', numbers: [266, 36], readings: [{ act: 'make', folder: 1, path: 2 }] },
  { name: 'chmod', numbers: [90, undefined], readings: [{ act: 'change', path: 0 }] },
  { name: 'fchmodat', numbers: [268, 53], readings: [{ act: 'change', folder: 0, path: 1 }] },
  { name: 'chown', numbers: [92, undefined], readings: [{ act: 'change', path: 0 }] },
  { name: 'fchownat', numbers: [260, 54], readings: [{ act: 'change', folder: 0, path: 1 }] },
  { name: 'bind', numbers: [49, 200], readings: [{ act: 'bind', path: 1 }] },
  { name: 'connect', numbers: [42, 203], readings: [{ act: 'meet', path: 1 }] },
];

function both(from: Act, to: Act): Reading[] {
  return [
    { act: from, path: 0 },
    { act: to, path: 1 },
  ];
}

function bothAt(from: Act, to: Act): Reading[] {
  return [
    { act: from, folder: 0, path: 1 },
    { act: to, folder: 2, path: 3 },
  ];
}

/** Opens by flags that are in memory, where no filter sees them. Who is told that it does not exist takes the older one. */
const openat2 = 437;
const ENOSYS = 38;

/**
 * A program that nobody may look into, as `ssh-agent` and `gpg-agent` want to be, could not be watched. They are told that
 * it is done; whoever could look at them is of the same command, and tracing is refused anyway.
 */
const prctl = [157, 167] as const;
const PR_SET_DUMPABLE = 4;

/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC. */
const writingFlags = 0x243;

export interface WatchedCalls {
  /** The program for the kernel. */
  filter: Buffer;
  /** For the witness: `257:open,0,1,2;82:take,-,0,-|put,-,1,-`. */
  table: string;
  /** Of these and of those that it always refuses: `101:ptrace;272:unshare`. */
  names: string;
}

/** Undefined for a machine whose calls are not known. */
export function watchedCalls(arch: string): WatchedCalls | undefined {
  const machine = knownMachine(arch);
  if (!machine) return undefined;
  const here = watched.flatMap(({ name, numbers, readings }) => {
    const number = numbers[machine.index];
    return number === undefined ? [] : [{ name, number, readings }];
  });
  const steps = here.map(({ number, readings }): Step => {
    const flags = readings[0]?.flags;
    const tests = flags === undefined ? [] : [{ argument: flags, is: 'some', value: writingFlags } as const];
    return { calls: [number], tests, verdict: notify };
  });
  const table = here.map(({ number, readings }) => `${number}:${readings.map(words).join('|')}`).join(';');
  const unreadable: Step = { calls: [openat2], verdict: refuse(ENOSYS) };
  const hiding: Step = {
    calls: [prctl[machine.index]],
    tests: [
      { argument: 0, is: 'equal', value: PR_SET_DUMPABLE },
      { argument: 1, is: 'equal', value: 0 },
    ],
    verdict: refuse(0),
  };
  const told = toldCalls(machine);
  return {
    filter: assemble(machine, [...steps, unreadable, hiding, ...told.steps], allow, allow),
    table,
    names: [...here.map(({ number, name }) => [number, name] as const), ...told.names]
      .map(([number, name]) => `${number}:${name}`)
      .join(';'),
  };
}

function words({ act, folder, path, flags }: Reading): string {
  return [act, folder ?? '-', path, flags ?? '-'].join(',');
}
