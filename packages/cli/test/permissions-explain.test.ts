/** `tau permissions explain` through the binary: what it says, that a run does the same, and that it runs nothing. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareSandbox, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { textAt } from './json.ts';

const parsed = (text: string): unknown => JSON.parse(text);

test('a command is explained as JSON, without a model, a key or a session', async () => {
  const { tau, project, home, write } = bareSandbox();
  write('a.txt', 'x');
  const run = await tau(['permissions', 'explain', '--json', 'cat a.txt | head -n 3']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(parsed(run.stdout)).toEqual({
    command: 'cat a.txt | head -n 3',
    mode: 'default',
    class: 'read-only',
    outcome: 'allow',
    reason: expect.any(String),
    effects: [
      expect.objectContaining({ kind: 'exec', command: 'cat a.txt | head -n 3', readOnly: true, class: 'read-only' }),
      { kind: 'read', path: 'a.txt', resolved: join(project, 'a.txt') },
    ],
    programs: ['cat', 'head'],
    sandbox: { on: false, reason: expect.stringContaining('sandbox.enabled'), contains: false },
  });
  // Nothing was made in the home either.
  expect(existsSync(join(home, '.tau', 'sessions'))).toBe(false);
  expect(existsSync(join(home, '.tau', 'logs'))).toBe(false);
});

test('an empty home is enough', async () => {
  const { tau, project } = bareSandbox();
  const run = await tau(['permissions', 'explain', '--json', 'ls'], { env: { HOME: join(project, 'none') } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(parsed(run.stdout)).toMatchObject({ outcome: 'allow', programs: ['ls'] });
  expect(existsSync(join(project, 'none'))).toBe(false);
});

test('a call of any tool is explained, with where its paths lead', async () => {
  const { tau, project } = bareSandbox();
  const elsewhere = join(project, '..', 'elsewhere');
  symlinkSync(elsewhere, join(project, 'link'));
  const input = { path: 'link/x', content: 'y' };
  const run = await tau(['permissions', 'explain', '--tool', 'Write', '--json', JSON.stringify(input)]);
  expect(parsed(run.stdout)).toMatchObject({
    tool: 'write',
    input,
    class: 'write',
    outcome: 'ask',
    effects: [{ kind: 'write', path: 'link/x', resolved: join(elsewhere, 'x') }],
  });
  expect(existsSync(elsewhere)).toBe(false);
});

test('modes, settings and rules count as in a run', async () => {
  const { tau, project } = bareSandbox({ settings: { permissions: { ask: ['bash(ls:*)'] } } });
  const explain = async (...args: string[]) =>
    parsed((await tau(['permissions', 'explain', '--json', ...args])).stdout);
  expect(await explain('ls')).toMatchObject({ outcome: 'ask', rule: 'bash(ls:*)' });
  expect(await explain('ls', '--deny', 'bash(ls)')).toMatchObject({ outcome: 'deny', rule: 'bash(ls)' });
  expect(await explain('ls', '--mode', 'dontAsk')).toMatchObject({ outcome: 'deny', mode: 'dontAsk' });
  expect(await explain('frobnicate')).toMatchObject({ outcome: 'ask', programs: ['frobnicate'] });
  expect(await explain('frobnicate', '--allow', 'bash(frobnicate:*)')).toMatchObject({
    outcome: 'allow',
    rule: 'bash(frobnicate:*)',
  });
  expect(await explain('frobnicate', '--mode', 'plan')).toMatchObject({ outcome: 'deny' });
  mkdirSync(join(project, '..', 'added'));
  expect(await explain('cat ../added/x')).toMatchObject({ outcome: 'ask' });
  expect(await explain('cat ../added/x', '--add-dir', '../added')).toMatchObject({ outcome: 'allow' });
});

test('the account for a person says what happens, why, what is started, where paths lead and what would allow it', async () => {
  const { tau, project } = bareSandbox();
  const { code, stdout } = await tau(['permissions', 'explain', 'frobnicate --all && cat a.txt']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ask: .*frobnicate/);
  expect(stdout).toMatch(/^ {2}frobnicate --all +unknown +/m);
  expect(stdout).toMatch(/^ {2}cat a\.txt +read-only +all it does is known$/m);
  expect(stdout).toContain(`  read   a.txt → ${join(project, 'a.txt')}\n`);
  expect(stdout).toContain("tau permissions add 'bash(frobnicate --all && cat a.txt)'");
});

test('what an offered rule is said to allow is allowed once it is added', async () => {
  const { tau } = bareSandbox();
  const command = "frobnicate 'a b' *.ts";
  const asked = parsed((await tau(['permissions', 'explain', '--json', command])).stdout);
  expect(asked).toMatchObject({ outcome: 'ask', offer: [expect.any(String)] });
  const rule = textAt(asked, 'offer', 0);
  expect((await tau(['permissions', 'add', rule])).code).toBe(0);
  expect(parsed((await tau(['permissions', 'explain', '--json', command])).stdout)).toMatchObject({
    outcome: 'allow',
    rule,
  });
});

test('a command may come from standard input', async () => {
  const { tau } = bareSandbox();
  const run = await tau(['permissions', 'explain', '--json', '-'], { stdin: 'pwd\n' });
  expect(parsed(run.stdout)).toMatchObject({ command: 'pwd', outcome: 'allow' });
});

test('what hostile text would do to a terminal is seen and not done', async () => {
  const { tau } = bareSandbox();
  const command = 'frob\u001b[2J\u202e "x\u0007" \u009b2J \u{e0041}';
  const { stdout } = await tau(['permissions', 'explain', command]);
  expect(stdout).toMatch(/^ask: /);
  const json = (await tau(['permissions', 'explain', '--json', command])).stdout;
  expect(parsed(json)).toMatchObject({ command });
  expect([...stdout, ...json].filter((char) => char !== '\n' && /[\p{Cc}\p{Cf}]/u.test(char))).toEqual([]);
});

test('explaining and testing start nothing of what they are given', async () => {
  const { tau, write, project, home } = bareSandbox({ git: true });
  const bin = join(home, 'bin');
  for (const name of ['git', 'bash', 'sh', 'npm', 'node', 'rg', 'ls', 'env', 'cat']) {
    const path = join(bin, name);
    write(path, `#!/bin/sh\necho ${name} >> ${join(home, 'started')}\n`);
    chmodSync(path, 0o755);
  }
  write('src/a.txt', 'x');
  const lines = [
    'git status',
    'git log -p',
    'ls *',
    'npm test',
    'cat $(ls)',
    'bash -c "rg x"',
    'env FOO=1 node a.js',
    'cat src/a.txt',
  ];
  write('expect.txt', lines.map((line) => `allow ${line}`).join('\n'));
  const env = { PATH: bin, SHELL: join(bin, 'sh') };
  expect((await tau(['permissions', 'test', 'expect.txt'], { env })).stdout).toMatch(/of 8 are not as expected/);
  for (const line of lines) expect((await tau(['permissions', 'explain', line], { env })).code).toBe(0);
  expect(existsSync(join(home, 'started'))).toBe(false);
  expect(existsSync(join(project, '.tau'))).toBe(false);
});

test('a run does what explain says', async () => {
  const commands = ['echo fine', 'frobnicate', 'cat ~/.ssh/id_rsa'];
  const { tau, model } = await converse([calls(...commands.map((command) => call('bash', { command }))), says('done')]);
  const said = await Promise.all(
    commands.map(async (command) => parsed((await tau(['permissions', 'explain', '--json', command])).stdout)),
  );
  expect(said).toMatchObject([{ outcome: 'allow' }, { outcome: 'ask' }, { outcome: 'deny' }]);
  await tau(['-p', 'go']);
  const results = resultsIn(request(model, 1)).map(({ text }) => text);
  const reasons = said.map((one) => textAt(one, 'reason'));
  expect(results[0]).toContain('fine');
  expect(results[1]).toContain(`nobody is there to give it (${reasons[1]})`);
  expect(results[2]).toBe(`Not allowed: ${reasons[2]}.`);
});

test('nothing is proved where a line may mean something else than bash makes of it', async () => {
  const { tau, tauHome } = bareSandbox();
  mkdirSync(tauHome, { recursive: true });
  const outcomeWith = async (settings: Record<string, unknown>) => {
    writeFileSync(join(tauHome, 'settings.json'), JSON.stringify(settings));
    const run = await tau(['permissions', 'explain', '--json', 'ls']);
    expect(run.code).toBe(0);
    return parsed(run.stdout);
  };
  expect(await outcomeWith({})).toMatchObject({ outcome: 'allow' });
  for (const settings of [{ shell: '/bin/dash' }, { commandPrefix: 'cd /' }, { env: { CDPATH: '/' } }]) {
    expect(await outcomeWith(settings)).toMatchObject({ outcome: 'ask', class: 'unknown' });
  }
});
