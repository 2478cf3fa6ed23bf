/** Where the machine says no: a clear error, the right exit code, and nothing of what was there is lost. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says, talkIn } from './conversation.ts';
import { giveAway, hindered } from './faults.ts';
import { linesOf, onlySession, outlineOf, sessionFiles } from './sessions.ts';

const free = ['--permission-mode', 'dangerously'];
const long = 'a long line of words\n'.repeat(3000);

describe('a full disk', () => {
  test('a prompt that cannot be kept is not sent: exit 1 with the way out, and the session as it was', async () => {
    const sandbox = await converse([says('one'), says('two')]);
    await sandbox.tau(['-p', long]);
    const path = onlySession(sandbox.tauHome);
    const before = sandbox.read(path);
    const run = await hindered(sandbox, ['-p', '-c', 'more'], { fileKb: 8 });
    expect(run).toMatchObject({ code: 1, signal: null, stdout: '' });
    expect(run.stderr).toContain(`tau: The session could not be saved to ${path}: EFBIG`);
    expect(run.stderr).toContain('--no-session');
    expect(sandbox.model.requests).toHaveLength(1);
    expect(sandbox.read(path)).toBe(before);
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(await sandbox.tau(['-p', '-c', 'more'])).toMatchObject({ code: 0, stdout: 'two\n', stderr: '' });
  });

  test('an answer that cannot be kept ends the run: exit 1, and every line of the session is whole', async () => {
    const sandbox = await converse([{ blocks: [{ text: long }], chunk: 10_000 }, says('after')]);
    const run = await hindered(sandbox, ['-p', 'hi'], { fileKb: 16 });
    expect(run).toMatchObject({ code: 1, signal: null, stderr: expect.stringContaining('could not be saved') });
    expect(outlineOf(onlySession(sandbox.tauHome))).toEqual(['session', 'model_change', 'message user']);
    expect(await sandbox.tau(['-p', '-c', 'again'])).toMatchObject({ code: 0, stdout: 'after\n', stderr: '' });
    expect(talkIn(request(sandbox.model, 1))).toEqual(['user: hi', 'user: again']);
  });

  test('a tool result that cannot be kept ends the run, and -c tells the model that the effect is uncertain', async () => {
    const command = `printf x >> effect.txt; head -c 40000 big.txt`;
    const sandbox = await converse([calls(call('bash', { command }, 'c1')), says('after')]);
    sandbox.write('big.txt', long);
    const run = await hindered(sandbox, ['-p', 'go', ...free], { fileKb: 16 });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be saved') });
    expect(linesOf(onlySession(sandbox.tauHome)).length).toBeGreaterThan(3);
    expect((await sandbox.tau(['-p', '-c', 'again'])).code).toBe(0);
    const told = [{ id: 'c1', text: expect.stringContaining('It may have happened') }];
    expect(resultsIn(request(sandbox.model, 1))).toEqual(told);
    expect(sandbox.read('effect.txt')).toBe('x');
  });

  test('a file that cannot be written keeps its old content, nothing is left beside it, and the model is told', async () => {
    const write = call('write', { path: 'a.txt', content: long }, 'c2');
    const sandbox = await converse([calls(call('read', { path: 'a.txt' }, 'c1')), calls(write), says('I see')]);
    sandbox.write('a.txt', 'old\n');
    const run = await hindered(sandbox, ['-p', 'go', '--no-session', ...free], { fileKb: 16 });
    expect(run).toMatchObject({ code: 0, stdout: 'I see\n' });
    expect(resultsIn(request(sandbox.model, 2))[1]?.text).toMatch(/^Cannot write a\.txt: .*(?:large|EFBIG|space)/);
    expect(sandbox.read('a.txt')).toBe('old\n');
    expect(readdirSync(sandbox.project)).toEqual(['a.txt']);
  });

  test('an output whose whole cannot be kept is told as such', async () => {
    const sandbox = await converse([calls(call('bash', { command: 'seq 100000' }, 'c1')), says('ok')]);
    const run = await hindered(sandbox, ['-p', 'go', '--no-session', ...free], { fileKb: 64 });
    expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
    const [result] = resultsIn(request(sandbox.model, 1));
    expect(result?.text).toMatch(
      /^\[output cut: showing the last \d+ lines of 100000; the whole output could not be kept \(EFBIG/,
    );
    expect(result?.text.endsWith('\n100000')).toBe(true);
  });
});

describe('a temporary folder', () => {
  test.each([
    ['that is not there', (path: string) => rmSync(path, { recursive: true })],
    [
      'that is a file',
      (path: string) => {
        rmSync(path, { recursive: true });
        writeFileSync(path, '');
      },
    ],
  ])('%s: the end of a long output is shown, and that the whole was not kept', async (_, spoil) => {
    const sandbox = await converse([calls(call('bash', { command: 'seq 100000' }, 'c1')), says('ok')]);
    spoil(join(dirname(sandbox.home), 'tmp'));
    expect(await hindered(sandbox, ['-p', 'go', ...free])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
    const [result] = resultsIn(request(sandbox.model, 1));
    expect(result?.text).toContain('the whole output could not be kept');
    expect(result?.text.endsWith('\n100000')).toBe(true);
  });

  test('that nobody may write to: the same', async () => {
    const sandbox = await converse([calls(call('bash', { command: 'seq 100000' }, 'c1')), says('ok')]);
    giveAway(sandbox);
    chmodSync(join(dirname(sandbox.home), 'tmp'), 0o500);
    const run = await hindered(sandbox, ['-p', 'go', ...free], { unprivileged: true });
    expect(run).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
    expect(resultsIn(request(sandbox.model, 1))[0]?.text).toContain('could not be kept');
  });
});

describe('a home', () => {
  test.each([
    ['sessions folder', ['sessions']],
    ['~/.tau', []],
  ])('whose %s may not be written to: exit 1 before anything is sent, with the way out', async (_, below) => {
    const sandbox = await converse([says('ok')]);
    const folder = join(sandbox.tauHome, ...below);
    mkdirSync(folder, { recursive: true });
    giveAway(sandbox);
    chmodSync(folder, 0o500);
    const run = await hindered(sandbox, ['-p', 'hi'], { unprivileged: true });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^tau: The session could not be saved to .*: EACCES.*--no-session\)\n$/);
    expect(sandbox.model.requests).toHaveLength(0);
    const without = await hindered(sandbox, ['-p', 'hi', '--no-session'], { unprivileged: true });
    expect(without).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  });

  test('whose session may not be written to can still be read and copied', async () => {
    const sandbox = await converse([says('one'), says('two')]);
    await sandbox.tau(['-p', 'hi']);
    const path = onlySession(sandbox.tauHome);
    const before = sandbox.read(path);
    giveAway(sandbox);
    chmodSync(path, 0o400);
    chmodSync(dirname(path), 0o500);
    const refused = await hindered(sandbox, ['-p', '-c', 'more'], { unprivileged: true });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--session-dir') });
    const copies = join(sandbox.home, 'copies');
    const copied = await hindered(sandbox, ['-p', '--fork', path, '--session-dir', copies, 'more'], {
      unprivileged: true,
    });
    expect(copied).toMatchObject({ code: 0, stdout: 'two\n' });
    expect(talkIn(request(sandbox.model, 1))).toEqual(['user: hi', 'assistant: one', 'user: more']);
    expect(sandbox.read(path)).toBe(before);
  });

  test('that is not there is made, private', async () => {
    const sandbox = await converse([says('ok')]);
    const home = join(dirname(sandbox.home), 'new');
    // Without a home there is no models.json either, so the model is named by its address.
    const where = ['--model', 'anthropic/claude-sonnet-4-5', '--base-url', sandbox.model.url, '--api-key', 'test-key'];
    const run = await hindered(sandbox, ['-p', 'hi', ...where], { env: { HOME: home } });
    expect(run).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
    expect(sessionFiles(home)).toHaveLength(1);
    expect(statSync(join(home, '.tau')).mode & 0o777).toBe(0o700);
  });
});

describe('a working folder', () => {
  test('that goes away during the run: each tool says so, and the run ends well', async () => {
    const sandbox = await converse([
      calls(call('bash', { command: 'rm -rf "$PWD"' }, 'c1')),
      calls(
        call('bash', { command: 'echo hi' }, 'c2'),
        call('read', { path: 'a.txt' }, 'c3'),
        call('ls', {}, 'c4'),
        call('grep', { pattern: 'x' }, 'c5'),
      ),
      says('it is gone'),
    ]);
    sandbox.write('a.txt', 'x');
    const run = await hindered(sandbox, ['-p', 'go', ...free]);
    expect(run).toMatchObject({ code: 0, stdout: 'it is gone\n', stderr: '' });
    const [, ...told] = resultsIn(request(sandbox.model, 2));
    expect(told.map(({ id }) => id)).toEqual(['c2', 'c3', 'c4', 'c5']);
    for (const { text } of told) expect(text).toMatch(/folder|not found|no such file|does not exist/i);
    expect(told[0]?.text).toContain(sandbox.project);
    expect(outlineOf(onlySession(sandbox.tauHome)).at(-1)).toBe('message assistant');
    mkdirSync(sandbox.project);
  });
});

test('a session of a newer version is refused by its name, exit 2, and not touched', async () => {
  const { tau, tauHome, read, write, model } = await converse([says('one'), says('new')]);
  await tau(['-p', 'hi']);
  const path = onlySession(tauHome);
  const newer = read(path).replace('"version":3', '"version":4');
  write(path, newer);
  const run = await tau(['-p', '--session', path, 'more']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toBe(
    `tau: ${path} is a session of version 4, newer than this tau reads. Update tau, or start a new session.\n`,
  );
  expect((await tau(['-p', '-c', 'more'])).code).toBe(2);
  expect(model.requests).toHaveLength(1);
  expect(await tau(['-p', 'something new'])).toMatchObject({ code: 0, stdout: 'new\n', stderr: '' });
  expect(read(path)).toBe(newer);
  expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.lock'))).toEqual([]);
});
