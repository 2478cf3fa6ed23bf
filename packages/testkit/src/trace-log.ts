/** What a log of system calls says that each of many command lines did. Attempts count: a refused write is still one. */
import { basename, resolve } from 'node:path/posix';

/** What one command line did, by the calls it made. */
export interface Trace {
  /** The programs that were started, as paths, in order. The shell that runs the line is the first. */
  started: string[];
  /** What it tried to change, as `call path`. */
  writes: string[];
  /** What it opened to read, where that really is. */
  reads: string[];
  /** Sockets that lead out of the machine, or to a process that listens on it. */
  connections: string[];
  /** Processes it sent a signal to, or tried to. */
  signals: string[];
}

interface Call {
  pid: number;
  name: string;
  args: string;
  result: string;
}

const forks: ReadonlySet<string> = new Set(['clone', 'clone3', 'fork', 'vfork']);
const opens: ReadonlySet<string> = new Set(['open', 'openat', 'openat2', 'creat']);
const lists: ReadonlySet<string> = new Set(['getdents', 'getdents64']);
const starts: ReadonlySet<string> = new Set(['execve', 'execveat']);
const sockets: ReadonlySet<string> = new Set(['socket', 'connect', 'bind']);
const signals: ReadonlySet<string> = new Set(['kill', 'tkill', 'tgkill', 'pidfd_send_signal']);

/** The calls that are logged. Whatever else is in the log was a change. */
export const tracedCalls: readonly string[] = [
  ...[...forks, ...opens, ...lists, ...starts, ...sockets, ...signals],
  ...'unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat'.split(' '),
  ...'chmod fchmod fchmodat chown fchown lchown fchownat truncate ftruncate fallocate'.split(' '),
  ...'utime utimes futimesat utimensat mknod mknodat setxattr lsetxattr fsetxattr'.split(' '),
  ...'removexattr lremovexattr fremovexattr mount umount2 move_mount pivot_root chroot'.split(' '),
  ...'sethostname setdomainname clock_settime settimeofday adjtimex clock_adjtime reboot'.split(' '),
  ...'swapon swapoff init_module finit_module delete_module ptrace process_vm_writev bpf'.split(' '),
  ...'shmget msgget semget mq_open io_uring_setup keyctl add_key'.split(' '),
];

/**
 * `log` is of one process that started a child for each line, one after the other; what a child started belongs to its
 * line. Gives as many traces as there were children.
 */
export function readTraces(log: string): Trace[] {
  const calls = readCalls(log);
  const driver = calls[0]?.pid;
  const parents = new Map<number, number>();
  const lines = new Map<number, Trace>();
  const traces: Trace[] = [];
  for (const { pid, name, result } of calls) {
    const child = forks.has(name) ? Number.parseInt(result, 10) : Number.NaN;
    if (!(child > 0)) continue;
    parents.set(child, pid);
    if (pid !== driver) continue;
    const trace: Trace = { started: [], writes: [], reads: [], connections: [], signals: [] };
    lines.set(child, trace);
    traces.push(trace);
  }
  const traceOf = (pid: number): Trace | undefined => {
    for (let at: number | undefined = pid; at !== undefined && at !== driver; at = parents.get(at)) {
      const trace = lines.get(at);
      if (trace) return trace;
    }
    return undefined;
  };
  for (const call of calls) {
    if (call.pid === driver || forks.has(call.name)) continue;
    const trace = traceOf(call.pid);
    if (!trace) throw new Error(`nobody started the process ${call.pid} of the log`);
    // The first process of a line is its time limit, which has to end it somehow; others may end themselves.
    if (signals.has(call.name) && (lines.has(call.pid) || call.args.startsWith(`${call.pid},`))) continue;
    note(call, trace);
  }
  return traces;
}

function note({ name, args, result }: Call, trace: Trace): void {
  const failed = result.startsWith('-1');
  if (starts.has(name)) {
    if (!failed) trace.started.push(pathIn(args));
  } else if (opens.has(name)) {
    noteOpen(name, args, result, trace);
  } else if (lists.has(name)) {
    trace.reads.push(pathIn(args));
  } else if (sockets.has(name)) {
    if (!isLookup(name, args)) trace.connections.push(`${name} ${args}`);
  } else if (signals.has(name)) {
    trace.signals.push(`${name} ${args}`);
  } else if (!changesNothing(name, args)) {
    trace.writes.push(`${name} ${pathIn(args) || args}`);
  }
}

