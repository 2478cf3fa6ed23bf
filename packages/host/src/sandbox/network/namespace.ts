/**
 * A network namespace for the commands of a session, with nothing in it but loopback and the proxy's door. A short-lived
 * child makes it, listens there and hands the listening socket to tau; tau keeps the namespace by its descriptors. So
 * no process and no socket file stays, nobody has to carry bytes, and all of it is gone when tau is, whatever ended it.
 */
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { TauError } from '@tau/core';
import { later } from '../../local/later.ts';

export interface Namespace {
  /** In front of a program that is to run in it. */
  prefix: readonly string[];
  /** Listens on loopback inside. */
  server: Server;
  port: number;
  close(): void;
}

export interface NamespacePrograms {
  bwrap: string;
  nsenter: string;
}

const patienceMs = 10_000;
/** It takes a twentieth of a second; on a machine that hardly moves, some. */
const handOverMs = 5000;
const leaveMs = 1000;
const attempts = 2;
const maxComplaint = 2000;

/** What the child runs, by Node. It ends when tau has what it made, or is gone. */
const script = `
const server = require('node:net').createServer();
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ pid: process.pid, port: server.address().port }, server));
`;

/** Rejects with a `TauError` of code `process` when the system does not allow it, and does not at the second attempt. */
export async function openNamespace(programs: NamespacePrograms): Promise<Namespace> {
  let cause: unknown;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      return await make(programs);
    } catch (error) {
      cause = error;
    }
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new TauError('process', `The network of the sandbox cannot be made: ${why}`, {
    remedy: 'Run "tau doctor" to see what is missing; commands can run without any network.',
    cause,
  });
}

async function make(programs: NamespacePrograms): Promise<Namespace> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  // No `--dev` and no process namespace: the network must belong to the user namespace of the child itself, whose
  // process id is needed here.
  const own = ['--unshare-user-try', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/'];
  const library = process.env.LD_LIBRARY_PATH;
  const child = spawn(programs.bwrap, [...own, '--', process.execPath, '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: library === undefined ? {} : { LD_LIBRARY_PATH: library },
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    const made = await handedOver(child);
    const namespace = keep(made, programs);
    // While it lives, it could take a connection that is meant for tau.
    if (child.connected) child.disconnect();
    const stubborn = setTimeout(() => child.kill('SIGKILL'), leaveMs);
    await gone;
    clearTimeout(stubborn);
    try {
      await tryOut(namespace, programs);
    } catch (error) {
      namespace.close();
      throw error;
    }
    return namespace;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

interface Made {
  pid: number;
  port: number;
  server: Server;
}

function handedOver(child: ChildProcess): Promise<Made> {
  const { Server: NetServer } = process.getBuiltinModule('node:net');
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(0, maxComplaint);
  });
  return new Promise((resolve, reject) => {
    const timer = later(handOverMs, () => reject(new Error('it took too long')));
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      reject(new Error(complaint.trim() || 'the program that makes it ended'));
    });
    child.once('message', (message, server) => {
      clearTimeout(timer);
      const told = readMessage(message);
      if (told && server instanceof NetServer) resolve({ ...told, server });
      else reject(new Error('the program that makes it said something else'));
    });
  });
}

function readMessage(message: unknown): { pid: number; port: number } | undefined {
  if (typeof message !== 'object' || message === null || !('pid' in message) || !('port' in message)) return undefined;
  const { pid, port } = message;
  return typeof pid === 'number' && typeof port === 'number' ? { pid, port } : undefined;
}

/** While the child lives: its namespaces are opened here, and last as long as they are open. */
function keep({ pid, port, server }: Made, { nsenter }: NamespacePrograms): Namespace {
  const open: number[] = [];
  const enter = (kind: 'user' | 'net') => {
    const path = `/proc/${pid}/ns/${kind}`;
    if (readlinkSync(path) === readlinkSync(`/proc/self/ns/${kind}`)) {
      if (kind === 'user') return [];
      throw new Error('it is not separate from the network of the machine');
    }
    const descriptor = openSync(path, 'r');
    open.push(descriptor);
    return [`--${kind}=/proc/${process.pid}/fd/${descriptor}`];
  };
  server.unref();
  const close = () => {
    server.close();
    for (const descriptor of open.splice(0)) closeSync(descriptor);
  };
  try {
    const prefix = [nsenter, ...enter('user'), ...enter('net'), '--preserve-credentials', '--'];
    return { prefix, server, port, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Not everybody who can make such a namespace can enter it. */
async function tryOut({ prefix }: Namespace, { bwrap }: NamespacePrograms): Promise<void> {
  const [program = '', ...args] = prefix;
  const { execFile } = process.getBuiltinModule('node:child_process');
  await new Promise<void>((resolve, reject) => {
    execFile(program, [...args, bwrap, '--version'], { timeout: patienceMs, env: {} }, (error, _, complaint) => {
      if (error) reject(new Error(complaint.trim().slice(0, maxComplaint) || error.message));
      else resolve();
    });
  });
}
