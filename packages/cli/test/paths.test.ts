/** Where the paths of a call may lead, through the built command. */
import { spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { calmDown } from './swapping.ts';

const textOf = (results: readonly { text: string }[]) => results.map(({ text }) => text);

test('--add-dir makes folders part of the project, however often it is given', async () => {
  const step = calls(
    call('write', { path: '../one/a.txt', content: 'a' }),
    call('write', { path: '~/two/b.txt', content: 'b' }),
    call('write', { path: '../three/c.txt', content: 'c' }),
    call('read', { path: '../one/there.txt' }),
  );
  const { tau, model, project, home, write } = await converse([step, says('done')]);
  for (const folder of [join(project, '../one'), join(home, 'two'), join(project, '../three')]) {
    write(join(folder, 'there.txt'), 'there');
  }
  const run = await tau(['-p', 'go', '--permission-mode', 'acceptEdits', '--add-dir', '../one', '--add-dir=~/two']);
  expect(run).toMatchObject({ code: 3, stdout: 'done\n' });
  const [one, two, three, there] = textOf(resultsIn(request(model, 1)));
  expect([one, two]).toEqual(['Created ../one/a.txt (1 bytes)', 'Created ~/two/b.txt (1 bytes)']);
  expect(three).toMatch(/outside the project/);
  expect(there).toContain('there');
  expect(readFileSync(join(home, 'two/b.txt'), 'utf8')).toBe('b');
  expect(existsSync(join(project, '../three/c.txt'))).toBe(false);
});

test.each([
  ['nowhere', 'there is no such folder'],
  ['file.txt', 'it is no folder'],
])('--add-dir %s is an error, and nothing is asked of a model', async (folder, why) => {
  const { tau, model, write } = await converse([says('done')]);
  write('file.txt', 'x');
  const run = await tau(['-p', 'go', '--add-dir', folder]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(`The folder ${folder} cannot be added: ${why}`);
  expect(model.requests).toHaveLength(0);
});

test('a folder in the settings that is not there is told, and one of a project does not count', async () => {
  const step = calls(call('write', { path: '~/notes/a.txt', content: 'a' }));
  const { tau, write, home, tauHome } = await converse([step, says('done')]);
  write(join(home, 'notes/there.txt'), '');
  write('.tau/settings.json', JSON.stringify({ additionalDirectories: ['~/notes'] }));
  const settings = join(tauHome, 'settings.json');
  const before: unknown = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ ...Object(before), additionalDirectories: ['~/elsewhere'] }));
  const run = await tau(['-p', 'go', '--permission-mode', 'acceptEdits']);
  expect(run.code).toBe(3);
  expect(run.stderr).toContain('~/elsewhere is left out: there is no such folder');
  expect(run.stderr).toContain('This project is not trusted, so additionalDirectories of it does not count');
  expect(existsSync(join(home, 'notes/a.txt'))).toBe(false);
});

test('no other name of a credential, no link and no way through /proc shows one, even where all is allowed', async () => {
  const paths = [
    'second.txt',
    'link.txt',
    'me/environ',
    '/proc/self/environ',
    '/proc/self/root/etc/hostname',
    'up/../key',
  ];
  const { tau, model, write, home, project } = await converse([
    calls(...paths.map((path) => call('read', { path }))),
    says('done'),
  ]);
  const key = join(home, '.ssh/key');
  write(key, 'the-secret');
  linkSync(key, join(project, 'second.txt'));
  symlinkSync(key, join(project, 'link.txt'));
  symlinkSync('/proc/self', join(project, 'me'));
  mkdirSync(join(home, '.ssh/deep'));
  symlinkSync(join(home, '.ssh/deep'), join(project, 'up'));
  const env = { MY_TOKEN: 'token-in-environment' };
  const run = await tau(['-p', 'go', '--permission-mode', 'dangerously'], { env });
  expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
  const results = textOf(resultsIn(request(model, 1)));
  expect(results).toHaveLength(paths.length);
  for (const text of results) expect(text).toMatch(/^Not allowed: .*(credentials|where keys are|wherever a process)/);
  expect(JSON.stringify(request(model, 1).body)).not.toMatch(/the-secret|token-in-environment/);
});

