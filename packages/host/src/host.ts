/** What a machine can do for a tool. Every target (this machine first, others later) offers the same interface. */
import type { Report, SandboxPolicy } from './sandbox/sandbox.ts';
import type { Search } from './search/search.ts';
import type { Web } from './web/web.ts';

export interface Host {
  files: Files;
  processes: Processes;
  search: Search;
  web: Web;
}

export interface FileStat {
  kind: 'file' | 'directory' | 'other';
  size: number;
  /** When the content last changed, as exactly as the system tells. */
  mtimeMs: number;
}

/** Paths may be relative to the host's folder, or to home with `~/`. Failures are a `TauError` of code `file`. */
export interface Files {
  /**
   * Where a path really leads: symlinks followed, and for what does not exist the nearest existing ancestor resolved
   * and the rest appended. Never throws for what is missing or cannot be followed. Links in `/proc` are not followed.
   */
  resolve(path: string): Promise<string>;
  /** Undefined when there is nothing at the path. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The names in a folder, sorted. Of pinned files: in a folder that was judged, or that something judged is in. */
  names(path: string): Promise<string[]>;
  /** The whole of a regular file. */
  read(path: string): Promise<Buffer>;
  /** A regular file to read in parts. Whoever opens it closes it. */
  open(path: string): Promise<OpenFile>;
  /**
   * Replaces the whole file at once or not at all: a failure leaves the old content and no temporary file. Makes
   * parent folders, keeps an existing file's mode and writes through a symlink to its target.
   */
  write(path: string, content: string | Uint8Array): Promise<{ created: boolean; bytes: number }>;
  /** Gives a regular file another name, where nothing is yet. Makes parent folders; everything about the file is kept. */
  move(from: string, to: string): Promise<void>;
  /** Removes a regular file. A symlink is refused: it is not the file. */
  remove(path: string): Promise<void>;
  /**
   * The same files, but each path leads where it was judged to lead: what is opened is there and nowhere else, whatever
   * links somebody puts in the way. A path without such a place is not read or changed.
   */
  pinned(places: ReadonlyMap<string, string>): Files;
}

export interface OpenFile {
  /** What was opened, whatever is at the path by now. */
  stat: FileStat;
  /** Fills the buffer with what is at this position. Fewer bytes than it has room for: the file ends there. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

export interface Processes {
  /** Runs a shell command to its end. Rejects with a `TauError` of code `process` when no shell could be started. */
  run(request: ProcessRequest): Promise<ProcessResult>;
  /** Starts a shell command that goes on by itself; it does not keep tau alive, and dies with it. Rejects as `run`. */
  start(
    request: Pick<ProcessRequest, 'command' | 'readOnly' | 'onOutput' | 'contain' | 'onViolation'>,
  ): Promise<Running>;
  /** Ends whatever was started here and still runs, also what finished commands left behind. */
  end(): Promise<void>;
}

interface ProcessRequest {
  command: string;
  /** It is proved to only read: git in it runs nothing that a repository names, and writes nothing by the way. */
  readOnly?: boolean;
  timeoutMs: number;
  signal: AbortSignal;
  /** Standard output and standard error in the order they were written, as text. */
  onOutput(chunk: string): void;
  /** Takes standard error by itself; then `onOutput` gets standard output only. */
  onError?(chunk: string): void;
  /** What it can read. Without it there is nothing to read. */
  stdin?: string;
  /** Beside the usual environment. */
  env?: Readonly<Record<string, string>>;
  /**
   * Runs it in the host's sandbox, or not at all: it rejects with a `TauError` of code `process` when that cannot be.
   * What a contained command leaves behind ends with it.
   */
  contain?: SandboxPolicy;
  /** Told of what the sandbox refused a contained command, as far as the sandbox sees it. */
  onViolation?: Report;
}

/** A command under way. It has ended when its shell has, and nobody holds its output open any more. */
export interface Running {
  ended: Promise<ProcessResult>;
  /** Stops it and everything it started in its process group. Resolves when they are gone. */
  kill(): Promise<void>;
}

export interface ProcessResult {
  /** Null when a signal ended the shell. */
  exitCode: number | null;
  killedBy?: 'timeout' | 'abort';
  signal?: string;
  durationMs: number;
  /**
   * The process group in which something goes on after the shell; it ends with tau. `killed`: there were too many, or the
   * command was `contained`, and what is in a sandbox ends with its command.
   */
  left?: { group: number; killed: boolean; contained?: true };
}
