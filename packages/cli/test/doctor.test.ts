/** `tau doctor` through the binary: what it finds, what it says to do, and that it only looks. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox, TauRun } from '@tau/testkit';
import { expect, test } from 'vitest';
import { bareSandbox, converse, says } from './conversation.ts';
import { at, list, textAt } from './json.ts';

interface Found {
  id: string;
  status: string;
  title: string;
  detail: string;
  remedy?: string;
}

function checksOf({ stdout }: Pick<TauRun, 'stdout'>): Found[] {
  return list(at(JSON.parse(stdout), 'checks')).map((one) => ({
    id: textAt(one, 'id'),
    status: textAt(one, 'status'),
    title: textAt(one, 'title'),
    detail: textAt(one, 'detail'),
    ...(at(one, 'remedy') !== undefined && { remedy: textAt(one, 'remedy') }),
  }));
}

const withId = (run: Pick<TauRun, 'stdout'>, id: string) => checksOf(run).filter((one) => one.id === id);

/** A home that is as tau makes it. */
function privateHome(options: Parameters<typeof bareSandbox>[0] = {}): Sandbox {
  const sandbox = bareSandbox(options);
  chmodSync(sandbox.tauHome, 0o700);
  return sandbox;
}

/** Every file below, with its mode, time and size. */
function printOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { mode, mtimeMs, size } = statSync(join(folder, name));
      return `${name} ${mode} ${mtimeMs} ${size}`;
    })
    .sort();
}

