/** Who is asked, what the answers are worth, and words beforehand: through the built command. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningTau } from '@tau/testkit';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { at } from './json.ts';
import { keys, startTyping } from './repl-terminal.ts';
import { onlySession } from './sessions.ts';

const make = (name: string) => call('bash', { command: `touch ${name}` });
const write = (path: string, id?: string) => call('write', { path, content: path }, id);

test('with -p at a terminal the command itself is the question, and y runs it', async () => {
  const sandbox = await converse([calls(make('made')), says('done')]);
  const tau = startTyping(sandbox, ['-p', 'go']);
  await tau.shows('bash needs your approval [');
  await tau.shows('Run: touch made [y/N/s/a] ');
  expect(existsSync(join(sandbox.project, 'made'))).toBe(false);
  tau.type(`y${keys.enter}`);
  await tau.shows('done');
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(existsSync(join(sandbox.project, 'made'))).toBe(true);
});

test('with -p at a terminal Enter is no and words reach the model; both are answers, so nothing is missing', async () => {
  const sandbox = await converse([calls(make('a'), write('b')), says('done')]);
  const tau = startTyping(sandbox, ['-p', 'go']);
  await tau.shows('Run: touch a ');
  tau.type(keys.enter);
  await tau.shows('  b\n    +b\n');
  await tau.shows('Allow? [y/N/s/a] ');
  tau.type(`call it c${keys.enter}`);
  await tau.shows('done');
  expect((await tau.done).code).toBe(0);
  expect(existsSync(join(sandbox.project, 'a'))).toBe(false);
  expect(resultsIn(request(sandbox.model, 1)).map(({ text }) => text)).toEqual([
    'The user said no.',
    'The user said no: call it c',
  ]);
});

test('with -p an always is kept for the folder: the next run asks nobody', async () => {
  const sandbox = await converse([calls(make('a')), says('one'), calls(make('a'), make('b')), says('two')]);
  const tau = startTyping(sandbox, ['-p', 'go']);
  await tau.shows('s: yes, and for this session allow bash(touch a)');
  await tau.shows('[y/N/s/a] ');
  tau.type(`a${keys.enter}`);
  await tau.shows('one');
  expect((await tau.done).code).toBe(0);
  const saved: unknown = JSON.parse(readFileSync(join(sandbox.tauHome, 'permissions.json'), 'utf8'));
  expect(at(saved, 'projects', sandbox.project, 'allow')).toEqual(['bash(touch a)']);
  const next = await sandbox.tau(['-p', 'again']);
  expect(next).toMatchObject({ code: 3, stdout: 'two\n', stderr: expect.stringContaining('touch b') });
  expect(next.stderr).not.toContain('touch a');
});

test('where it is asked every time neither s nor a is offered or counts', async () => {
  const sandbox = await converse([calls(make('a')), says('done')]);
  const tau = startTyping(sandbox, ['-p', 'go', '--ask', 'bash']);
  await tau.shows('Run: touch a [y/N] ');
  tau.type(`a${keys.enter}`);
  await tau.shows('This is asked every time: y or n.\nRun: touch a [y/N] ');
  tau.type(`n${keys.enter}`);
  await tau.shows('done');
  expect((await tau.done).code).toBe(0);
  expect(existsSync(join(sandbox.tauHome, 'permissions.json'))).toBe(false);
});

test('Ctrl+C at the question interrupts, and nothing is done', async () => {
  const sandbox = await converse([calls(make('made')), says('never')]);
  const tau = startTyping(sandbox, ['-p', 'go']);
  await tau.shows('Run: touch made ');
  tau.type(keys.ctrlC);
  expect(await tau.done).toEqual({ code: 130, restored: true });
  expect(existsSync(join(sandbox.project, 'made'))).toBe(false);
});

test('Ctrl+D at the question is nobody there: exit code 3', async () => {
  const sandbox = await converse([calls(make('made')), says('done')]);
  const tau = startTyping(sandbox, ['-p', 'go']);
  await tau.shows('Run: touch made ');
  tau.type(keys.ctrlD);
  expect((await tau.done).code).toBe(3);
  expect(existsSync(join(sandbox.project, 'made'))).toBe(false);
});

/** Loaded before tau: it stands still while the time runs in which it swallows what was typed before. */
const standstill = `
  const set = globalThis.setTimeout;
  globalThis.setTimeout = (call, ms, ...more) => {
    const timer = set(call, ms, ...more);
    if (ms === 20) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return timer;
  };
`;

