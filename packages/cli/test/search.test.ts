import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';

const cli = fileURLToPath(new URL('../', import.meta.url));

const steps = [
  calls(
    call('grep', { pattern: 'needle' }, 'g_1'),
    call('glob', { pattern: '*.txt' }, 'g_2'),
    call('ls', { path: 'docs' }, 'g_3'),
  ),
  says('ok'),
];

test.each(apis)('grep, glob and ls: what they find is in the next request, over %s', async (api) => {
  const { tau, model, write } = await converse(steps, { api });
  write('.gitignore', 'dist/\n');
  write('dist/a.txt', 'needle\n');
  write('docs/b.txt', 'one\nneedle two\n');
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(resultsIn(request(model, 1))).toEqual([
    { id: 'g_1', text: 'docs/b.txt:2:needle two' },
    { id: 'g_2', text: 'docs/b.txt' },
    { id: 'g_3', text: 'b.txt' },
  ]);
});

test("calls with Claude's parameters are understood", async () => {
  const input = { pattern: 'NEEDLE', '-i': true, '-n': true, output_mode: 'content', type: 'ts', head_limit: '1' };
  const { tau, model, write } = await converse([calls(call('grep', input)), says('ok')]);
  write('a.ts', 'needle 1\nneedle 2\n');
  write('b.md', 'needle 3\n');
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))[0]?.text).toMatch(/^a\.ts:1:needle 1\n\[The first 1 matches; there are more/);
});

test('a deny rule for reading hides its files from a search of the whole project', async () => {
  const blocks = calls(
    call('grep', { pattern: 'needle' }),
    call('glob', { pattern: '*' }),
    call('grep', { pattern: 'needle', path: 'secrets' }),
    call('ls', { path: 'secrets' }),
  );
  const { tau, model, write } = await converse([blocks, says('ok')]);
  write('secrets/key', 'needle of gold\n');
  write('open', 'needle\n');
  expect((await tau(['-p', 'go', '--deny', 'read(./secrets:*)'])).code).toBe(0);
  const [grep = '', glob = '', ...inside] = resultsIn(request(model, 1)).map(({ text }) => text);
  expect(grep).toBe('open:1:needle\n[1 file left out: reading is denied, or asks first: name them in path.]');
  expect(glob).toBe('open\n[1 file left out: reading is denied, or asks first: name them in path.]');
  for (const text of inside) expect(text).toMatch(/^Not allowed: the rule read\(\.\/secrets:\*\) denies it/);
  expect(request(model, 1).raw).not.toContain('gold');
});

test('respectGitignore: false searches what git ignores', async () => {
  const { tau, model, write } = await converse(steps, { settings: { respectGitignore: false } });
  write('.gitignore', 'docs/\n');
  write('docs/b.txt', 'needle\n');
  expect((await tau(['-p', 'go'])).code).toBe(0);
  const texts = resultsIn(request(model, 1)).map(({ text }) => text);
  expect(texts).toEqual(['docs/b.txt:1:needle', 'docs/b.txt', 'b.txt']);
});

test('the ripgrep that is installed with tau is used', async () => {
  // Flags within a pattern are ripgrep's alone.
  const { tau, model, write } = await converse([calls(call('grep', { pattern: 'need(?i)LE' })), says('ok')]);
  write('a', 'needle\n');
  expect((await tau(['-p', 'go'], { env: { PATH: '/nowhere' } })).code).toBe(0);
  expect(resultsIn(request(model, 1))[0]?.text).toBe('a:1:needle');
});

test('without ripgrep anywhere the results are the same', async () => {
  // This engine alone refuses flags within a pattern, which shows that it is the one that answers.
  const told = calls(call('grep', { pattern: 'need(?i)LE' }, 'g_0'));
  const { model, write, home, project } = await converse([told, ...steps]);
  write('.gitignore', 'dist/\n');
  write('dist/a.txt', 'needle\n');
  write('docs/b.txt', 'one\nneedle two\n');
  // A copy of the command with nothing installed beside it, and no programs to be found.
  const copy = join(home, 'copy');
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(cli, part), join(copy, part), { recursive: true });
  const env = { HOME: home, PATH: join(home, 'none'), TMPDIR: home, TAU_SANDBOX_ENABLED: 'false' };
  await promisify(execFile)(process.execPath, [join(copy, 'bin/tau.cjs'), '-p', 'go'], { cwd: project, env });
  expect(resultsIn(request(model, 1))[0]?.text).toMatch(/flags like \(\?i\) can only be at its beginning/);
  expect(resultsIn(request(model, 2)).slice(1)).toEqual([
    { id: 'g_1', text: 'docs/b.txt:2:needle two' },
    { id: 'g_2', text: 'docs/b.txt' },
    { id: 'g_3', text: 'b.txt' },
  ]);
});
