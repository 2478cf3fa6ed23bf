/** What a machine can do for a tool. Every target (this machine first, others later) offers the same interface. */

export interface Host {
  files: Files;
  processes: Processes;
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
   * and the rest appended. Never throws for what is missing or cannot be followed.
   */
  resolve(path: string): Promise<string>;
  /** Undefined when there is nothing at the path. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The names in a folder, sorted. */
  names(path: string): Promise<string[]>;
  /** The whole of a regular file. */
  read(path: string): Promise<Buffer>;
  /**
   * Replaces the whole file at once or not at all: a failure leaves the old content and no temporary file. Makes
   * parent folders, keeps an existing file's mode and writes through a symlink to its target.
   */
  write(path: string, content: string | Uint8Array): Promise<{ created: boolean; bytes: number }>;
}

export interface Processes {
  /** Runs a shell command to its end. Rejects with a `TauError` of code `process` when no shell could be started. */
  run(request: ProcessRequest): Promise<ProcessResult>;
}

export interface ProcessRequest {
  command: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Standard output and standard error in the order they were written, as text. */
  onOutput(chunk: string): void;
}

export interface ProcessResult {
  /** Null when a signal ended the shell. */
  exitCode: number | null;
  killedBy?: 'timeout' | 'abort';
  signal?: string;
  durationMs: number;
}
