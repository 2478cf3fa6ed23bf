/**
 * Opening a stranger's repository runs nothing and leaks nothing (incident 16). Whatever is known to start by itself is
 * planted in it, the command is traced, and neither a program of the folder nor a call to anybody but the model is seen.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gitShapes } from '@tau/testkit';
import { expect, test } from 'vitest';
import { traced } from './connections.ts';
import { call, calls, request, resultsIn, says } from './conversation.ts';
import { plantedIn, stranger } from './hostile.ts';

test('the traps are traps: git, a shell and a trusting tau fall into them', async () => {
  const { home, project, repo, tau, read, write } = await stranger([says('never')]);
  const careless = (line: string, PATH = process.env.PATH ?? '') => {
    repo.clear();
    try {
      execFileSync('/bin/bash', ['-c', line], { cwd: project, env: { PATH, HOME: home }, stdio: 'pipe' });
    } catch {
      // Some of them end in an error afterwards.
    }
    return repo.marks().join('\n');
  };
  expect(careless('git status')).toMatch(/canary\.sh.*\n.*filter\.process/s);
  expect(careless('git diff')).toContain('canary.sh');
  expect(careless('git -C bare status')).toContain('canary.sh');
  expect(careless('git st')).toContain('alias.st');
  expect(careless('cd sub && git status')).toContain('canary.sh');
  expect(careless('ls', repo.path)).toContain('./ls');
  expect(careless(`. ./.envrc; ${process.execPath} -e 0`)).toContain('canary.js');
  // They were called while nobody could listen.
  await expect.poll(() => repo.callers()).toBeGreaterThan(0);

  // Some of its settings stop tau, once they count: these two start something.
  const { hooks, baseUrl } = JSON.parse(read('.tau/settings.json'));
  write('.tau/settings.json', JSON.stringify({ hooks, baseUrl }));
  expect((await tau(['trust', 'yes', '--yes'])).code).toBe(0);
  repo.clear();
  const run = await traced({ home, project }, ['-p', 'hi']);
  expect(repo.marks().join('\n')).toContain('hook:SessionStart');
  expect(repo.marks().join('\n')).toContain('local:SessionStart');
  expect(repo.callers()).toBeGreaterThan(0);
  expect(plantedIn(run, project)).not.toEqual([]);
});

test.each(gitShapes)('an answer in a hostile folder (git: %s), with the state of git in the prompt', async (shape) => {
  const { open, model, project } = await stranger([says('hello')], shape, {
    settings: { gitContext: { enabled: true, maxDiffLines: 20 } },
  });
  const run = await open(['-p', 'hi']);
  expect(run).toMatchObject({ code: 0, stdout: 'hello\n' });
  expect(model.requests).toHaveLength(1);
  const asked = run.started.filter(({ path }) => path.endsWith('/git'));
  expect(asked.length > 0).toBe(shape === 'folder' || shape === 'file');
  expect(asked.filter(({ path }) => path.startsWith(project))).toEqual([]);
});

test.each(['text', 'json', 'stream-json'])(
  'an answer as %s, where PATH leads into the folder, in CI as anywhere',
  async (format) => {
    const { open, repo } = await stranger([says('hello')], 'folder', { settings: { gitContext: { enabled: true } } });
    const env = { PATH: repo.path, CI: 'true', GITHUB_ACTIONS: 'true' };
    const run = await open(['-p', 'hi', '--output-format', format], { env });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('hello') });
    expect(run.stderr).toContain('This project is not trusted');
  },
);

const files = [
  call('ls', { path: '.' }),
  call('glob', { pattern: '**/*' }),
  call('grep', { pattern: 'needle|word', path: '.' }),
  call('read', { path: 'src/a.txt' }),
  call('read', { path: 'id_rsa.txt' }),
  call('read', { path: 'keys/id_rsa' }),
  call('read', { path: 'pipe.txt' }),
];
/** Outside, and no credentials: `dangerously` is what reads them. */
const outside = call('read', { path: 'notes.md' });
const gitLooks = [
  'git status',
  'git diff; git log -p',
  'cd inner && git status',
  'git -C bare log',
  'cd sub; git diff',
];
const plainLooks = ['cat src/a.txt; ls -la', 'find . -name a.txt', 'grep -rn needle src', 'head -3 Makefile | wc -l'];
const bash = (command: string) => call('bash', { command });

/** Some results in the next request, in the order of the calls. */
const looksAround = (lines: readonly string[]) => [calls(...files, ...lines.map(bash)), says('done')];

function expectLooked(told: readonly string[]): void {
  const [list = '', found = '', matches = '', text = '', ...refused] = told;
  expect(list).toContain('AGENTS.md');
  expect(found).toContain('src/a.txt');
  expect(matches).toContain('needle in a plain file');
  expect(text).toContain('needle in a plain file');
  for (const one of refused.slice(0, 3)) expect(one).toMatch(/^(Not allowed|Cannot read)/);
}