test.each([
  ['', ''],
  [', though tau stood still then', standstill],
])('what was typed before the question was there does not answer it%s', async (_, preload) => {
  const waiting = call('bash', { command: 'until [ -e go ]; do sleep 0.02; done' });
  const sandbox = await converse([calls(waiting), calls(make('made')), says('done')]);
  sandbox.write('../preload.cjs', preload);
  const args = ['-p', 'go', '--allow', 'bash(until \\[ -e go ]; do sleep 0.02; done)'];
  const tau = startTyping(sandbox, args, { NODE_OPTIONS: `--require ${join(sandbox.project, '../preload.cjs')}` });
  await tau.shows('● bash until');
  tau.type(`y${keys.enter}`);
  await tau.shows('y\n');
  sandbox.write('go', '');
  await tau.shows('Run: touch made ');
  tau.type(`n${keys.enter}`);
  await tau.shows('done');
  await tau.done;
  expect(existsSync(join(sandbox.project, 'made'))).toBe(false);
});

test('--approve all is yes to what would be asked, but not to an ask rule; --approve none is no, and no question is left', async () => {
  const steps = [calls(make('a'), write('b')), says('done')];
  const all = await converse(steps);
  expect(await all.tau(['-p', 'go', '--approve', 'all', '--ask', 'write'])).toMatchObject({ code: 3 });
  expect(existsSync(join(all.project, 'a'))).toBe(true);
  expect(existsSync(join(all.project, 'b'))).toBe(false);

  const none = await converse(steps);
  expect(await none.tau(['-p', 'go', '--approve', 'none'])).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(none.project, 'a'))).toBe(false);
  expect(resultsIn(request(none.model, 1))[0]?.text).toContain('switched approvals off');

  const some = await converse(steps);
  expect(await some.tau(['-p', 'go', '--approve=10m'])).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(some.project, 'b'))).toBe(true);
});

test('a window does not outlive its run: going on asks again', async () => {
  const { tau, project } = await converse([calls(make('a')), says('one'), calls(make('b')), says('two')]);
  expect((await tau(['-p', 'go', '--approve', 'all'])).code).toBe(0);
  expect((await tau(['-p', '-c', 'go'])).code).toBe(3);
  expect(existsSync(join(project, 'b'))).toBe(false);
});

test.each(['yes', '25h', '10'])('--approve %j is an error of usage that says what there is', async (word) => {
  const { tau } = await converse([]);
  const run = await tau(['-p', 'go', `--approve=${word}`]);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(/ask, all, none, or a time/) });
});

const open = { openStdin: true };

/** The id of a request, once it is there. */
async function asked(run: RunningTau, number: number): Promise<string> {
  const id = `ask-${number}`;
  await run.waitFor(`"permission_request","id":"${id}"`);
  return id;
}

test('a client answers three asks of one message, each by its id and for as long as it says', async () => {
  const { start, project, tau, model } = await converse([
    calls(write('a', '1'), write('b', '2'), write('c', '3')),
    says('done'),
    calls(write('a', '4')),
    says('again'),
  ]);
  const run = start(['--json'], open);
  run.send({ type: 'message', content: 'go' });
  const answer = (id: string, more: object) => run.send({ type: 'permission_response', id, ...more });
  answer(await asked(run, 1), { outcome: 'allow', scope: 'session' });
  answer(await asked(run, 2), { outcome: 'deny', feedback: 'not this' });
  const third = await asked(run, 3);
  answer(third, { outcome: 'allow', scope: 'forever' });
  await run.waitFor('\\"scope\\" must be one of once, session, always');
  answer(third, { outcome: 'allow' });
  await run.waitFor('agent_end');
  run.endInput();
  const done = await run.done;
  expect(done.code).toBe(0);
  expect(['a', 'b', 'c'].map((name) => existsSync(join(project, name)))).toEqual([true, false, true]);
  expect(done.events().filter(({ type }) => type === 'permission_response')).toMatchObject([
    { outcome: 'allow', scope: 'session' },
    { outcome: 'deny', feedback: 'not this' },
    { outcome: 'allow', scope: 'once' },
  ]);
  expect(done.events().find(({ type }) => type === 'permission_request')).toMatchObject({
    decision: { class: 'write', offer: ['write(a)'], effects: [{ kind: 'write', path: 'a' }] },
  });
  // The grant is in the session, and counts when it goes on; nobody is there to ask.
  expect(await tau(['-p', '-c', 'go on'])).toMatchObject({ code: 0, stdout: 'again\n' });
  expect(resultsIn(request(model, 3)).at(-1)?.text).not.toContain('Not allowed');
});