test('a machine that is well: everything is looked at, what is not ok has a remedy, exit 0, and nothing is changed', async () => {
  const sandbox = privateHome({ git: true });
  sandbox.write(join(sandbox.tauHome, 'settings.json'), '{}');
  const before = [printOf(sandbox.home), printOf(sandbox.project)];
  const run = await sandbox.tau(['doctor', '--json'], { env: { ANTHROPIC_API_KEY: 'mykey-0123456789-abcdefgh' } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const version = textAt(JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')), 'version');
  expect(at(JSON.parse(run.stdout), 'version')).toBe(version);
  const checks = checksOf(run);
  const ids =
    'terminal unicode node platform user folder clock path shell git ripgrep sandbox settings.user rules trust';
  const rest = 'credentials proxy certificates home files sessions logs temp disk.home disk.temp';
  expect(checks.map(({ id }) => id)).toEqual(`${ids} ${rest}`.split(' '));
  for (const { status, remedy } of checks) expect(remedy === undefined).toBe(status === 'ok');
  expect(checks.filter(({ status }) => status === 'problem' || status === 'warning')).toEqual([]);
  expect([printOf(sandbox.home), printOf(sandbox.project)]).toEqual(before);
});

test('for people it is a line for each look, the remedy below it, and a count', async () => {
  const run = await privateHome().tau(['doctor']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^tau \d+\.\d+\.\d+\n/);
  expect(run.stdout).toContain(`ok       Node.js`);
  expect(run.stdout).toMatch(/^warning {2}Keys +there is none for any provider\n +→ Run tau auth set PROVIDER/m);
  expect(run.stdout).toMatch(/\nno problems, 1 warning, \d notes?\.\n$/);
});

test('the sandbox is not pretended: it is tried out, and where it does not work doctor says why and what to do', async () => {
  const sandbox = privateHome({ contained: true });
  const before = printOf(sandbox.home);
  const works = withId(await sandbox.tau(['doctor', '--json']), 'sandbox');
  expect(works).toMatchObject([
    { status: 'ok', detail: expect.stringMatching(/bubblewrap .*bwrap, tested just now; seatbelt is for macOS/) },
  ]);
  expect(printOf(sandbox.home)).toEqual(before);
  const bin = program(sandbox, 'bwrap', 'echo "bwrap: No permissions to create new namespace" >&2; exit 1');
  const env = { PATH: `${bin}:${process.env.PATH}` };
  expect(withId(await sandbox.tau(['doctor', '--json'], { env }), 'sandbox')).toMatchObject([
    {
      status: 'warning',
      detail: expect.stringMatching(/^off, because .*commands are asked about instead/),
      remedy: expect.stringContaining('container'),
    },
  ]);
  expect(withId(await privateHome().tau(['doctor', '--json']), 'sandbox')).toMatchObject([
    { status: 'note', detail: expect.stringContaining('sandbox.enabled') },
  ]);
});

test('a settings file that tau will not start with is a problem with its place, and the rest is still looked at', async () => {
  const sandbox = privateHome();
  const file = join(sandbox.tauHome, 'settings.json');
  sandbox.write(file, '{\n  "permissions": { "deny": ["bash"] \n');
  expect((await sandbox.tau(['-p', 'hi'])).code).toBe(2);
  const run = await sandbox.tau(['doctor', '--json']);
  expect(run).toMatchObject({ code: 1, stderr: '' });
  expect(withId(run, 'settings.user')).toMatchObject([
    { status: 'problem', detail: expect.stringMatching(/settings\.json:\d+:\d+: /), remedy: expect.any(String) },
  ]);
  expect(withId(run, 'rules')).toMatchObject([{ status: 'note', detail: expect.stringContaining('mended first') }]);
  expect(withId(run, 'disk.temp')).toHaveLength(1);
});

test('what the loader warns about is a warning with line and column, and no reason to fail', async () => {
  const sandbox = privateHome();
  sandbox.write(join(sandbox.tauHome, 'settings.json'), '{\n  "modle": "x",\n  "limits": { "readLines": "many" }\n}');
  const run = await sandbox.tau(['doctor', '--json'], { env: { TAU_THINKING: 'very' } });
  expect(run.code).toBe(0);
  expect(withId(run, 'settings.user')).toMatchObject([
    { status: 'warning', detail: expect.stringContaining('settings.json:3:15: limits.readLines') },
    { status: 'warning', detail: expect.stringContaining('settings.json:2:3: modle') },
  ]);
  expect(withId(run, 'settings')).toMatchObject([
    { status: 'warning', detail: expect.stringContaining('TAU_THINKING') },
  ]);
});

test('a hundred mistakes in one file do not fill the screen, and those left out are counted', async () => {
  const sandbox = privateHome();
  const wrong = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`nonsense${number}`, 1]));
  sandbox.write(join(sandbox.tauHome, 'settings.json'), JSON.stringify(wrong));
  const found = withId(await sandbox.tau(['doctor', '--json']), 'settings.user');
  expect(found).toHaveLength(21);
  expect(found.at(-1)?.detail).toContain('80 more');
});

test('a rule that means nothing is a warning, and what was allowed for good in a broken file is a problem', async () => {
  const sandbox = privateHome();
  sandbox.write(join(sandbox.tauHome, 'settings.json'), '{ "permissions": { "allow": ["bsah(npm test)"] } }');
  const run = await sandbox.tau(['doctor', '--json']);
  expect(run.code).toBe(0);
  expect(withId(run, 'rules')).toMatchObject([{ status: 'warning', detail: expect.stringContaining('bsah') }]);
  sandbox.write(join(sandbox.tauHome, 'permissions.json'), '{ nonsense');
  const broken = await sandbox.tau(['doctor', '--json']);
  expect(broken.code).toBe(1);
  expect(withId(broken, 'rules')).toMatchObject([
    { status: 'problem', detail: expect.stringContaining('permissions.json cannot be used') },
  ]);
});

test('what a project says without being trusted is a note that names tau trust', async () => {
  const sandbox = privateHome({ git: true });
  sandbox.write('.tau/settings.json', '{ "apiKeyHelper": "touch helped", "permissionMode": "dangerously" }');
  const run = await sandbox.tau(['doctor', '--json']);
  expect(withId(run, 'trust')).toMatchObject([
    { status: 'note', detail: expect.stringContaining('is not trusted'), remedy: expect.stringContaining('tau trust') },
  ]);
  expect(withId(run, 'credentials')).toMatchObject([{ status: 'warning', detail: 'there is none for any provider' }]);
  expect(existsSync(join(sandbox.project, 'helped'))).toBe(false);
});

