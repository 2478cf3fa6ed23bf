/** `tau config` and `tau init` through the binary. */
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareSandbox, converse, request, says } from './conversation.ts';
import { at } from './json.ts';

test('set writes one key, get gives it back, unset takes it away', async () => {
  const { tau, tauHome, read, write } = bareSandbox();
  const path = join(tauHome, 'settings.json');
  write(path, '{\n  // mine\n  "language": "Latin" // old\n}\n');
  expect(await tau(['config', 'set', 'limits.readLines', '50'])).toMatchObject({
    code: 0,
    stdout: `limits.readLines is set in ${path}\n`,
    stderr: '',
  });
  expect(read(path)).toBe('{\n  // mine\n  "language": "Latin", // old\n  "limits": { "readLines": 50 }\n}\n');
  expect(await tau(['config', 'get', 'limits.readLines'])).toMatchObject({ code: 0, stdout: '50\n', stderr: '' });
  expect(await tau(['config', 'get', 'language'])).toMatchObject({ code: 0, stdout: 'Latin\n' });
  expect((await tau(['config', 'unset', 'language'])).code).toBe(0);
  expect(await tau(['config', 'get', 'language'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'tau: language is not set\n',
  });
  expect(read(path)).toContain('// mine');
});

test('migrate renames what has another name now, and says so; old names count until then, with a warning', async () => {
  const { tau, model, tauHome, read, write } = await converse([says('ok'), says('ok')], { api: 'anthropic-messages' });
  const path = join(tauHome, 'settings.json');
  const text = '{\n  // mine\n  "default_model": "scripted/scripted", // this one\n  "retry": { "retries": 0 }\n}\n';
  write(path, text);
  const warned = await tau(['-p', 'hi']);
  expect(warned).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(warned.stderr).toContain(`${path}:3:3: default_model is now model: tau config migrate writes it so`);
  const dry = await tau(['config', 'migrate', '--dry-run']);
  expect(dry).toMatchObject({ code: 0, stdout: `${path}: nothing was written\n  default_model → model\n` });
  expect(read(path)).toBe(text);
  expect(await tau(['config', 'migrate'])).toMatchObject({
    code: 0,
    stdout: `${path}: the file as it was is settings.json.bak beside it\n  default_model → model\n`,
    stderr: '',
  });
  expect(read(path)).toBe(text.replace('default_model', 'model'));
  expect(read(`${path}.bak`)).toBe(text);
  expect(await tau(['config', 'migrate'])).toMatchObject({ code: 0, stdout: `${path} has no old names\n` });
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(at(request(model, 1).body, 'model')).toBe('scripted');
  expect(await tau(['config', 'set', 'model', 'x', '--dry-run'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--dry-run belongs to migrate'),
  });
});

test('what was set is what the next run does', async () => {
  const { tau, model } = await converse([says('ok')]);
  expect((await tau(['config', 'set', 'thinking', 'high', '--project'])).code).toBe(0);
  expect((await tau(['config', 'set', 'aliases.mine', 'scripted/scripted'])).code).toBe(0);
  expect(await tau(['-p', 'hi', '--model', 'mine'])).toMatchObject({ code: 0, stderr: '' });
  expect(at(request(model, 0).body, 'model')).toBe('scripted');
  expect(JSON.stringify(request(model, 0).body)).toContain('"thinking"');
});

test.each([
  [['set', 'modle', 'x'], /no setting "modle"\. Did you mean model\?/],
  [['set', 'maxTurns', 'many'], /maxTurns: "many" is not the JSON it takes/],
  [['set', 'maxTurns', '0'], /^tau: maxTurns: .*nothing was written/],
  [['set', 'limits', '{}'], /It holds limits\.parallelTools/],
  [['set', 'model'], /takes a key and a value/],
  [['get'], /takes one key/],
  [['get', 'nothing.like.it'], /There is no setting/],
  [['lst'], /no tau config lst.*Did you mean tau config list\?/],
  [['get', 'model', '--local'], /--local belongs to set/],
  [['set', 'model', 'x', '--local', '--user'], /exclude each other/],
  [['edit'], /There is no editor/],
  [['list', '--config', 'none.json'], /There is no file .*none\.json/],
])('tau config %j is an error that says what is wrong, and writes nothing', async (args, message) => {
  const { tau, tauHome, project } = bareSandbox();
  expect(await tau(['config', ...args])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(existsSync(join(tauHome, 'settings.json'))).toBe(false);
  expect(existsSync(join(project, '.tau'))).toBe(false);
});

test('list shows every value with its layer, as lines and as JSON', async () => {
  const { tau, write, tauHome } = bareSandbox({ git: true });
  write(join(tauHome, 'settings.json'), '{ "model": "a/b", "permissions": { "deny": ["bash"] } }');
  write('.tau/settings.json', '{ "permissions": { "deny": ["edit"] }, "shell": "/bin/evil" }');
  const run = await tau(['config'], { env: { TAU_MAX_TURNS: '4' } });
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^model +a\/b +\(user\)$/m);
  expect(run.stdout).toMatch(/^permissions\.deny +\["bash","edit"\] +\(user and project\)$/m);
  expect(run.stdout).toMatch(/^maxTurns +4 +\(environment\)$/m);
  expect(run.stdout).toMatch(/^limits\.readLines +2000 +\(default\)$/m);
  expect(run.stdout).not.toContain('evil');
  expect(run.stderr).toMatch(
    /^tau: warning: .*\.tau\/settings\.json:1:40: shell: it is not taken from a project that is not trusted\n$/,
  );
  const json: unknown = JSON.parse((await tau(['config', 'list', '--json'])).stdout);
  expect(json).toContainEqual({ key: 'model', value: 'a/b', origins: ['user'] });
});

test('explain names every layer, its place, and which counts', async () => {
  const { tau, write, tauHome, project } = bareSandbox({ git: true });
  write(join(tauHome, 'settings.json'), '{\n  "model": "a/user"\n}');
  write('.tau/settings.json', '{ "model": "a/project" }');
  write('mine.json', '{ "model": "a/config" }');
  const { stdout } = await tau(['config', 'explain', 'model', '--config', 'mine.json']);
  expect(stdout.trimEnd().split('\n')).toEqual([
    `user     a/user     ${join(tauHome, 'settings.json')}:2:3  does not count: config goes before it`,
    `project  a/project  ${join(project, '.tau/settings.json')}:1:3  does not count: config goes before it`,
    `config   a/config   ${join(project, 'mine.json')}:1:3  counts`,
  ]);
});

test('whoever sets what another layer overrules is told', async () => {
  const { tau } = bareSandbox();
  const run = await tau(['config', 'set', 'model', 'a/b'], { env: { TAU_MODEL: 'c/d' } });
  expect(run).toMatchObject({ code: 0, stderr: 'tau: it does not count: environment goes before it (TAU_MODEL)\n' });
});

test('path names the files, and a single one for scripts', async () => {
  const { tau, tauHome, project, write } = bareSandbox({ git: true });
  write('.tau/settings.toml', '');
  expect((await tau(['config', 'path'])).stdout.trimEnd().split(/\s*\n/)).toEqual([
    expect.stringMatching(/^user .*settings\.json +\(not there\)$/),
    expect.stringMatching(/^project .*settings\.toml$/),
    expect.stringMatching(/^local .*settings\.local\.json +\(not there\)$/),
  ]);
  expect(await tau(['config', 'path', '--user'])).toMatchObject({ stdout: `${join(tauHome, 'settings.json')}\n` });
  expect(await tau(['config', 'path', '--local'])).toMatchObject({
    stdout: `${join(project, '.tau/settings.local.json')}\n`,
  });
});

test('path and edit work when a guard stops everything else', async () => {
  const { tau, tauHome, write } = bareSandbox();
  const path = join(tauHome, 'settings.json');
  write(path, '{ "permissionMode": "yolo" }');
  expect((await tau(['config', 'list'])).code).toBe(2);
  expect((await tau(['config', 'path'])).code).toBe(0);
  const editor = `f() { printf '{ "permissionMode": "plan" }' > "$1"; }; f`;
  expect(await tau(['config', 'edit'], { env: { EDITOR: editor } })).toMatchObject({ code: 0, stderr: '' });
  expect(await tau(['config', 'get', 'permissionMode'])).toMatchObject({ code: 0, stdout: 'plan\n' });
});

test('edit opens the file in the editor and says what is wrong afterwards', async () => {
  const { tau, tauHome, write, read, home } = bareSandbox();
  const editor = join(home, 'my editor');
  write(editor, '#!/bin/sh\nprintf \'{\\n  "modle": 1\\n}\' > "$2"\necho "$1"\n');
  chmodSync(editor, 0o755);
  const run = await tau(['config', 'edit'], { env: { VISUAL: `'${editor}' --wait`, EDITOR: 'false' } });
  expect(run).toMatchObject({ code: 2, stdout: '--wait\n' });
  expect(run.stderr).toContain('settings.json:2:3: modle: there is no such key. Did you mean "model"? It is ignored');
  expect(read(join(tauHome, 'settings.json'))).toContain('modle');
  expect(await tau(['config', 'edit'], { env: { EDITOR: 'false' } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ended with 1'),
  });
  // A project has no folder for its settings at first.
  const writes = { env: { EDITOR: `f() { printf '{}' > "$1"; }; f` } };
  expect(await tau(['config', 'edit', '--project'], writes)).toMatchObject({ code: 0, stderr: '' });
  expect(read('.tau/settings.json')).toBe('{}');
});

test('init writes a commented file once, and --project an AGENTS.md', async () => {
  const { tau, tauHome, read, project } = await converse([says('ok')]);
  const path = join(tauHome, 'settings.json');
  expect(await tau(['init'])).toMatchObject({ code: 0, stdout: `${path} is there already; nothing was changed\n` });
  const elsewhere = join(project, '../elsewhere');
  const env = { TAU_CONFIG_DIR: elsewhere };
  const made = join(elsewhere, 'settings.json');
  expect(await tau(['init'], { env })).toMatchObject({ code: 0, stdout: `${made} is made\n`, stderr: '' });
  expect(readFileSync(made, 'utf8')).toContain('  // "model": "');
  expect(statSync(made).mode & 0o777).toBe(0o600);
  expect(await tau(['config', 'list'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(await tau(['init', '--project'])).toMatchObject({
    code: 0,
    stdout: `${join(project, 'AGENTS.md')} is made\n`,
  });
  expect(read('AGENTS.md')).not.toBe('');
  expect(await tau(['init', 'now'])).toMatchObject({ code: 2, stderr: expect.stringContaining('no arguments') });
});

test('the help of both says what they do, and -p makes the words a prompt', async () => {
  const { tau, model } = await converse([says('ok'), says('ok')]);
  expect(await tau(['config', '-h'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tau config: /) });
  expect(await tau(['init', '-h'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tau init: /) });
  expect((await tau(['-p', 'config'])).code).toBe(0);
  expect((await tau(['-p', 'init'])).code).toBe(0);
  expect(model.requests).toHaveLength(2);
});
