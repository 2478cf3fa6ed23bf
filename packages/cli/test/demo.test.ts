import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareSandbox } from './conversation.ts';

const cli = join(import.meta.dirname, '..');

/** Loaded before tau: writes a line for every connection anyone opens. */
const tripwire = `
const { Socket } = require('node:net');
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  require('node:fs').appendFileSync(process.env.TRIPWIRE, 'connected\\n');
  return connect.apply(this, args);
};
`;

test('the demo repairs a real project, shows it, and touches nothing of the user and no network', async () => {
  const { tau, write, home, tauHome, project } = bareSandbox({ settings: { permissionMode: 'yolo' } });
  write('tripwire.cjs', tripwire);
  const trace = join(project, 'trace.txt');
  const env = { NODE_OPTIONS: `--require ${join(project, 'tripwire.cjs')}`, TRIPWIRE: trace };
  const run = await tau(['demo'], { env });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^ +-\s+const sorted = \[\.\.\.values\]\.sort\(\);$/m);
  expect(run.stdout).toMatch(/^ +\+\s+const sorted = \[\.\.\.values\]\.sort\(\(a, b\) => a - b\);$/m);
  expect(run.stdout).toMatch(/run once more by this demo: pass$/m);
  expect(run.stdout).toContain('Only the model was a recording');
  expect(run.stdout).not.toContain('\u001b');
  expect(existsSync(trace)).toBe(false);
  expect(readdirSync(home)).toEqual(['.tau']);
  expect(readdirSync(tauHome)).toEqual(['settings.json']);

  const made = run.stdout.match(/git project with a failing test is in (\S+)\./)?.[1] ?? '';
  expect(readFileSync(join(made, 'src/median.js'), 'utf8')).toContain('sort((a, b) => a - b)');
  expect(existsSync(join(made, '.git'))).toBe(true);
});

test('the tripwire of the test above does see a connection', async () => {
  const { tau, write, project, read } = bareSandbox({ settings: { retry: { retries: 0 } } });
  write('tripwire.cjs', tripwire);
  const env = { NODE_OPTIONS: `--require ${join(project, 'tripwire.cjs')}`, TRIPWIRE: join(project, 'trace.txt') };
  await tau(['-p', 'hi', '--model', 'ollama/x', '--base-url', 'http://127.0.0.1:1'], { env });
  expect(read('trace.txt')).toBe('connected\n');
});

test('the demo works where there are keys, and they do not matter', async () => {
  const env = { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'y', CI: '1', NODE_TEST_CONTEXT: 'child-v8' };
  expect((await bareSandbox().tau(['demo'], { env })).code).toBe(0);
});

test('a demo whose model does not repair the project fails', async () => {
  const { project, home } = bareSandbox();
  const copy = join(project, 'cli');
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(cli, name), join(copy, name), { recursive: true });
  const recording = join(copy, 'dist/demo/recording.jsonl');
  const text = readFileSync(recording, 'utf8');
  const worse = text.replace('a - b', 'b - b');
  expect(worse).not.toBe(text);
  writeFileSync(recording, worse);
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: project, TAU_SANDBOX_ENABLED: 'false' };
    execFile(process.execPath, [join(copy, 'bin/tau.cjs'), 'demo'], { cwd: project, env }, (error, output) =>
      resolve({ code: error?.code ?? 0, stdout: output }),
    );
  });
  expect(stdout).toMatch(/run once more by this demo: fail$/m);
  expect(code).toBe(1);
});