test('keys are told by provider and place; of their values nothing is shown, and no helper is run', async () => {
  const sandbox = privateHome();
  const [variable, literal, kept] = ['mykey-0123456789-abcd-WXYZ', 'literal-0123456789-KLMN', 'stored-0123456789-PQRS'];
  const described = { baseUrl: 'https://mine.invalid', api: 'anthropic-messages', models: [{ id: 'm' }] };
  const providers = {
    mine: { ...described, apiKey: literal },
    asked: { ...described, apiKey: '!touch asked-a-command' },
  };
  const private600 = (name: string, text: string) => {
    sandbox.write(join(sandbox.tauHome, name), text);
    chmodSync(join(sandbox.tauHome, name), 0o600);
  };
  private600('models.json', JSON.stringify({ providers }));
  private600('auth.json', JSON.stringify({ openai: { type: 'api_key', key: kept } }));
  for (const flags of [['--json'], []]) {
    const run = await sandbox.tau(['doctor', ...flags], { env: { ANTHROPIC_API_KEY: variable } });
    expect(run.code).toBe(0);
    for (const word of ['anthropic (ANTHROPIC_API_KEY)', 'mine (models.json)', 'openai (auth.json)']) {
      expect(run.stdout).toContain(word);
    }
    expect(run.stdout).toContain('asked (a command in models.json)');
    expect(run.stdout).not.toMatch(/WXYZ|KLMN|PQRS/);
  }
  sandbox.write(join(sandbox.tauHome, 'settings.json'), '{ "apiKeyHelper": "touch asked-the-helper" }');
  expect((await sandbox.tau(['doctor'])).stdout).toContain('the apiKeyHelper of the settings');
  expect(readdirSync(sandbox.project)).toEqual([]);
});

test('an auth.json that others can read is a problem with the line to type, and it is not touched', async () => {
  const sandbox = privateHome();
  const file = join(sandbox.tauHome, 'auth.json');
  sandbox.write(file, JSON.stringify({ openai: { type: 'api_key', key: 'stored-0123456789-PQRS' } }));
  chmodSync(file, 0o644);
  const run = await sandbox.tau(['doctor', '--json']);
  expect(run.code).toBe(1);
  expect(withId(run, 'files.auth.json')).toMatchObject([
    { status: 'problem', detail: expect.stringContaining('mode 0644'), remedy: `chmod 600 ${file}` },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o644);
});

test.each([
  ['auth.json', '{ nonsense', 'credentials'],
  ['models.json', '{ "providers": 7 }', 'models'],
])('a broken %s is named with what to do', async (name, text, id) => {
  const sandbox = privateHome();
  sandbox.write(join(sandbox.tauHome, name), text);
  chmodSync(join(sandbox.tauHome, name), 0o600);
  const run = await sandbox.tau(['doctor', '--json']);
  const [found] = withId(run, id).filter(({ detail }) => detail.includes(name));
  expect(found?.status).toMatch(/^(problem|warning)$/);
  expect(found?.remedy).toMatch(/\w/);
});

test('the model that the settings choose has no key: that is said, with its name', async () => {
  const sandbox = privateHome({ settings: { model: 'openai/gpt-5' } });
  const run = await sandbox.tau(['doctor', '--json'], { env: { ANTHROPIC_API_KEY: 'mykey-0123456789-abcd-WXYZ' } });
  expect(withId(run, 'credentials')[1]).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('none for openai'),
    remedy: expect.stringContaining('tau auth set openai'),
  });
});