function noteOpen(name: string, args: string, result: string, trace: Trace): void {
  const opened = /^\d+<(.*)>(?:\(deleted\))?$/s.exec(result)?.[1];
  const path = opened === undefined ? pathIn(args) : unquoted(opened);
  const writes = name === 'creat' || /\bO_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE|APPEND)\b/.test(flagsOf(args));
  if (writes && !isNowhere(path)) trace.writes.push(`${name} ${path}`);
  // A folder is read when its names are: `find` opens the one it is in to come back to it.
  const isFolder = /^[^"]*"\.",/.test(args) || /\bO_DIRECTORY\b/.test(flagsOf(args));
  const reads = opened !== undefined && !isFolder;
  if (!writes && reads && !isNowhere(path)) trace.reads.push(path);
}

/** Behind the path, which may look like flags itself. */
function flagsOf(args: string): string {
  return args.slice(args.lastIndexOf('"'));
}

/** Where nothing stays: the null device, a terminal, and what the process was handed as its outputs. */
function isNowhere(path: string): boolean {
  return /^(\/dev\/(null|tty|stdin|stdout|stderr|fd\/\d+)|\/proc\/(self|\d+)\/fd\/\d+|pipe:\[\d+\])$/.test(path);
}

/** Asking the machine's own cache who a user is; a socket of that kind alone reaches nobody. */
function isLookup(name: string, args: string): boolean {
  if (name === 'socket') return args.startsWith('AF_UNIX');
  return name === 'connect' && args.includes('sun_path="/var/run/nscd/socket"');
}

/** Some calls only ask when they are given nothing, and a device has no end to be cut off. */
function changesNothing(name: string, args: string): boolean {
  if (name === 'ftruncate') return isNowhere(pathIn(args));
  return (name === 'adjtimex' || name === 'clock_adjtime') && args.includes('modes=0,');
}

/** The first path among the arguments, made absolute by the folder before it. */
function pathIn(args: string): string {
  const [, folder, quoted] = /^(?:[^"<]*<((?:[^<>])*)>)?[^"]*(?:"((?:[^"\\]|\\.)*)")?/s.exec(args) ?? [];
  const base = folder === undefined ? '' : unquoted(folder);
  return quoted === undefined ? base : resolve(base === '' ? '/' : base, unquoted(quoted));
}

const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };

function unquoted(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of text.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...Buffer.from(plain ?? letters[letter ?? ''] ?? letter ?? ''));
  }
  return Buffer.from(bytes).toString();
}

/** The calls of a log in order; one that others interrupted is put together again, where it began. */
function readCalls(log: string): Call[] {
  const calls: Call[] = [];
  const begun = new Map<number, { text: string; at: number }>();
  for (const line of log.split('\n')) {
    const [, id, rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    if (id === undefined) continue;
    const pid = Number(id);
    // It was killed at the very door of a call, and never came back.
    if (/^(<\.\.\. \?\?\? resumed>|\?\?\?\()/.test(rest)) continue;
    const cut = /^(.*?)(?: <unfinished \.\.\.>)$/s.exec(rest)?.[1];
    if (cut !== undefined) {
      begun.set(pid, { text: cut, at: calls.length });
      calls.push({ pid, ...readCall(`${cut}) = ?`) });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest)?.[1];
    const first = resumed === undefined ? undefined : begun.get(pid);
    if (first) calls[first.at] = { pid, ...readCall(first.text + resumed) };
    else if (/^\w+\(/.test(rest)) calls.push({ pid, ...readCall(rest) });
    else if (!rest.startsWith('+++')) throw new Error(`the log holds a line that cannot be read: ${line}`);
  }
  return calls;
}

function readCall(text: string): Omit<Call, 'pid'> {
  const open = text.indexOf('(');
  const end = text.lastIndexOf(') ');
  const result = /^\)\s+= (.*)$/s.exec(text.slice(end))?.[1] ?? '?';
  return { name: text.slice(0, open), args: text.slice(open + 1, end), result };
}

/** The names of the programs a line started. */
export function startedNames({ started }: Trace): string[] {
  return [...new Set(started.map((path) => basename(path)))];
}
