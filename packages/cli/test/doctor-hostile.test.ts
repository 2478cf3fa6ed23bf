/** `tau doctor` where things are broken or hostile: it is made for that, and must not die of it. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bareSandbox } from './conversation.ts';
import { giveAway, hindered } from './faults.ts';
import { at, list, textAt } from './json.ts';
import { colours, inTerminal } from './terminal.ts';

const binary = join(import.meta.dirname, '../bin/tau.cjs');

const statusOf = (stdout: string, id: string) =>
  list(at(JSON.parse(stdout), 'checks'))
    .filter((one) => textAt(one, 'id') === id)
    .map((one) => textAt(one, 'status'));

test('in a folder that is gone it says so and looks at the rest', async () => {
  const { home, project } = bareSandbox();
  const folder = join(project, 'gone');
  mkdirSync(folder);
  const words = ['-c', 'rmdir "$PWD"; exec "$@"', 'tau', process.execPath, binary, 'doctor', '--json'];
  const child = spawn('/bin/bash', words, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, TAU_SANDBOX_ENABLED: 'false' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
  expect(statusOf(stdout, 'folder')).toEqual(['problem']);
  expect(statusOf(stdout, 'shell')).toEqual(['ok']);
  expect(statusOf(stdout, 'git')).toEqual(['ok']);
  expect(statusOf(stdout, 'disk.home')).toHaveLength(1);
});

test.each([
  ['without HOME', { HOME: '' }],
  ['with a HOME that is no path', { HOME: 'relative/home' }],
])('it works %s', async (_, env) => {
  const sandbox = bareSandbox();
  chmodSync(sandbox.tauHome, 0o700);
  const run = await sandbox.tau(['doctor', '--json'], { env: { ...env, TAU_HOME: sandbox.tauHome } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(statusOf(run.stdout, 'home')).toEqual(['ok']);
});

test('it works in a home where nothing is yet, and makes nothing', async () => {
  const sandbox = bareSandbox();
  rmSync(sandbox.tauHome, { recursive: true });
  const run = await sandbox.tau(['doctor', '--json']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(statusOf(run.stdout, 'home')).toEqual(['ok']);
  expect(run.stdout).toContain('made when it is first needed');
});

test.each([
  ['is a file', (path: string) => writeFileSync(path, ''), 'is no folder'],
  ['lies below a file', (path: string) => writeFileSync(join(path, '..'), ''), 'cannot be made'],
])('a TAU_HOME that %s is a problem', async (_, make, words) => {
  const sandbox = bareSandbox();
  const place = join(sandbox.home, 'moved');
  if (words === 'is no folder') mkdirSync(place);
  make(join(place, 'tau'));
  const run = await sandbox.tau(['doctor', '--json'], { env: { TAU_HOME: join(place, 'tau') } });
  expect(run.code).toBe(1);
  expect(statusOf(run.stdout, 'home')).toEqual(['problem']);
  expect(run.stdout).toContain(words);
});

test.each([
  ['cannot be written to', 0o500, 'cannot be written to'],
  ['cannot be looked into', 0o000, 'cannot be written to'],
])('a TAU_HOME that %s is a problem with a remedy', async (_, mode, words) => {
  const sandbox = bareSandbox();
  sandbox.write(join(sandbox.tauHome, 'settings.json'), '{}');
  giveAway(sandbox);
  chmodSync(sandbox.tauHome, mode);
  const run = await hindered(sandbox, ['doctor', '--json'], { unprivileged: true });
  expect(run).toMatchObject({ code: 1, stderr: '' });
  expect(statusOf(run.stdout, 'home')).toEqual(['problem']);
  expect(run.stdout).toContain(words);
  expect(run.stdout).toContain('chmod u+rwx');
});

test('a home that others may write to is a problem, and the path in the remedy can be copied', async () => {
  const sandbox = bareSandbox();
  const odd = join(sandbox.home, "it's $(touch here)");
  mkdirSync(odd);
  chmodSync(odd, 0o777);
  const run = await sandbox.tau(['doctor', '--json'], { env: { TAU_HOME: odd } });
  expect(run.code).toBe(1);
  const [home] = list(at(JSON.parse(run.stdout), 'checks')).filter((one) => textAt(one, 'id') === 'home');
  expect(textAt(home, 'remedy')).toBe(`chmod 700 '${sandbox.home}/it'\\''s $(touch here)'`);
});

test('a temp folder that is not there is a problem', async () => {
  const run = await bareSandbox().tau(['doctor', '--json'], { env: { TMPDIR: '/nowhere/at/all' } });
  expect(run.code).toBe(1);
  expect(statusOf(run.stdout, 'temp')).toEqual(['problem']);
});

const hostile = 'a\u001b]52;c;aGk=\u0007\u001b[2J\u202e\u009b31m\nok       Node.js';

test('what files and variables hold is shown, never obeyed, and makes no line of its own', async () => {
  const sandbox = bareSandbox({ git: true });
  sandbox.write(join(sandbox.tauHome, 'settings.json'), JSON.stringify({ [hostile]: 1 }));
  sandbox.write('.tau/settings.json', JSON.stringify({ [hostile]: 1, permissionMode: 'dangerously' }));
  sandbox.write(join(sandbox.tauHome, 'sessions/--x--/bad\u001b[2J.jsonl'), hostile);
  const env = { TERM: `xterm${hostile}`, NO_PROXY: hostile, HTTPS_PROXY: 'http://x.invalid' };
  const seen = await inTerminal(sandbox, ['doctor'], { env });
  expect(seen.code).toBe(0);
  // Our own colours are all that a terminal gets to obey.
  const plain = seen.screen.replaceAll(colours, '');
  expect(plain.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(plain.match(/^ok +Node\.js/gm)).toHaveLength(1);
  const json = await sandbox.tau(['doctor', '--json'], { env });
  expect(json.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(json.stdout).toContain('\\u001b');
});