test('proxies are shown without their passwords, and one that tau cannot use is a problem', async () => {
  const sandbox = privateHome();
  const user = 'jo:hidden-word';
  const env = { HTTPS_PROXY: `http://${user}@proxy.invalid:3128/x`, NO_PROXY: 'localhost' };
  const run = await sandbox.tau(['doctor', '--json'], { env });
  expect(run.code).toBe(0);
  expect(withId(run, 'proxy')[0]?.detail).toBe('HTTPS_PROXY=http://***@proxy.invalid:3128, not for localhost');
  expect(run.stdout).not.toContain('hidden-word');
  const socks = await sandbox.tau(['doctor', '--json'], { env: { ALL_PROXY: `socks5://${user}@127.0.0.1:1` } });
  expect(socks.code).toBe(1);
  expect(withId(socks, 'proxy')).toMatchObject([{ status: 'problem', detail: expect.stringContaining('SOCKS') }]);
  expect(socks.stdout).not.toContain('hidden-word');
});

test('certificates that are missing, broken or not looked at are problems', async () => {
  const sandbox = privateHome({ settings: { caFile: 'company.pem' } });
  const missing = await sandbox.tau(['doctor', '--json']);
  expect(withId(missing, 'certificates')).toMatchObject([
    { status: 'problem', detail: expect.stringContaining('company.pem is not there') },
  ]);
  sandbox.write(join(sandbox.tauHome, 'company.pem'), 'just words');
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_EXTRA_CA_CERTS: '/nowhere.pem' };
  const found = withId(await sandbox.tau(['doctor', '--json'], { env }), 'certificates');
  expect(found.map(({ status }) => status)).toEqual(['problem', 'problem', 'warning']);
});