test("tau's own settings are asked about even by their name in a rule; other agents' can be named", async () => {
  const { tau, model, project } = await converse([
    calls(
      call('write', { path: '.tau/settings.json', content: '{}' }),
      call('write', { path: '.claude/settings.json', content: '{}' }),
      call('write', { path: '.git/hooks/pre-commit', content: 'x' }),
    ),
    says('done'),
  ]);
  const rules = ['.tau/settings.json', '.claude/settings.json'].flatMap((path) => ['--allow', `write(${path})`]);
  const run = await tau(['-p', 'go', '--permission-mode', 'acceptEdits', ...rules]);
  expect(run.code).toBe(3);
  const [own, others, hook] = textOf(resultsIn(request(model, 1)));
  expect(own).toMatch(/needs approval/);
  expect(others).toMatch(/^Created/);
  expect(hook).toMatch(/needs approval/);
  expect(existsSync(join(project, '.tau/settings.json'))).toBe(false);
});

test('a variable of the user does not change what a command means', async () => {
  const { tau, model, write, home } = await converse([calls(call('bash', { command: 'echo said' })), says('done')]);
  write(join(home, 'start'), 'echo() { builtin echo not said; }');
  const env = { BASH_ENV: join(home, 'start'), 'BASH_FUNC_echo%%': '() { builtin echo not said; }' };
  await tau(['-p', 'go'], { env });
  expect(textOf(resultsIn(request(model, 1)))).toEqual(['said']);
});

/** Swaps a folder for a link to another and back until it is asked to stop; then the folder is in its place. */
const swapper = `
  const { existsSync, renameSync, symlinkSync, rmSync, writeFileSync } = require('node:fs');
  const [dir, outside, ask] = process.argv.slice(1);
  const rest = new Int32Array(new SharedArrayBuffer(4));
  const end = Date.now() + 60000;
  while (Date.now() < end && !existsSync(ask)) {
    try {
      renameSync(dir, dir + '-away');
      try { symlinkSync(outside, dir); } catch {}
      rmSync(dir, { recursive: true, force: true });
      renameSync(dir + '-away', dir);
      Atomics.wait(rest, 0, 0, Math.random() * 8);
    } catch { try { rmSync(dir, { recursive: true, force: true }); renameSync(dir + '-away', dir); } catch {} }
  }
  writeFileSync(ask + 'ed', '');
`;

test('writes beside a process that swaps their folder for a link never land outside', async () => {
  const batch = (name: string) =>
    calls(...Array.from({ length: 15 }, (_, one) => call('write', { path: `dir/${name}-${one}.txt`, content: 'x' })));
  const storm = Array.from({ length: 8 }, (_, at) => batch(`${at}`));
  // What is written in the storm is luck; what is asked for after it is not.
  const last = () => {
    calmDown(ask);
    return batch('calm');
  };
  const { tau, model, project, write } = await converse([...storm, last, says('done')]);
  write('dir/a.txt', 'a');
  const [outside, ask] = [join(project, '../outside'), join(project, '../stop')];
  mkdirSync(outside);
  const other = spawn(process.execPath, ['-e', swapper, join(project, 'dir'), outside, ask], { stdio: 'ignore' });
  const gone = new Promise((resolve) => other.once('exit', resolve));
  try {
    await tau(['-p', 'go', '--permission-mode', 'acceptEdits']);
  } finally {
    other.kill('SIGKILL');
    await gone;
  }
  expect(readdirSync(outside)).toEqual([]);
  const results = textOf(resultsIn(request(model, storm.length + 1)));
  expect(results).toHaveLength(9 * 15);
  for (const text of results.slice(-15)) expect(text).toMatch(/^Created/);
});
