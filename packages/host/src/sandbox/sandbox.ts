/**
 * What contains a command: the interface that every backend offers, and what a command may do as a plain value. A backend
 * only rewrites how a command is started; starting, following and stopping it stays with `local/processes.ts`.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Sandbox {
  name: 'bubblewrap' | 'seatbelt';
  /** Each command has a process namespace of its own: whatever it started ends with it, and with tau. */
  ownProcesses: boolean;
  /** Bytes that commands leave free on every disk they can write to; see `local/room.ts`. */
  leaveFree?: number;
  /** Who has more is stopped; see `local/crowd.ts`. */
  mostProcesses?: number;
  /**
   * The same launch, contained. Rejects with a `TauError` of code `process` when it cannot be contained: then it must not
   * run at all.
   */
  wrap(launch: Launch, policy: SandboxPolicy, report?: Report): Promise<ContainedLaunch>;
  /** Removes what it keeps on the disk. Commands have ended before. */
  close(): Promise<void>;
}

/** A program about to be started. */
export interface Launch {
  program: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** It runs beside other work: what comes to be meanwhile need not be its doing. */
  background?: boolean;
  /** It is given something to read. */
  input?: boolean;
}

export interface ContainedLaunch extends Launch {
  /** What it reads where it is given nothing, an open descriptor of tau's, which `release` closes. */
  nothing?: number;
  /** What the program gets as descriptors 3, 4 and so on: open ones of tau's, which `release` closes, new pipes, nothing. */
  descriptors: readonly ('pipe' | 'ignore' | number)[];
  /** It is started already: hands it the command. */
  begun?(): ChildProcess;
  /** Stands before the command when its shell reads it. */
  before?: string;
  /** Called when the program is started, with the pipe of each descriptor that is one. */
  started(pipes: readonly (Readable | undefined)[]): void;
  /**
   * The first process of the namespace that the command's processes are in, as soon as it is known; it is in a process
   * group of its own, and all end with it. Undefined for good where there are no such namespaces.
   */
  first(): number | undefined;
  /** Called once, when the program has ended or could not be started; waits until everyone inside is gone. */
  release(): Promise<Outcome>;
}

interface Outcome {
  /** False: the sandbox could not be made, and the command never ran. */
  began: boolean;
  /** The command left processes behind, which ended with it. Only a witness sees that. */
  left: boolean;
}

export type Report = (violation: Violation) => void;

/** Something the sandbox refused, as the sandbox itself saw it. */
export type Violation =
  /** `happened`: it could not be refused; `aside` is where it was moved, if it could be. */
  | { what: 'write' | 'read'; path: string; happened?: true; aside?: string }
  /** A system call. */
  | { what: 'call'; call: string }
  /** Past the proxy: an address, or the path of a socket, which has no port. `nobody`: it was on loopback, where nobody listened. */
  | { what: 'connect'; host: string; port?: number; nobody?: true };

/**
 * What one command may do. All paths are absolute and real: symlinks followed, and for what does not exist those of the
 * nearest existing ancestor. Where lists disagree the longest path wins; of equal ones the stricter.
 */
export interface SandboxPolicy {
  /** Files and folders that may be changed, with all that is in them. None: nothing but the private temp is writable. */
  writable: readonly string[];
  /**
   * Inside of what is writable, and stays as it is: also what does not exist yet, and nobody sees a trace of it later.
   * Of what does not exist, folders such as `.git` are kept by a mount, other names by the witness; what gets past it is
   * put aside and told at the end.
   */
  readOnly: readonly string[];
  /** Not to be read, listed or changed: keys and passwords. What does not exist costs nothing. */
  unreadable: readonly string[];
  /** May be read although a hidden place (the temporary folders, `/run`) covers it. What does not exist is left out. */
  shown?: readonly string[];
  /** `session`: one private folder for all commands of this sandbox. `fresh`: an empty one, in memory, for this one. */
  temp?: 'session' | 'fresh';
  /** `none`: a network of its own, with nobody in it. `host`: that of the machine. */
  network: 'none' | 'host' | NetworkPlace;
  /** Added last, after secrets were taken out of the environment. */
  env?: Readonly<Record<string, string>>;
  /** Look on and report which files it tried to change or read in vain. Costs milliseconds: not for what only reads. */
  witness?: boolean;
}

/** A network that commands share, and how to get into it. */
export interface NetworkPlace {
  /** In front of the sandbox program, which then makes no network of its own: `nsenter -U -n -t 17 …`. */
  prefix: readonly string[];
  /** Added to the environment: where the proxy listens. */
  env: Readonly<Record<string, string>>;
  /** Where the proxy listens on this machine, for a sandbox that is not a place of its own and lets out to a port. */
  port?: number;
  /** Bound read-only into the sandbox: sockets. */
  binds: readonly { from: string; to: string }[];
}
