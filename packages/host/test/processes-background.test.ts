import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Host, localHost, type Running } from '../src/index.ts';
import { liveGroups } from '../src/local/groups.ts';
import { holdTimers } from './held-timers.ts';
import { bundleScript } from './script.ts';

let cwd: string;
let host: Host;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'tau-host-')));
  host = localHost({ cwd });
});
afterEach(async () => {
  await host.processes.end();
  await rm(cwd, { recursive: true, force: true });
});

async function start(command: string): Promise<Running & { output(): string }> {
  let output = '';
  const running = await host.processes.start({
    command,
    onOutput(chunk) {
      output += chunk;
    },
  });
  return { ...running, output: () => output };
}

async function run(command: string, on = host) {
  let output = '';
  const onOutput = (chunk: string) => {
    output += chunk;
  };
  const request = { command, timeoutMs: 20_000, signal: new AbortController().signal, onOutput };
  return { ...(await on.processes.run(request)), output };
}

/** A zombie that nobody has reaped yet is dead all the same. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return !state.trim().startsWith('Z');
  } catch {
    return false;
  }
}

async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
}

function pidsIn(file: string, count: number): Promise<number[]> {
  return vi.waitFor(
    async () => {
      const pids = (await readFile(join(cwd, file), 'utf8')).split('\n').filter(Boolean).map(Number);
      if (pids.length < count) throw new Error(`only ${pids.length} of ${count} have started`);
      return pids;
    },
    { timeout: 20_000 },
  );
}

test('a started command goes on by itself, and its output and its end are told', async () => {
  const job = await start('echo one; while [ ! -e go ]; do sleep 0.02; done; echo two >&2; exit 4');
  await expect.poll(() => job.output()).toBe('one\n');
  await writeFile(join(cwd, 'go'), '');
  expect(await job.ended).toMatchObject({ exitCode: 4 });
  expect(job.output()).toBe('one\ntwo\n');
});

test('a started command that waits for its children waits for no others, and sees no pipe of tau', async () => {
  const job = await start('true & wait; ls /proc/self/fd | wc -l; sh -c "read -r x <&3" 2>/dev/null || echo closed');
  expect(await job.ended).toMatchObject({ exitCode: 0 });
  const { output } = await run('ls /proc/self/fd | wc -l');
  expect(job.output()).toBe(`${output}closed\n`);
});

test('a started command that cannot be parsed is quoted as it was written', async () => {
  const job = await start('if then');
  expect((await job.ended).exitCode).not.toBe(0);
  expect(job.output()).toContain('if then');
  expect(job.output()).not.toMatch(/exec|trap/);
});

test('no guard is left behind when a started command has ended', async () => {
  const job = await start('echo $$');
  const ended = await job.ended;
  expect(ended.left).toBeUndefined();
  const group = () => {
    const everyone = execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' }).split('\n');
    const found = everyone.map((line) => line.trim().split(/ +/)).filter(([pgid]) => pgid === job.output().trim());
    return found.filter(([, state]) => !state?.startsWith('Z'));
  };
  // It closes its line and is there for a moment more.
  await expect.poll(group).toEqual([]);
});

test('kill ends the shell, its children and those that ignore SIGTERM, and waits for it', async () => {
  const job = await start(
    `bash -c "trap '' TERM; echo \\$\\$ >> pids; while :; do sleep 0.1; done" & echo $$ >> pids; wait`,
  );
  const pids = await pidsIn('pids', 2);
  await job.kill();
  expect(await job.ended).toMatchObject({ exitCode: null, killedBy: 'abort' });
  await expectGone(pids);
});

test('what a started command put into the background is part of it as long as it holds the output', async () => {
  const job = await start('(while [ ! -e go ]; do sleep 0.02; done; echo late) & echo $! > pids; exit 5');
  const pids = await pidsIn('pids', 1);
  await writeFile(join(cwd, 'go'), '');
  expect(await job.ended).toMatchObject({ exitCode: 5 });
  expect(job.output()).toBe('late\n');
  await expectGone(pids);
});

test('kill reaches what a started command put into the background after its shell has gone', async () => {
  const job = await start('sleep 300 & echo $! > pids');
  const pids = await pidsIn('pids', 1);
  await job.kill();
  expect(await job.ended).toMatchObject({ killedBy: 'abort' });
  await expectGone(pids);
});

test('kill comes to an end although a process left the group and holds the output', async () => {
  const job = await start('setsid sleep 300 & echo $! > pids; echo $$ >> pids; sleep 300');
  const [daemon = 0, shell = 0] = await pidsIn('pids', 2);
  onTestFinished(() => void process.kill(daemon, 'SIGKILL'));
  await expect.poll(() => isRunning(daemon)).toBe(true);
  await job.kill();
  await expectGone([shell]);
});

test('what a finished command left in the background is reported, can go on writing, and ends with the host', async () => {
  const { left, output, exitCode } = await run(
    '(while [ ! -e go ]; do sleep 0.02; done; echo lost; echo lost; echo alive > sign; sleep 300) & echo $!; echo $$',
  );
  const [child = 0, group = 0] = output.split('\n').map(Number);
  expect(exitCode).toBe(0);
  expect(left).toEqual({ group, killed: false });
  await writeFile(join(cwd, 'go'), '');
  await expect.poll(() => readFile(join(cwd, 'sign'), 'utf8')).toBe('alive\n');
  expect(isRunning(child)).toBe(true);
  await host.processes.end();
  await expectGone([child]);
});

test('a command that left nobody behind says nothing, even if a child outlived its shell by a moment', async () => {
  // The moment is as long as it takes here: until nobody holds the output.
  holdTimers(50);
  expect((await run('echo a > >(cat)')).left).toBeUndefined();
  expect((await run('sleep 0.01 & echo a')).left).toBeUndefined();
});

test('those left behind are remembered up to a limit, and one more is killed', async () => {
  const groups = liveGroups(1);
  const children = [0, 1].map(() => {
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  });
  const [first = 0, second = 0] = children.map(({ pid }) => pid);
  for (const group of [first, second]) groups.add(group);
  expect(groups.leave(first)).toEqual({ group: first, killed: false });
  expect(groups.leave(second)).toEqual({ group: second, killed: true });
  await expectGone([second]);
  expect(isRunning(first)).toBe(true);
  const before = process.listenerCount('exit');
  await groups.end();
  await expectGone([first]);
  expect(process.listenerCount('exit')).toBe(before - 1);
});

test('ending the host ends started commands too, those that ignore SIGTERM included', async () => {
  const job = await start("trap '' TERM; echo $$ >> pids; while :; do sleep 0.1; done");
  const pids = await pidsIn('pids', 1);
  await host.processes.end();
  await expectGone(pids);
  expect(await job.ended).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
});

test('a started command does not keep its owner alive, and ends with it', async () => {
  const owner = await bundleScript(
    cwd,
    `await host.processes.start({ command: 'echo $$ >> pids; sleep 300 & echo $! >> pids; wait', onOutput() {} });
     const signal = new AbortController().signal;
     const both = 'until [ -e pids ] && [ "$(wc -l < pids)" = 2 ]; do sleep 0.02; done';
     await host.processes.run({ command: both, timeoutMs: 20000, signal, onOutput() {} });
     await host.processes.run({ command: 'sleep 300 & echo $! >> pids', timeoutMs: 20000, signal, onOutput() {} });`,
  );
  execFileSync(process.execPath, [owner], { stdio: 'pipe', timeout: 25_000 });
  await expectGone(await pidsIn('pids', 3));
});

test('a started command ends when its owner is killed with SIGKILL', async () => {
  const owner = await bundleScript(
    cwd,
    `await host.processes.start({ command: "trap '' TERM; echo $$ >> pids; sleep 300 & echo $! >> pids; wait", onOutput() {} });
     setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, [owner], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pids = await pidsIn('pids', 2);
  child.kill('SIGKILL');
  await expectGone(pids);
});

test('a prefix runs before every command, on its first line', async () => {
  const prefixed = localHost({ cwd, commandPrefix: 'greet() { echo hello "$1"; }' });
  expect(await run('greet "$LINENO"\ngreet "$LINENO"', prefixed)).toMatchObject({ output: 'hello 1\nhello 2\n' });
  const joined = localHost({ cwd, commandPrefix: 'test -e missing ||' });
  expect(await run('echo made', joined)).toMatchObject({ output: 'made\n' });
  const { output } = await run('if then', prefixed);
  expect(output).toContain('if then');
  expect(output).not.toContain('greet');
});

test('additions to the environment reach every command and win', async () => {
  const env = { PATH: process.env.PATH, MINE: 'no' };
  const added = localHost({ cwd, env, commandEnv: { MINE: 'yes', PAGER: 'less' } });
  expect(await run('echo $MINE $PAGER $TERM', added)).toMatchObject({ output: 'yes less dumb\n' });
});

test('the user chooses the shell, by path or by name', async () => {
  for (const shell of ['/bin/sh', 'sh']) {
    const chosen = localHost({ cwd, shell });
    const output = expect.stringMatching(/\/sh -c/);
    expect(await run('ps -o args= -p $$; true', chosen)).toMatchObject({ output });
  }
  const job = await localHost({ cwd, shell: '/bin/sh' }).processes.start({ command: 'exit 3', onOutput() {} });
  expect(await job.ended).toMatchObject({ exitCode: 3 });
});

test('a shell that is missing, no program or supplied by the project is refused', async () => {
  await writeFile(join(cwd, 'zsh'), '#!/bin/sh\necho fooled\n', { mode: 0o755 });
  for (const [shell, why] of [
    ['no-such-shell', 'there is no such program'],
    ['./zsh', 'there is no such program'],
    ['/etc', 'it is no program'],
    [join(cwd, 'zsh'), 'the project supplies it'],
  ] as const) {
    const error = await run('true', localHost({ cwd, shell })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'configuration', message: `The shell ${shell} cannot be used: ${why}` });
  }
});