test('a client says a word beforehand in a line, and hears how it stands', async () => {
  const { start, project } = await converse([calls(make('a')), says('one'), calls(make('b')), says('two')]);
  const run = start(['--json'], open);
  run.send({ type: 'approve', value: 'soon' });
  await run.waitFor('\\"value\\" must be ask, all, none');
  run.send({ type: 'message', content: 'go' });
  await asked(run, 1);
  // It answers what waits already.
  run.send({ type: 'approve', value: '10m' });
  await run.waitFor('agent_end');
  run.send({ type: 'approve', value: 'none' });
  run.send({ type: 'message', content: 'go' });
  await run.waitFor(/agent_end.*agent_end/s);
  run.endInput();
  const done = await run.done;
  expect(done.code).toBe(0);
  expect(existsSync(join(project, 'a'))).toBe(true);
  expect(existsSync(join(project, 'b'))).toBe(false);
  expect(done.events().filter(({ type }) => type === 'approval')).toMatchObject([
    { policy: 'all', until: expect.any(Number) },
    { policy: 'none' },
  ]);
});

test('a session file that somebody handed over grants nothing, and the user is told', async () => {
  const sandbox = await converse([calls(make('a')), says('one'), calls(make('a')), says('two')]);
  const run = sandbox.start(['--json'], open);
  run.send({ type: 'message', content: 'go' });
  run.send({ type: 'permission_response', id: await asked(run, 1), outcome: 'allow', scope: 'session' });
  await run.waitFor('agent_end');
  run.endInput();
  await run.done;
  const path = onlySession(join(sandbox.tauHome, 'sessions'));
  writeFileSync(join(sandbox.project, 'given.jsonl'), readFileSync(path, 'utf8'));
  const given = await sandbox.tau(['-p', 'go', '--session', './given.jsonl']);
  expect(given).toMatchObject({ code: 3, stderr: expect.stringMatching(/bash\(touch a\)\) does not count/) });
});

test('a damaged file of what was allowed for good stops tau with exit code 2', async () => {
  const { tau, tauHome, model } = await converse([]);
  writeFileSync(join(tauHome, 'permissions.json'), '{"version":1,"projects":{');
  const run = await tau(['-p', 'go']);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(/permissions\.json cannot be used: .*JSON/) });
  expect(model.requests).toHaveLength(0);
});

test('what is denied again and again is noticed, and the result counts it', async () => {
  const { tau, model } = await converse([calls(make('a')), calls(make('b')), calls(make('c')), says('done')]);
  const run = await tau(['-p', 'go', '--output-format', 'json']);
  expect(run.code).toBe(3);
  expect(resultsIn(request(model, 3)).map(({ text }) => text.includes('denied 3 times'))).toEqual([false, false, true]);
  expect(run.stderr).toContain('was denied 3 times in this run');
  const denials = at(JSON.parse(run.stdout), 'denials');
  expect(denials).toMatchObject([{ tool: 'bash' }, { tool: 'bash' }, { tool: 'bash', times: expect.any(Number) }]);
});

test('everything decided is in the audit log, with who answered', async () => {
  const { tau, tauHome } = await converse([calls(make('a')), says('done')]);
  await tau(['-p', 'go']);
  const lines = readFileSync(join(tauHome, 'logs/permissions.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { tool: 'bash', outcome: 'ask', what: 'touch a', answer: { outcome: 'deny', unattended: true } },
  ]);
});
