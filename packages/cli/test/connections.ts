/** Runs the built command under strace and says whom it, and whatever it started, talked to. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Sandbox, ScriptedModel } from '@tau/testkit';
import { onTestFinished } from 'vitest';

const binary = join(import.meta.dirname, '../bin/tau.cjs');

export interface TracedRun {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Everybody who was called, as `address:port`, or the path of a socket; and sockets of kinds that nobody expects. */
  reached: string[];
  /** Every program that was started or tried: its path as it was asked for, and its words and environment as strace has them. */
  started: StartedProgram[];
}

interface StartedProgram {
  path: string;
  rest: string;
}

interface TracedOptions {
  env?: Record<string, string>;
  /** In a terminal of its own: what is typed, each when this is shown behind what was waited for before. */
  typed?: readonly { after: string; keys: string }[];
}

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

export async function traced(
  { home, project }: Pick<Sandbox, 'home' | 'project'>,
  args: readonly string[],
  { env = {}, typed }: TracedOptions = {},
): Promise<TracedRun> {
  const log = join(mkdtempSync(join(home, 'trace-')), 'log');
  const options = ['-f', '-qq', '-v', '-s', '4096', '-e', 'signal=none', '-e', 'trace=network,execve', '-o', log];
  const words = ['strace', ...options, process.execPath, binary, ...args];
  const inTerminal = ['script', '-q', '-e', '-f', '-c', words.map(quote).join(' '), `${log}.screen`];
  const [program = '', ...rest] = typed ? inTerminal : words;
  const child = spawn(program, rest, {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      TMPDIR: join(dirname(home), 'tmp'),
      TAU_SANDBOX_ENABLED: 'false',
      TAU_PLAIN: '1',
      ...env,
    },
    stdio: [typed ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const waiting = [...(typed ?? [])];
  let seen = 0;
  child.stdout?.on('data', () => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const at = output.stdout.indexOf(next.after, seen);
      if (at < 0) return;
      seen = at + next.after.length;
      child.stdin?.write(next.keys);
      waiting.shift();
    }
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`strace and script are needed: ${cause.message}`, { cause })));
    child.once('close', (ended) => {
      child.stdin?.destroy();
      resolve(ended);
    });
  });
  const calls = existsSync(log) ? readFileSync(log, 'utf8') : '';
  // Nothing that is not watched passes for quiet.
  if (!calls.includes(`execve("${process.execPath}"`)) throw new Error(`nothing was traced: ${output.stderr}`);
  return { code, ...output, reached: reachedIn(calls), started: startedIn(calls) };
}

function startedIn(log: string): StartedProgram[] {
  return [...log.matchAll(/^(?:\d+ +)?execve\w*\((?:[^",]+, )?"((?:[^"\\]|\\.)*)", (.*)$/gm)].map(
    ([, path = '', rest = '']) => ({ path, rest }),
  );
}

/** Kinds of sockets that can be made without anybody being called; whom they call is told by the calls. */
const ordinary = /\bAF_(UNIX|INET|INET6)\b/;

export function reachedIn(log: string): string[] {
  const reached = new Set<string>();
  for (const line of log.split('\n')) {
    const [, name, rest = ''] = /^(?:\d+ +)?(\w+)\((.*)$/s.exec(line) ?? [];
    if (name === 'socket' && !ordinary.test(rest)) reached.add(`socket ${rest}`);
    if (name === undefined || !['connect', 'sendto', 'sendmsg', 'sendmmsg'].includes(name)) continue;
    const four = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/.exec(rest);
    const six = /sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"/.exec(rest);
    const path = /sun_path=(@?"[^"]*")/.exec(rest)?.[1];
    if (four) reached.add(`${four[2]}:${four[1]}`);
    else if (six) reached.add(`[${six[2]}]:${six[1]}`);
    else if (path !== undefined) reached.add(path);
    else if (name === 'connect') reached.add(`connect ${rest}`);
  }
  return [...reached];
}

/** Inside: the loopback interface and nothing else. The model is reached through a file, which no network is needed for. */
const driver = `
const { spawn } = require('node:child_process');
const { connect, createServer } = require('node:net');
const [binary, port, relay, ...args] = process.argv.slice(1);
const others = Object.keys(require('node:os').networkInterfaces()).filter((name) => name !== 'lo');
if (others.length > 0) throw new Error('the network is not closed: ' + others);
const server = createServer((inside) => {
  const outside = connect(relay);
  for (const one of [inside, outside]) one.on('error', () => { inside.destroy(); outside.destroy(); });
  inside.pipe(outside).pipe(inside);
});
server.listen(Number(port), '127.0.0.1', () => {
  spawn(process.execPath, [binary, ...args], { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
});
`;

/** The command where there is no way out: a network of its own, in which only the model listens. */
export async function inClosedNetwork(
  { home, project }: Pick<Sandbox, 'home' | 'project'>,
  model: ScriptedModel,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { port } = new URL(model.url);
  const relay = join(mkdtempSync(join(home, 'relay-')), 'socket');
  const server = createServer((inside) => {
    const outside = connect(Number(port), '127.0.0.1');
    const end = () => {
      inside.destroy();
      outside.destroy();
    };
    inside.on('error', end);
    outside.on('error', end);
    inside.pipe(outside).pipe(inside);
  });
  await new Promise<void>((resolve) => server.listen(relay, resolve));
  onTestFinished(() => void server.close());
  const rights = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const up = ['sh', '-c', 'PATH=$PATH:/usr/sbin:/sbin; ip link set lo up && exec "$@"', 'up'];
  const inside = [process.execPath, '-e', driver, '--', binary, port, relay, ...args];
  const child = spawn('unshare', ['--net', ...rights, ...up, ...inside], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      TMPDIR: join(dirname(home), 'tmp'),
      TAU_SANDBOX_ENABLED: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`unshare is needed: ${cause.message}`, { cause })));
    child.once('close', resolve);
  });
  return { code, ...output };
}
