/** Files that are none, where tau and git look by themselves: pipes, devices, folders, loops, and links to what is private. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Conversation, call, calls, converse, request, resultsIn, says } from './conversation.ts';

const places = [
  ...['.tau/settings.json', '.tau/settings.local.json', '.tau/SYSTEM.md', '.tau/APPEND_SYSTEM.md', '.tau/models.json'],
  ...['.tau/hooks/x', '.claude/settings.json', 'AGENTS.md', 'CLAUDE.md', 'src/AGENTS.md', '.gitignore', '.ignore'],
  ...[
    '.git/HEAD',
    '.git/config',
    '.git/index',
    '.git/packed-refs',
    '.git/info/exclude',
    '.git/shallow',
    '.gitattributes',
  ],
];

const secret = 'words-that-are-private';

const kinds: Readonly<Record<string, (path: string, home: string) => void>> = {
  'a pipe that nobody writes to': (path) => execFileSync('mkfifo', [path]),
  'a link to a device without an end': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a link to a private file': (path, home) => symlinkSync(join(home, '.ssh/id_rsa'), path),
  'a file of brackets': (path) => writeFileSync(path, '['.repeat(200_000)),
  'a file of zeros': (path) => writeFileSync(path, Buffer.alloc(2_000_000)),
};

const endless: ReadonlySet<string> = new Set(['a pipe that nobody writes to', 'a link to a device without an end']);

const looks = [
  call('ls', { path: '.' }),
  call('glob', { pattern: '**/*.txt' }),
  call('grep', { pattern: 'needle' }),
  call('read', { path: 'src/a.txt' }),
  call('bash', { command: 'git status' }),
];

async function oddPlace(kind: string, only: readonly string[]): Promise<Conversation> {
  const sandbox = await converse([calls(...looks), says('done')], {
    git: true,
    settings: { gitContext: { enabled: true } },
  });
  const { write, home, project } = sandbox;
  write(join(home, '.ssh/id_rsa'), `${secret}\n`);
  write('src/a.txt', 'needle\n');
  for (const place of only) {
    const path = join(project, place);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    kinds[kind]?.(path, home);
  }
  return sandbox;
}

const isSettings = (place: string) => place.startsWith('.tau/settings');
/** Read by ripgrep, with bounds of their own: see the tests of the search. */
const isIgnore = (place: string) => /ignore$|\/exclude$/.test(place);

test.each(Object.keys(kinds))(
  'everything that is looked at is %s: work goes on, and nothing private is told',
  async (kind) => {
    const { tau, model } = await oddPlace(
      kind,
      places.filter((place) => !isSettings(place) && !(endless.has(kind) && isIgnore(place))),
    );
    const run = await tau(['-p', 'go']);
    expect(run.stdout).toBe('done\n');
    const told = resultsIn(request(model, 1)).map(({ text }) => text);
    expect(told[0]).toContain('AGENTS.md');
    expect(told[1]).toContain('src/a.txt');
    expect(told[2]).toContain('needle');
    expect(told[3]).toContain('needle');
    expect(told[4]).toMatch(/^Not allowed/);
    for (const { raw } of model.requests) expect(raw).not.toContain(secret);
    expect(run.stdout + run.stderr).not.toContain(secret);
  },
);

test.each(Object.keys(kinds))(
  'settings that are %s: every command comes to an end, and none of it counts',
  async (kind) => {
    const { tau, model } = await oddPlace(kind, places.filter(isSettings));
    const commands = [
      ['-p', 'go'],
      ['trust', 'yes', '--yes'],
      ['trust'],
      ['doctor'],
      ['config', 'list'],
      ['permissions'],
    ];
    for (const args of commands) {
      const run = await tau(args);
      expect({ args, signal: run.signal }).toEqual({ args, signal: null });
      if (args[0] !== 'trust') expect(run.stdout + run.stderr).toContain('settings');
      expect(run.stdout + run.stderr).not.toContain(secret);
    }
    for (const { raw } of model.requests) expect(raw).not.toContain(secret);
  },
);

test('a search over an ignore file without an end fails, and the model goes on', async () => {
  const { tau, project, write, model } = await converse([calls(call('grep', { pattern: 'needle' })), says('done')]);
  write('src/a.txt', 'needle\n');
  symlinkSync('/dev/zero', join(project, 'src/.ignore'));
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(resultsIn(request(model, 1))[0]?.text).toContain('The search failed: memory allocation');
});
