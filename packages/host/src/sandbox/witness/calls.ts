/**
 * The system calls that a witness looks at: those that change files, by the paths they name, and `connect`. The same table
 * makes the filter that stops a call for the witness and tells the witness how to read it.
 */
import { allow, assemble, notify, refuse, type Step } from '../bubblewrap/bpf.ts';
import { knownMachine } from '../bubblewrap/seccomp.ts';

/**
 * What happens to a path. `open`: written, and made if a flag says so. `change`: its content or mode. `make`: a new entry.
 * `take`: the entry goes away. `put`: an entry comes, over an old one or not. `meet`: an address to connect to.
 */
type Act = 'open' | 'change' | 'make' | 'take' | 'put' | 'meet';

/** Positions of arguments: of the folder it is relative to (undefined: the current one), of the path, of the flags. */
interface Reading {
  act: Act;
  folder?: number;
  path: number;
  flags?: number;
}

interface Watched {
  numbers: readonly [x64: number | undefined, arm64: number | undefined];
  readings: readonly Reading[];
}

const watched: readonly Watched[] = [
  { numbers: [2, undefined], readings: [{ act: 'open', path: 0, flags: 1 }] },
  { numbers: [257, 56], readings: [{ act: 'open', folder: 0, path: 1, flags: 2 }] },
  { numbers: [85, undefined], readings: [{ act: 'open', path: 0 }] },
  { numbers: [76, 45], readings: [{ act: 'change', path: 0 }] },
  { numbers: [83, undefined], readings: [{ act: 'make', path: 0 }] },
  { numbers: [258, 34], readings: [{ act: 'make', folder: 0, path: 1 }] },
  { numbers: [133, undefined], readings: [{ act: 'make', path: 0 }] },
  { numbers: [259, 33], readings: [{ act: 'make', folder: 0, path: 1 }] },
  { numbers: [84, undefined], readings: [{ act: 'take', path: 0 }] },
  { numbers: [87, undefined], readings: [{ act: 'take', path: 0 }] },
  { numbers: [263, 35], readings: [{ act: 'take', folder: 0, path: 1 }] },
  {
    numbers: [82, undefined],
    readings: [
      { act: 'take', path: 0 },
      { act: 'put', path: 1 },
    ],
  },
  ...[[264, 38] as const, [316, 276] as const].map((numbers) => ({
    numbers,
    readings: [{ act: 'take', folder: 0, path: 1 } as const, { act: 'put', folder: 2, path: 3 } as const],
  })),
  { numbers: [86, undefined], readings: [{ act: 'make', path: 1 }] },
  { numbers: [265, 37], readings: [{ act: 'make', folder: 2, path: 3 }] },
  { numbers: [88, undefined], readings: [{ act: 'make', path: 1 }] },
  { numbers: [266, 36], readings: [{ act: 'make', folder: 1, path: 2 }] },
  { numbers: [90, undefined], readings: [{ act: 'change', path: 0 }] },
  { numbers: [268, 53], readings: [{ act: 'change', folder: 0, path: 1 }] },
  { numbers: [92, undefined], readings: [{ act: 'change', path: 0 }] },
  { numbers: [260, 54], readings: [{ act: 'change', folder: 0, path: 1 }] },
  { numbers: [42, 203], readings: [{ act: 'meet', path: 1 }] },
];

/** Opens by flags that are in memory, where no filter sees them. Who is told that it does not exist takes the older one. */
const openat2 = 437;
const ENOSYS = 38;

/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC. */
const writingFlags = 0x243;

export interface WatchedCalls {
  /** The program for the kernel. */
  filter: Buffer;
  /** For the witness: `257:open,0,1,2;82:take,-,0,-|put,-,1,-`. */
  table: string;
}

/** Undefined for a machine whose calls are not known. */
export function watchedCalls(arch: string): WatchedCalls | undefined {
  const machine = knownMachine(arch);
  if (!machine) return undefined;
  const here = watched.flatMap(({ numbers, readings }) => {
    const number = numbers[machine.index];
    return number === undefined ? [] : [{ number, readings }];
  });
  const steps = here.map(({ number, readings }): Step => {
    const flags = readings[0]?.flags;
    const tests = flags === undefined ? [] : [{ argument: flags, is: 'some', value: writingFlags } as const];
    return { calls: [number], tests, verdict: notify };
  });
  const table = here.map(({ number, readings }) => `${number}:${readings.map(words).join('|')}`).join(';');
  const unreadable: Step = { calls: [openat2], verdict: refuse(ENOSYS) };
  return { filter: assemble(machine, [...steps, unreadable], allow, allow), table };
}

function words({ act, folder, path, flags }: Reading): string {
  return [act, folder ?? '-', path, flags ?? '-'].join(',');
}
