/** `tau sessions`, and two processes that want the same session. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bareSandbox, converse, request, says, talkIn } from './conversation.ts';
import { at, list, textAt } from './json.ts';
import { linesOf, onlySession, outlineOf, sessionFiles } from './sessions.ts';

const lines = (text: string) => text.trimEnd().split('\n');

test('the sessions of this folder are listed, the one used last first, and --all adds the others', async () => {
  const { tau, project } = await converse([says('a'), says('b'), says('c')]);
  await tau(['-p', 'fix the\nfirst bug']);
  await tau(['-p', 'second']);
  await tau(['-p', 'elsewhere'], { cwd: dirname(project) });
  const run = await tau(['sessions']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const [head, ...rows] = lines(run.stdout);
  expect(head).toMatch(/^ID +USED +SIZE +MODEL +ABOUT$/);
  expect(rows).toEqual([
    expect.stringMatching(/^[0-9a-f-]{13,} +just now +1 KB +scripted\/scripted +second$/),
    expect.stringMatching(/ fix the first bug$/),
  ]);
  const all = await tau(['sessions', 'list', '--all', '--limit', '2']);
  expect(lines(all.stdout)[1]).toContain('elsewhere');
  expect(lines(all.stdout)).toHaveLength(3);
  expect(all.stderr).toBe('1 more: tau sessions --all --limit 3 lists them\n');
});

test('--json is everything that is known', async () => {
  const { tau, tauHome, project } = await converse([says('a')]);
  await tau(['-p', 'hello']);
  const path = onlySession(tauHome);
  const run = await tau(['sessions', '--json']);
  expect(JSON.parse(run.stdout)).toEqual([
    {
      id: textAt(linesOf(path)[0], 'id'),
      path,
      cwd: project,
      created: expect.any(String),
      modified: expect.any(String),
      firstPrompt: 'hello',
      model: 'scripted/scripted',
      size: readFileSync(path).length,
    },
  ]);
  const none = await tau(['sessions', '--json'], { cwd: dirname(project) });
  expect(none).toMatchObject({ code: 0, stdout: '[]\n' });
});

test('where there are none it says so, and a file that is none is a warning', async () => {
  const { tau, write, tauHome } = bareSandbox();
  expect(await tau(['sessions'])).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('--all') });
  write(join(tauHome, 'sessions', '--x--', 'bad.jsonl'), 'nothing\u001b[2J');
  const run = await tau(['sessions', '--all']);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('bad.jsonl is not a session') });
});

test('show tells what was said and done, and --json every entry', async () => {
  const { tau, tauHome } = await converse([
    { blocks: [{ text: 'I look' }, { call: 'bash', input: { command: 'echo one; echo two' } }] },
    says('It says \u001b[2Jone'),
  ]);
  await tau(['-p', 'look']);
  const path = onlySession(tauHome);
  const id = textAt(linesOf(path)[0], 'id');
  const run = await tau(['sessions', 'show', id.slice(0, 13)]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  for (const text of [id, path, '> look', 'I look', 'echo one; echo two', '  two', 'It says ^[[2Jone']) {
    expect(run.stdout).toContain(text);
  }
  const shown: unknown = JSON.parse((await tau(['sessions', 'show', 'last', '--json'])).stdout);
  expect(textAt(shown, 'id')).toBe(id);
  expect(list(at(shown, 'entries'))).toEqual(linesOf(path).slice(1));
});

test('name gives a name, by which the session is found, and takes it away again', async () => {
  const { tau, tauHome } = await converse([says('a'), says('b')]);
  await tau(['-p', 'hi']);
  const id = textAt(linesOf(onlySession(tauHome))[0], 'id');
  expect(await tau(['sessions', 'name', id, 'the bug hunt'])).toMatchObject({
    code: 0,
    stdout: `${id} is called the bug hunt now\n`,
  });
  expect((await tau(['sessions'])).stdout).toContain('[the bug hunt] hi');
  expect((await tau(['sessions', 'show', 'the bug hunt'])).stdout).toContain(id);
  // A name says nothing to the model.
  expect((await tau(['-p', '-c', 'on'])).code).toBe(0);
  expect(outlineOf(onlySession(tauHome))).toContain('session_info');
  expect(await tau(['sessions', 'name', 'the bug hunt', ''])).toMatchObject({ code: 0 });
  expect((await tau(['sessions'])).stdout).not.toContain('bug hunt');
});

test('delete removes a session for good', async () => {
  const { tau, tauHome } = await converse([says('a'), says('b')]);
  await tau(['-p', 'one']);
  await tau(['-p', 'two']);
  const [path = '', other = ''] = sessionFiles(tauHome);
  const run = await tau(['sessions', 'delete', path]);
  expect(run).toMatchObject({ code: 0, stdout: `Deleted ${path}\n`, stderr: '' });
  expect(sessionFiles(tauHome)).toEqual([other]);
});

test('delete with an empty variable deletes nothing', async () => {
  const { tau, tauHome } = await converse([says('a')]);
  await tau(['-p', 'precious']);
  expect(await tau(['sessions', 'delete', ''])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No session fits ""'),
  });
  expect(sessionFiles(tauHome)).toHaveLength(1);
});

test('what a session file calls itself is seen, never obeyed by the terminal', async () => {
  const { tau, home, write } = bareSandbox();
  const path = join(home, 'odd.jsonl');
  const id = '\u001b]0;pwned\u0007';
  write(path, `${JSON.stringify({ type: 'session', version: 3, id, timestamp: 'x', cwd: id, parentSession: id })}\n`);
  for (const args of [
    ['name', path, `a${id}`],
    ['show', path],
    ['name', path, ''],
    ['delete', path],
  ]) {
    const { code, stdout, stderr } = await tau(['sessions', ...args]);
    expect([args[0], code, stdout.includes('\u001b') || stderr.includes('\u001b')]).toEqual([args[0], 0, false]);
  }
});

test('--session-dir looks there', async () => {
  const { tau, project } = await converse([says('a')]);
  await tau(['-p', 'kept here', '--session-dir', join(project, 'kept')]);
  expect((await tau(['sessions'])).stdout).toBe('');
  expect((await tau(['sessions', '--session-dir', 'kept'])).stdout).toContain('kept here');
});

test('sessions that the settings keep elsewhere are found there', async () => {
  const { tau, tauHome } = await converse([says('a')], { settings: { sessionDir: '~/conversations' } });
  await tau(['-p', 'kept by setting']);
  expect(sessionFiles(join(tauHome, 'sessions'))).toEqual([]);
  expect((await tau(['sessions'])).stdout).toContain('kept by setting');
  expect((await tau(['sessions', 'show', 'last'])).stdout).toContain('> kept by setting');
});

test.each([
  [['sessions', 'shw'], 'Did you mean tau sessions show?'],
  [['sessions', 'show'], 'needs one ID'],
  [['sessions', 'delete'], 'needs an ID'],
  [['sessions', 'name', 'x'], 'needs an ID and a NAME'],
  [['sessions', 'name', 'x', 'two', 'words'], 'quoted'],
  [['sessions', 'list', 'x'], 'takes no "x"'],
  [['sessions', '--limit', 'many'], 'whole number'],
  [['sessions', '--jsn'], 'Did you mean --json?'],
  [['sessions', 'show', 'nobody'], 'No session fits "nobody"'],
  [['sessions', 'delete', '/no/such.jsonl'], 'no session file'],
])('%j is refused with what to do', async (args, why) => {
  const { tau } = bareSandbox();
  expect(await tau(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(why) });
});

test('--help explains, and the main help knows it', async () => {
  const { tau } = bareSandbox();
  for (const flag of ['--help', '-h']) {
    expect(await tau(['sessions', flag])).toMatchObject({ code: 0, stdout: expect.stringContaining('delete ID') });
  }
  expect(await tau(['--help'])).toMatchObject({ stdout: expect.stringContaining('tau sessions') });
});

test('a second process is told who has the session, may look at it, and goes on when the first is killed', async () => {
  const { start, tau, tauHome, model } = await converse([{ hang: 'midStream' }, says('mine now')]);
  const first = start(['-p', 'hold it', '--output-format', 'stream-json']);
  await first.waitFor('message_update');
  const path = onlySession(tauHome);
  const before = readFileSync(path, 'utf8');

  const second = await tau(['-p', '-c', 'me too']);
  expect(second).toMatchObject({ code: 2, stdout: '' });
  expect(second.stderr).toMatch(/^tau: The session [0-9a-f-]{36} is in use by process \d+, since .* UTC\. .*--fork /);
  expect(second.stderr).toContain(`process ${first.child.pid},`);
  expect(await tau(['sessions', 'delete', 'last'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('in use'),
  });
  expect((await tau(['sessions'])).stdout).toContain(`in use (${first.child.pid})`);
  const shown = await tau(['sessions', 'show', 'last']);
  expect(shown.stdout).toContain('> hold it');
  expect(shown.stdout).toContain(`process ${first.child.pid}`);
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(model.requests).toHaveLength(1);

  first.kill('SIGKILL');
  await first.done;
  expect(existsSync(`${path}.lock`)).toBe(true);
  expect(await tau(['-p', '-c', 'and now'])).toMatchObject({ code: 0, stdout: 'mine now\n', stderr: '' });
  expect(talkIn(request(model, 1))).toEqual(['user: hold it', 'user: and now']);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('after %s no lock is left', async (signal) => {
  const { start, tauHome } = await converse([{ hang: 'midStream' }]);
  const run = start(['-p', 'go', '--output-format', 'stream-json']);
  await run.waitFor('message_update');
  const path = onlySession(tauHome);
  expect(existsSync(`${path}.lock`)).toBe(true);
  run.kill(signal);
  await run.done;
  await expect.poll(() => existsSync(`${path}.lock`)).toBe(false);
});
