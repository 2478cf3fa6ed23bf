import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse } from './conversation.ts';

test('a reader that goes away (| head -1) ends the run without a word', async () => {
  const { start, project } = await converse([
    calls(call('bash', { command: 'until [ -e go ]; do sleep 0.02; done; echo more' })),
    { hang: 'midStream' },
  ]);
  const run = start(['-p', 'go', '--output-format', 'stream-json', '--allow', 'bash']);
  await run.waitFor('tool_execution_start');
  run.child.stdout?.destroy();
  writeFileSync(join(project, 'go'), '');
  expect(await run.done).toMatchObject({ signal: null, stderr: '' });
});

test.each([[['--help']], [['--version']], [['-p', '-V']], [['-p', 'hi']], [['demo']]])(
  '%j with nobody to read its output ends without a stack trace',
  async (args) => {
    const { start } = await converse([{ blocks: [{ text: 'a long answer '.repeat(20_000) }], chunk: 50_000 }]);
    const run = start(args);
    run.child.stdout?.destroy();
    expect(await run.done).toMatchObject({ signal: null, stderr: '' });
  },
);

const binary = join(import.meta.dirname, '../bin/tau.cjs');

interface Raw {
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdout: number | 'pipe';
}

/** Runs a program with a stdout of the test's own, and gives what it said on stderr and its exit code. */
function raw(program: string, args: readonly string[], { cwd, env, stdout }: Raw): Promise<[string, number | null]> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', stdout, 'pipe'] });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve([stderr, code])));
}

test.each([[['--help']], [['-p', 'hi']]])('%j whose output cannot be written says so and fails', async (args) => {
  const { home, project } = await converse([{ blocks: [{ text: 'an answer' }] }]);
  // A disk that is full: every write to it fails.
  const full = openSync('/dev/full', 'w');
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, TAU_SANDBOX_ENABLED: 'false' };
  const [stderr, code] = await raw(process.execPath, [binary, ...args], { cwd: project, env, stdout: full });
  closeSync(full);
  expect(stderr).toMatch(/^tau: the output could not be written: ENOSPC/);
  expect(code).toBe(1);
});

test('a working folder that is gone is named as the trouble', async () => {
  const { home, project } = await converse([]);
  const gone = join(project, 'gone');
  mkdirSync(gone);
  const script = `cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${binary}' -p hi`;
  const env = { PATH: process.env.PATH, HOME: home };
  const [stderr, code] = await raw('/bin/bash', ['-c', script], { cwd: project, env, stdout: 'pipe' });
  expect(stderr).toBe('tau: The folder tau was started in is gone. Change to one that exists\n');
  expect(code).toBe(2);
});
