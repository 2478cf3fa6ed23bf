/** Temp files are new, private and under names nobody knows before (incident 32): what others planted is neither used nor touched. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';

const uid = process.getuid?.() ?? 0;
/** Names that other programs would take. */
const guesses = [
  ...['tau', `tau-${uid}`, 'tau-out', 'tau-out-', 'tau-out-000000', 'tau-out-XXXXXX', 'tau-git-', 'tau-git-XXXXXX'],
  ...['output.log', 'result.txt', 'page.md', 'tau.tmp', '.tau.tmp'],
];

test('a long output goes into a new private file, past everything that lies in wait', async () => {
  const command = 'seq 1 60000';
  const sandbox = await converse([calls(call('bash', { command })), calls(call('bash', { command })), says('ok')], {
    git: true,
    settings: { gitContext: { level: 'full' } },
  });
  const shared = join(dirname(sandbox.project), 'shared');
  const trap = join(dirname(sandbox.project), 'trap');
  mkdirSync(shared);
  // As /tmp is: everybody may write, nobody may take away what is another's.
  chmodSync(shared, 0o1777);
  mkdirSync(trap);
  writeFileSync(join(trap, 'output.log'), 'untouched');
  for (const [at, name] of guesses.entries())
    symlinkSync(at % 2 === 0 ? trap : join(trap, 'output.log'), join(shared, name));

  await sandbox.tau(['-p', 'go', '--allow', 'bash'], { env: { TMPDIR: shared } });
  const told = resultsIn(request(sandbox.model, 2)).map(({ text }) => text);
  const paths = told.map((text) => /whole output in (\S+\.log)/.exec(text)?.[1] ?? '');
  expect(new Set(paths).size).toBe(2);
  for (const path of paths) {
    expect(dirname(dirname(path))).toBe(shared);
    expect(dirname(path)).toMatch(/tau-out-[A-Za-z0-9]{6}$/);
    expect(guesses).not.toContain(dirname(path).slice(shared.length + 1));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(path).uid).toBe(uid);
    expect(readFileSync(path, 'utf8')).toContain('\n59999\n60000\n');
  }
  expect(readdirSync(trap)).toEqual(['output.log']);
  expect(readFileSync(join(trap, 'output.log'), 'utf8')).toBe('untouched');
  // Nothing else is left, neither here nor beside what was written.
  const left = readdirSync(shared).filter((name) => !guesses.includes(name));
  expect(left.sort()).toEqual(paths.map((path) => dirname(path).slice(shared.length + 1)).sort());
});

test('a file is replaced by way of a name that nobody could have planted', async () => {
  const sandbox = await converse([
    calls(call('read', { path: 'a.txt' })),
    calls(call('write', { path: 'a.txt', content: 'new' })),
    says('ok'),
  ]);
  sandbox.write('a.txt', 'old');
  sandbox.write('victim', 'untouched');
  for (const name of ['a.txt.tmp', '.a.txt.tmp', '.tau-a.txt.tmp', '.tau-.tmp', 'a.txt~', '.a.txt.swp']) {
    symlinkSync(join(sandbox.project, 'victim'), join(sandbox.project, name));
  }
  const before = readdirSync(sandbox.project).sort();
  await sandbox.tau(['-p', 'go', '--permission-mode', 'acceptEdits']);
  expect(sandbox.read('a.txt')).toBe('new');
  expect(sandbox.read('victim')).toBe('untouched');
  expect(readdirSync(sandbox.project).sort()).toEqual(before);
});
