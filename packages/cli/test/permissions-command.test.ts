/** `tau permissions` through the binary: list, add, remove, test, audit. Explaining has a file of its own. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchers, remotes } from '../../policy/test/launchers.ts';
import { bareSandbox, call, calls, converse, says } from './conversation.ts';
import { at, list } from './json.ts';

const parsed = (text: string): unknown => JSON.parse(text);

test('list names the mode, every rule with where it comes from, and what does not count', async () => {
  const { tau, write, tauHome, project } = bareSandbox({ git: true });
  write(
    join(tauHome, 'settings.json'),
    '{\n  "permissionMode": "acceptEdits",\n  "permissions": { "deny": ["bash(git push:*)"] }\n}\n',
  );
  write('.tau/settings.json', '{ "permissions": { "ask": ["edit(src)"], "allow": ["bash"] } }');
  expect((await tau(['permissions', 'add', 'bash(npm test:*)'])).code).toBe(0);
  const run = await tau(['permissions', '--allow', 'edit']);
  expect(run.code).toBe(0);
  const place = join(tauHome, 'settings.json');
  expect(run.stdout).toContain(`Mode: acceptEdits (user settings, ${place}:2:3)\n`);
  expect(run.stdout).toMatch(/^ {2}deny {2}bash\(git push:\*\) +\(user settings, .*settings\.json:3:\d+\)$/m);
  expect(run.stdout).toMatch(/^ {2}ask {3}edit\(src\) +\(project settings, /m);
  expect(run.stdout).toMatch(/^ {2}allow bash\(npm test:\*\) +\(always, in this folder, .*permissions\.json\)$/m);
  expect(run.stdout).toMatch(/^ {2}allow edit +\(command line\)$/m);
  expect(run.stdout).toMatch(/These do not count:\n {2}allow bash +\(project settings, .*not trusted\)/);
  const json = parsed((await tau(['permissions', 'list', '--json'])).stdout);
  expect(json).toMatchObject({ mode: 'acceptEdits' });
  expect(list(at(json, 'rules'))).toContainEqual({
    outcome: 'allow',
    rule: 'bash(npm test:*)',
    origin: 'always',
    place: join(tauHome, 'permissions.json'),
  });
  expect(list(at(json, 'rules'))).toContainEqual({
    outcome: 'allow',
    rule: 'bash',
    origin: 'project',
    place: expect.stringContaining(join(project, '.tau/settings.json')),
    not: expect.stringContaining('not trusted'),
  });
});

test('list says what is wrong with a rule', async () => {
  const { tau } = bareSandbox({ settings: { permissions: { deny: ['bash((('] } } });
  const run = await tau(['permissions', 'list']);
  expect(run.stdout).toMatch(/What is wrong with the rules:\n {2}The deny rule .*cannot be read/);
  expect(run.code).toBe(0);
});

test('a rule that was added is obeyed by the next run, and after it was removed no more', async () => {
  const sandbox = await converse([
    calls(call('write', { path: 'a.txt', content: 'x' })),
    says('one'),
    calls(call('write', { path: 'b.txt', content: 'x' })),
    says('two'),
  ]);
  const { tau, project, tauHome } = sandbox;
  const path = join(tauHome, 'permissions.json');
  const added = await tau(['permissions', 'add', 'write(a.txt)']);
  expect(added).toMatchObject({ code: 0, stdout: `allow write(a.txt) is now in ${path}\n`, stderr: '' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await tau(['permissions', 'add', 'write(a.txt)'])).toMatchObject({
    code: 0,
    stdout: `allow write(a.txt) was already in ${path}\n`,
  });
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(existsSync(join(project, 'a.txt'))).toBe(true);

  await tau(['permissions', 'add', 'write(b.txt)']);
  expect(await tau(['permissions', 'remove', 'write(b.txt)'])).toMatchObject({
    code: 0,
    stdout: `allow write(b.txt) is no longer in ${path}\n`,
  });
  expect((await tau(['-p', 'go'])).code).toBe(3);
  expect(existsSync(join(project, 'b.txt'))).toBe(false);
});

test.each([
  ['--user', (home: string) => join(home, 'settings.json')],
  ['--project', () => '.tau/settings.json'],
  ['--local', () => '.tau/settings.local.json'],
] as const)('add and remove %s change one rule of a settings file and leave the rest alone', async (flag, pathOf) => {
  const { tau, write, read, tauHome } = bareSandbox({ git: true });
  const path = pathOf(tauHome);
  const before = `{
  // mine
  "permissions": {
    "deny": [
      "bash(rm:*)", // never
      // secrets
      "read(secrets)"
    ]
  }
}
`;
  write(path, before);
  expect((await tau(['permissions', 'add', 'bash(git push:*)', '--deny', flag])).code).toBe(0);
  expect(read(path)).toBe(before.replace('"read(secrets)"\n', '"read(secrets)",\n      "bash(git push:*)"\n'));
  expect((await tau(['permissions', 'add', 'bash(git push:*)', '--deny', flag])).stdout).toContain('was already in');
  expect((await tau(['permissions', 'remove', 'bash(git push:*)', flag])).code).toBe(0);
  expect(read(path)).toBe(before);
  expect((await tau(['permissions', 'remove', 'bash(rm:*)', flag])).code).toBe(0);
  expect(read(path)).toContain('// never');
  expect(read(path)).not.toContain('rm:*');
});

test('a rule that a project cannot give is written, and it is said that it does not count', async () => {
  const { tau, read } = bareSandbox({ git: true });
  const run = await tau(['permissions', 'add', 'edit', '--project']);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^tau: it does not count: .*not trusted/) });
  expect(read('.tau/settings.json')).toContain('"edit"');
});

test('remove says where a rule still stands, and does not claim that it is gone', async () => {
  const { tau } = bareSandbox({ settings: { permissions: { allow: ['edit'] } } });
  expect(await tau(['permissions', 'remove', 'edit'])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^edit is not in /),
    stderr: expect.stringMatching(/still stands in .*settings\.json:\d+:\d+: add --user to remove it/),
  });
  expect((await tau(['permissions', 'remove', 'edit', '--user'])).code).toBe(0);
  expect((await tau(['permissions', 'remove', 'edit', '--user'])).code).toBe(0);
});

test.each([
  [['add', 'bash((('], /cannot be read.*Nothing was (written|saved)/],
  [['add', '*'], /must name its tool/],
  [['add'], /takes one rule/],
  [['add', 'bash(a)', 'bash(b)'], /takes one rule/],
  [['add', 'bash(a)', '--allow', '--deny'], /exclude each other/],
  [['add', 'bash(a)', '--user', '--local'], /exclude each other/],
  [['remove'], /takes one rule/],
  [['lst'], /no tau permissions lst.*Did you mean tau permissions list\?/],
  [['list', 'x'], /takes no "x"/],
  [['list', '--mode', 'defalt'], /Did you mean default\?/],
  [['explain'], /takes one command/],
  [['explain', 'git', 'status'], /takes one command, and got several words.*Quote it/],
  [['explain', ' '], /nothing to explain/],
  [['explain', '--tool', 'wrte', '{}'], /There is no tool "wrte"/],
  [['explain', '--tool', 'write', 'x'], /must be a JSON object/],
  [['explain', '--tool', 'write', '{}'], /path/],
  [['explain', 'ls', '--config', 'none.json'], /There is no file .*none\.json/],
  [['test', 'none.txt'], /none\.txt cannot be read/],
  [['audit', '--limit', 'many'], /--limit cannot be "many"/],
])('tau permissions %j is an error that says what is wrong, and writes nothing', async (args, message) => {
  const { tau, tauHome, project } = bareSandbox();
  expect(await tau(['permissions', ...args])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
  expect(existsSync(join(tauHome, 'permissions.json'))).toBe(false);
  expect(existsSync(join(project, '.tau'))).toBe(false);
});

test('the help names every subcommand, and tau --help names tau permissions', async () => {
  const { tau } = bareSandbox();
  const { code, stdout } = await tau(['permissions', '--help']);
  expect(code).toBe(0);
  for (const name of ['list', 'add', 'remove', 'explain', 'test', 'audit']) expect(stdout).toContain(name);
  expect((await tau(['--help'])).stdout).toContain('tau permissions');
});

test('a file of expectations that hold ends with 0, and what differs is named with its line and ends with 1', async () => {
  const { tau, write } = bareSandbox({ settings: { permissions: { deny: ['bash(git push:*)'] } } });
  write(
    'expect.txt',
    [
      '# what we count on',
      'allow ls -la',
      'deny  git push origin main',
      '',
      '{"outcome": "ask", "tool": "write", "input": {"path": "a", "content": ""}}',
      '{"outcome": "allow", "mode": "acceptEdits", "tool": "write", "input": {"path": "a", "content": ""}}',
    ].join('\n'),
  );
  expect(await tau(['permissions', 'test', 'expect.txt'])).toMatchObject({ code: 0, stdout: '4 as expected\n' });
  write('wrong.txt', 'allow ls\nallow git push\n');
  const run = await tau(['permissions', 'test', 'wrong.txt']);
  expect(run).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^wrong\.txt:2: git push: expected allow, got deny: /),
  });
  expect(run.stdout).toContain('1 of 2 are not as expected');
  const json = parsed((await tau(['permissions', 'test', 'wrong.txt', '--json'])).stdout);
  expect(json).toMatchObject({
    checked: 2,
    differing: [{ line: 2, command: 'git push', outcome: 'allow', got: 'deny' }],
  });
});

test('denials hold through whatever starts a command and prints a file, with every command allowed', async () => {
  const permissions = { allow: ['bash'], deny: ['bash(git push:*)', 'read(.env)'] };
  const { tau, write } = bareSandbox({ git: true, settings: { permissions } });
  write('src/a.ts', 'x');
  const pushes = [...launchers, ...remotes].map((way) => way.replace('%', () => 'git push'));
  const expected: [outcome: string, commands: readonly string[]][] = [
    ['deny', [...pushes, 'git show HEAD:.env', '[[ -s .env ]]', 'git log -p -- .env']],
    ['ask', ['git diff', 'git log -p', 'git grep x', 'grep -r x .', 'eval "$X"']],
    ['allow', ['git status', 'git diff -- src/a.ts', 'git show HEAD:src/a.ts', '[[ -s src/a.ts ]]', 'npx eslint .']],
  ];
  const lines = expected.flatMap(([outcome, commands]) =>
    commands.flatMap((command) =>
      (outcome === 'deny' ? ['default', 'dangerously'] : ['default']).map((mode) =>
        JSON.stringify({ outcome, mode, command }),
      ),
    ),
  );
  write('expect.txt', lines.join('\n'));
  const run = await tau(['permissions', 'test', 'expect.txt']);
  expect(run).toMatchObject({ code: 0, stdout: `${lines.length} as expected\n` });
});

test.each([
  ['perhaps ls', /:1: it does not begin with allow, ask or deny/],
  ['allow', /:1: /],
  ['{"outcome": "allow"}', /:1: it needs either a command or a tool/],
  ['{"outcome": "allow", "comand": "ls"}', /:1: "comand" means nothing here/],
  ['{"outcome": "allow", "command": "ls", "mode": "x"}', /:1: there is no mode "x"/],
  ['# only words', /expects nothing/],
])('an expectation that cannot be read stops the test: %s', async (line, message) => {
  const { tau, write } = bareSandbox();
  write('expect.txt', `${line}\n`);
  expect(await tau(['permissions', 'test', 'expect.txt'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
});

test('without a file the examples that rules carry are checked', async () => {
  const rule = { rule: 'bash(npm run test:*)', match: ['npm run test -- x'], notMatch: ['npm run tests'] };
  const good = bareSandbox({ settings: { permissions: { allow: [rule] } } });
  expect(await good.tau(['permissions', 'test'])).toMatchObject({ code: 0, stdout: '2 examples of rules hold\n' });
  const wrong = { rule: 'bash(npm run:*)', notMatch: ['npm run deploy'] };
  const bad = bareSandbox({ settings: { permissions: { deny: [wrong] } } });
  const run = await bad.tau(['permissions', 'test']);
  expect(run).toMatchObject({ code: 1, stdout: expect.stringMatching(/covers "npm run deploy", which it must not/) });
  expect((await bad.tau(['permissions', 'list'])).stdout).toMatch(/What is wrong with the rules:\n.*npm run deploy/);
  expect((await bareSandbox().tau(['permissions', 'test'])).stdout).toMatch(/^No rule carries examples/);
});

test('list warns of rules that are misspelt, shadowed or too broad, and add does too', async () => {
  const permissions = { allow: ['bash(python3:*)', 'edit(src/a.ts)'], deny: ['edit(src:*)', 'bsh(rm:*)'] };
  const { tau } = bareSandbox({ settings: { permissions } });
  const { stdout } = await tau(['permissions', 'list']);
  expect(stdout).toMatch(/bash\(python3:\*\).* allows any command/);
  expect(stdout).toMatch(/edit\(src\/a\.ts\).* never counts/);
  expect(stdout).toMatch(/bsh\(rm:\*\).*Did you mean bash\?|bsh\(rm:\*\).*cannot be read/);
  const added = await tau(['permissions', 'add', 'bash(sudo:*)', '--user']);
  expect(added).toMatchObject({ code: 0, stderr: expect.stringMatching(/allows any command, through sudo/) });
});

test('audit shows what a run decided here, the newest last, and of other folders only with --all', async () => {
  const { tau, project } = await converse([
    calls(call('bash', { command: 'echo one' }), call('write', { path: 'a.txt', content: 'x' })),
    says('done'),
  ]);
  expect((await tau(['permissions', 'audit'])).stdout).toMatch(/^Nothing was decided/);
  expect((await tau(['-p', 'go'])).code).toBe(3);
  const lines = (await tau(['permissions', 'audit'])).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/allow +read-only +bash +echo one/);
  expect(lines[1]).toMatch(/ask, nobody there +write +write +write a\.txt/);
  expect((await tau(['permissions', 'audit', '--limit', '1'])).stdout).toMatch(/^[^\n]*a\.txt[^\n]*\n$/);
  const json = parsed((await tau(['permissions', 'audit', '--json'])).stdout);
  expect(at(json, 'records', 0)).toMatchObject({ tool: 'bash', outcome: 'allow', what: 'echo one', cwd: project });
  const other = join(project, '..', 'other');
  mkdirSync(other);
  expect((await tau(['permissions', 'audit'], { cwd: other })).stdout).toMatch(/^Nothing was decided in this folder/);
  expect((await tau(['permissions', 'audit', '--all'], { cwd: other })).stdout).toContain(project);
});