test.each(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk'])(
  'looking around in %s mode starts nothing of the folder, not even by git',
  async (mode) => {
    const calling = [...files, outside, ...[...gitLooks, ...plainLooks].map(bash)];
    const { open, model } = await stranger([calls(...calling), says('done')]);
    const run = await open(['-p', 'go', '--permission-mode', mode]);
    expect(run.stdout).toBe('done\n');
    const told = resultsIn(request(model, 1)).map(({ text }) => text);
    expect(told).toHaveLength(calling.length);
    expectLooked(told);
    const [others, plains] = [told.slice(files.length, -plainLooks.length), told.slice(-plainLooks.length)];
    for (const one of others) expect(one).toMatch(/^Not allowed/);
    for (const one of plains) expect(one).not.toMatch(/^Not allowed/);
  },
);

test.each(['default', 'trustProject', 'dangerously'])(
  'where PATH leads into the folder, looking around by tools in %s mode starts nothing of it',
  async (mode) => {
    const { open, model, repo } = await stranger(looksAround([]));
    const run = await open(['-p', 'go', '--permission-mode', mode], { env: { PATH: repo.path } });
    expect(run.stdout).toBe('done\n');
    expectLooked(resultsIn(request(model, 1)).map(({ text }) => text));
  },
);

test.each(['trustProject', 'dangerously'])(
  'in %s mode the commands of the model run, and nothing of the folder by itself',
  async (mode) => {
    const { open, model } = await stranger([
      calls(...plainLooks.map(bash), bash('echo made > made.txt')),
      says('done'),
    ]);
    const run = await open(['-p', 'go', '--permission-mode', mode]);
    expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
    const told = resultsIn(request(model, 1)).map(({ text }) => text);
    expect(told.filter((text) => text.startsWith('Not allowed'))).toEqual([]);
  },
);

test.each(['src', 'bare', 'docs/deep'])(
  'started in %s of the folder, its programs are not found either',
  async (at) => {
    const lines = ['ls', 'git status', 'cat a.txt'];
    const { open, project, write, read, tauHome, model } = await stranger(
      [calls(call('grep', { pattern: 'needle' }), ...lines.map(bash)), says('done')],
      'folder',
      {
        settings: {
          gitContext: { enabled: true },
          hooks: [{ event: 'SessionStart', command: 'jq .' }],
        },
      },
    );
    write(join(at, 'a.txt'), 'needle\n');
    // The user's own command for the key names programs too.
    const models = join(tauHome, 'models.json');
    write(models, read(models).replace('"test-key"', '"!pass; jq; echo test-key"'));
    const PATH = `${join(project, 'bin')}:${process.env.PATH}`;
    const run = await open(['-p', 'go'], { env: { PATH }, cwd: join(project, at) });
    expect(run.stdout).toBe('done\n');
    const [found, ...commands] = resultsIn(request(model, 1)).map(({ text }) => text);
    expect(found).toContain('needle');
    for (const one of commands) expect(one).toMatch(/^Not allowed/);
  },
);

test('hooks of the user’s own run, and start nothing of the folder, by plain names or by its variable', async () => {
  const strange = [
    'jq .',
    'ls | cat',
    '"$CLAUDE_PROJECT_DIR"/canary.sh',
    `$\{TAU_PROJECT_DIR}/canary.sh`,
    '$PWD/canary.sh',
  ];
  const commands = ['echo ran > "$HOME/ran"', ...strange];
  const { open, repo, home, read } = await stranger([says('hello')], 'folder', {
    settings: { hooks: commands.map((command) => ({ event: 'SessionStart', command })) },
  });
  const run = await open(['-p', 'hi'], { env: { PATH: repo.path } });
  expect(read(join(home, 'ran'))).toBe('ran\n');
  expect(run.stderr).toContain('is a program of this project, which is not trusted');
});

/** What the terminal shows, in the order in which it is answered. */
const leave = { after: '> ', keys: '\u0004' };
const sayNo = { after: 'Trust this project? (y/N/never) ', keys: 'n\r' };

test('the line mode: a question, an answer with tools, and nothing of the folder ran', async () => {
  const { open, repo, model } = await stranger([calls(...files, outside), says('done')], 'folder', {
    settings: { gitContext: { enabled: true } },
  });
  const run = await open([], {
    env: { PATH: repo.path },
    typed: [
      sayNo,
      { after: '> ', keys: 'go\r' },
      { after: 'Allow? (', keys: 'n\r' },
      { after: 'done', keys: '' },
      { after: '> ', keys: '/session\r' },
      { after: '> ', keys: '/permissions\r' },
      { after: '> ', keys: '/hooks\r' },
      leave,
    ],
  });
  expect(run.code).toBe(0);
  expect(model.requests).toHaveLength(2);
});

test('the line mode that is left at the question called nobody at all', async () => {
  const { open, model } = await stranger([says('never')]);
  const run = await open([], { typed: [{ ...sayNo, keys: '\u0004' }] });
  expect(run.code).toBe(0);
  expect(model.requests).toHaveLength(0);
  expect(run.reached.filter((one) => !one.includes('/nscd/socket'))).toEqual([]);
});
