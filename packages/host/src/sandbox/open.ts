/** Which sandbox there is on this machine, whether it works, and how it is opened. A test may name the backend. */
import { bubblewrap } from './bubblewrap/bubblewrap.ts';
import { type BubblewrapFacts, testBubblewrap } from './bubblewrap/self-test.ts';
import type { Sandbox } from './sandbox.ts';
import { seatbelt } from './seatbelt/seatbelt.ts';
import { type SeatbeltFacts, testSeatbelt } from './seatbelt/self-test.ts';

/** What is known of a sandbox that works; JSON, to be kept while the kernel, the program and the user are the same. */
export type SandboxFacts = BubblewrapFacts | SeatbeltFacts;

export type SandboxFinding =
  | { works: true; facts: SandboxFacts }
  /** Why not, and how to get one; two sentences. */
  | { works: false; reason: string; remedy: string };

interface FindOptions {
  env: NodeJS.ProcessEnv;
  /** Whose programs are never used. */
  project: string;
  /** Absent: the one of this system. */
  backend?: Sandbox['name'];
}

function backendHere(): Sandbox['name'] | undefined {
  if (process.platform === 'linux') return 'bubblewrap';
  return process.platform === 'darwin' ? 'seatbelt' : undefined;
}

/** Tries it out. Takes a tenth of a second at most, usually far less. */
export async function findSandbox({ env, project, backend = backendHere() }: FindOptions): Promise<SandboxFinding> {
  switch (backend) {
    case 'bubblewrap':
      return testBubblewrap(env, project);
    case 'seatbelt':
      return testSeatbelt();
    case undefined:
      return {
        works: false,
        reason: `there is no sandbox for ${process.platform}`,
        remedy: 'Use Linux with bubblewrap, or macOS.',
      };
    default:
      return backend satisfies never;
  }
}

interface OpenOptions {
  env: NodeJS.ProcessEnv;
  /** Tells a secret by its looks; variables with such values stay outside. */
  isSecret?(value: string): boolean;
  /** What a temporary folder in memory may hold. */
  memoryBytes?: number;
  /** What commands leave free on the disks they can write to. */
  leaveFree?: number;
  mostProcesses?: number;
}

export function openSandbox(
  facts: SandboxFacts,
  { env, isSecret, memoryBytes, leaveFree, mostProcesses }: OpenOptions,
): Sandbox {
  const secret = isSecret && { isSecret };
  const memory = memoryBytes !== undefined && { memoryBytes };
  const bounds = {
    ...(leaveFree !== undefined && { leaveFree }),
    ...(mostProcesses !== undefined && { mostProcesses }),
  };
  switch (facts.backend) {
    case 'bubblewrap': {
      const { path, canLimitMemory, perl, unshare } = facts;
      const helpers = { ...(perl && { perl }), ...(unshare && { unshare }) };
      return { ...bubblewrap({ path, canLimitMemory, env, ...helpers, ...secret, ...memory }), ...bounds };
    }
    case 'seatbelt':
      return { ...seatbelt({ ...secret }), ...bounds };
    default:
      return facts satisfies never;
  }
}