/** A program outside of the project. Returns its folder. */
function program(sandbox: Sandbox, name: string, script: string, folder = join(sandbox.home, 'bin')): string {
  sandbox.write(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

test('programs that the project, the temp folder or everybody supplies are named and not started', async () => {
  const sandbox = privateHome({ git: true });
  const canary = join(sandbox.home, 'canary');
  const temp = join(sandbox.home, '../tmp/bin');
  const open = join(sandbox.home, 'open');
  for (const folder of [sandbox.project, join(sandbox.project, 'bin'), temp, open]) {
    for (const name of ['git', 'rg', 'bash', 'zsh', 'bwrap', 'node']) {
      program(sandbox, name, `echo $0 >> '${canary}'; echo git version 9.9.9`, folder);
    }
  }
  chmodSync(open, 0o777);
  mkdirSync(join(sandbox.project, 'sub'));
  const path = ['', '.', 'bin', join(sandbox.project, 'bin'), temp, open, process.env.PATH].join(':');
  const run = await sandbox.tau(['doctor', '--json'], { env: { PATH: path }, cwd: join(sandbox.project, 'sub') });
  expect(run.code).toBe(0);
  expect(existsSync(canary)).toBe(false);
  const [found] = withId(run, 'path');
  expect(found).toMatchObject({ status: 'warning', remedy: expect.any(String) });
  for (const word of ['an empty entry', '. (it is relative', 'bin (it is in the project)', 'in the temp folder']) {
    expect(found?.detail).toContain(word);
  }
  expect(found?.detail).toContain('and 1 more');
  expect(run.stdout).not.toContain('9.9.9');
});

test('programs are asked for their version outside of the project, without what the environment says', async () => {
  const sandbox = privateHome();
  const bin = program(sandbox, 'git', `pwd > "$HOME/where"; env > "$HOME/with"; echo git version 2.45.1`);
  const env = { PATH: `${bin}:${process.env.PATH}`, GIT_DIR: '/elsewhere', SOME_SECRET: 'x', ANTHROPIC_API_KEY: 'y' };
  const run = await sandbox.tau(['doctor', '--json'], { env });
  expect(withId(run, 'git')).toMatchObject([{ status: 'ok', detail: `${bin}/git 2.45.1` }]);
  expect(sandbox.read(join(sandbox.home, 'where'))).toBe('/\n');
  expect(sandbox.read(join(sandbox.home, 'with'))).not.toMatch(/GIT_DIR|SOME_SECRET|ANTHROPIC/);
});

test.each([
  ['2.20.1', 'switched off'],
  ['2.37.9', 'safe.bareRepository'],
])('git %s is too old, and it is said for what', async (version, words) => {
  const sandbox = privateHome();
  const bin = program(sandbox, 'git', `echo git version ${version}`);
  const run = await sandbox.tau(['doctor', '--json'], { env: { PATH: `${bin}:${process.env.PATH}` } });
  expect(withId(run, 'git')).toMatchObject([{ status: 'warning', detail: expect.stringContaining(words) }]);
});

test('a program that hangs is given up, and one that is missing is told with what works less', async () => {
  const sandbox = privateHome();
  const bin = program(sandbox, 'git', 'exec sleep 60');
  const hung = await sandbox.tau(['doctor', '--json'], { env: { PATH: `${bin}:${process.env.PATH}` } });
  expect(withId(hung, 'git')).toMatchObject([{ status: 'warning', detail: expect.stringContaining('does not tell') }]);
  const empty = join(sandbox.home, 'empty');
  mkdirSync(empty);
  const run = await sandbox.tau(['doctor', '--json'], { env: { PATH: empty } });
  expect(run.code).toBe(0);
  expect(withId(run, 'git')).toMatchObject([{ status: 'warning', detail: expect.stringContaining('not found') }]);
});

test('the shell of the settings is shown, and one that is not there is a problem', async () => {
  const sandbox = privateHome({ settings: { shell: '/bin/sh' } });
  const run = await sandbox.tau(['doctor', '--json']);
  expect(withId(run, 'shell')).toMatchObject([{ status: 'ok', detail: '/bin/sh, as the setting shell says' }]);
  sandbox.write(join(sandbox.tauHome, 'settings.json'), '{ "shell": "nosuchshell" }');
  const none = await sandbox.tau(['doctor', '--json']);
  expect(none.code).toBe(1);
  expect(withId(none, 'shell')).toMatchObject([{ status: 'problem', detail: expect.stringContaining('nosuchshell') }]);
});

test('sessions are counted with their size, and those that cannot be read are named', async () => {
  const sandbox = await converse([says('one'), says('two')]);
  await sandbox.tau(['-p', 'a']);
  await sandbox.tau(['-p', 'b']);
  sandbox.write(join(sandbox.tauHome, 'sessions/--x--/broken.jsonl'), 'no session at all\n');
  const run = await sandbox.tau(['doctor', '--json']);
  expect(withId(run, 'sessions')).toMatchObject([
    { status: 'ok', detail: expect.stringMatching(/^2 in .*sessions, [\d.]+ (B|KB)$/) },
    { status: 'warning', detail: expect.stringContaining('broken.jsonl') },
  ]);
});

test('terminal, unknown arguments and help', async () => {
  const sandbox = privateHome();
  const run = await sandbox.tau(['doctor', '--json'], { env: { LANG: 'C', TERM: 'xterm', TMUX: '/tmp/x,1,0' } });
  expect(withId(run, 'unicode')).toMatchObject([{ status: 'note', detail: expect.stringContaining('LANG=C') }]);
  expect(withId(run, 'terminal')).toMatchObject([{ status: 'ok', detail: expect.stringContaining('inside tmux') }]);
  expect(await sandbox.tau(['doctor', 'now'])).toMatchObject({ code: 2, stdout: '' });
  expect(await sandbox.tau(['doctor', '--jsno'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--json') });
  expect(await sandbox.tau(['doctor', '-h'])).toMatchObject({ code: 0, stdout: expect.stringContaining('tau doctor') });
  expect((await sandbox.tau(['--help'])).stdout).toContain('tau doctor');
});
