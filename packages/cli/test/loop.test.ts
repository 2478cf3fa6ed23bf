/** The loop through the binary: it helps itself where it can, visibly and not for ever, and stops where it must. */
import { readFileSync } from 'node:fs';
import type { ScriptStep } from '@tau/testkit';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { sessionFiles } from './sessions.ts';

const free = ['--permission-mode', 'dangerously'];
const streamed = ['--output-format', 'stream-json'];
const cut = (text: string): ScriptStep => ({ blocks: [{ text }], stopReason: 'length' });
const ofType = (events: Record<string, unknown>[], wanted: string) => events.filter(({ type }) => type === wanted);

test.each(apis)('an answer that reached the output limit goes on, and is printed as one, over %s', async (api) => {
  const { tau, model } = await converse([cut('one, '), says('two')], { api });
  const run = await tau(['-p', 'count']);
  expect(run).toMatchObject({ code: 0, stdout: 'one, two\n' });
  expect(run.stderr).toContain('output limit');
  expect(request(model, 1).raw).toContain('Go on exactly where it stopped');
});

test('an answer that is cut every time is printed as far as it got, with exit code 4', async () => {
  const { tau } = await converse([cut('a'), cut('b')], { settings: { limits: { recoveries: 1 } } });
  expect(await tau(['-p', 'count'])).toMatchObject({ code: 4, stdout: 'ab\n', stderr: expect.stringContaining('cut') });
});

test.each(apis)('a conversation that does not fit is asked again without its oldest part, over %s', async (api) => {
  const tooLong: ScriptStep = { status: 413 };
  const { tau, model, tauHome } = await converse([says('first'), says('second'), tooLong, says('fits')], { api });
  await tau(['-p', 'the oldest prompt', 'a later prompt']);
  const run = await tau(['-p', '-c', 'now', ...streamed]);
  expect(run.code).toBe(0);
  expect(ofType(run.events(), 'recovery')).toMatchObject([{ problem: 'contextOverflow', attempt: 1 }]);
  expect(ofType(run.events(), 'error')).toEqual([]);
  expect(request(model, 2).raw).toContain('the oldest prompt');
  expect(request(model, 3).raw).not.toContain('the oldest prompt');
  expect(request(model, 3).raw).toContain('now');
  // It is left out of what the model is told, not of the record.
  expect(
    sessionFiles(tauHome)
      .map((path) => readFileSync(path, 'utf8'))
      .join(''),
  ).toContain('the oldest prompt');
});

test('of what was left out the model is told the prompts and the calls, the same from then on', async () => {
  const steps: ScriptStep[] = [
    calls(call('bash', { command: 'echo kept > a.txt' })),
    says('written'),
    { status: 413 },
    says('fits'),
    says('again'),
  ];
  const { tau, model } = await converse(steps);
  await tau(['-p', `make a.txt ${'x'.repeat(4000)}`, ...free]);
  await tau(['-p', '-c', 'second']);
  await tau(['-p', '-c', 'third']);
  const told = (at: number) => request(model, at).raw;
  expect(told(3)).toContain('was left out here');
  expect(told(3)).toContain('> make a.txt xxx');
  expect(told(3)).toContain('- bash echo kept > a.txt: exit 0');
  expect(told(3)).not.toContain('x'.repeat(300));
  const note = (at: number) => /The oldest part[^"]*/.exec(told(at))?.[0];
  expect(note(4)).toBe(note(3));
});

test('before anything that was said goes, old long results are told in short, the same from then on', async () => {
  const steps: ScriptStep[] = [
    calls(call('bash', { command: 'seq 1 9000' })),
    says('counted'),
    { status: 413 },
    says('fits'),
    says('again'),
  ];
  const { tau, model } = await converse(steps);
  await tau(['-p', 'count to nine thousand', ...free]);
  const run = await tau(['-p', '-c', `second ${'y'.repeat(4000)}`, ...streamed]);
  await tau(['-p', '-c', 'third']);
  expect(ofType(run.events(), 'recovery')).toMatchObject([{ problem: 'contextOverflow', attempt: 1 }]);
  const told = (at: number) => request(model, at).raw;
  expect(told(2).length - told(3).length).toBeGreaterThan(10_000);
  expect(told(3)).toContain('count to nine thousand');
  expect(told(3)).toContain('counted');
  expect(told(3)).toContain('8999');
  const note = (at: number) => /\d+ characters of this result were left out/.exec(told(at))?.[0];
  expect(note(2)).toBeUndefined();
  expect(note(3)).toMatch(/^[1-9]\d{3,} characters/);
  expect(note(4)).toBe(note(3));
});

test('what a vendor refuses for ever fails after the tries there are, with its sentence and exit code 1', async () => {
  const steps: ScriptStep[] = [says('a'), { status: 413 }, { status: 413 }, { status: 413 }, { status: 413 }];
  const { tau } = await converse(steps, { settings: { limits: { recoveries: 2 } } });
  await tau(['-p', 'one']);
  const run = await tau(['-p', '-c', 'two', ...streamed]);
  expect(run.code).toBe(1);
  expect(ofType(run.events(), 'error')).toMatchObject([{ class: 'contextOverflow' }]);
});

test.each(apis)('an empty answer is asked for once more, over %s', async (api) => {
  const { tau, model } = await converse([{ blocks: [] }, says('here')], { api });
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'here\n' });
  expect(model.requests).toHaveLength(2);
});

test.each(apis)('a connection that breaks in the middle of an answer is taken up again, over %s', async (api) => {
  const broken: ScriptStep = { blocks: [{ text: 'a long first half of it' }], faults: [{ reset: 'midStream' }] };
  const settings = { retry: { retries: 2, baseMs: 1, maxMs: 1 } };
  const { tau, model } = await converse([broken, says(' and the rest')], { api, settings });
  const run = await tau(['-p', 'go', ...streamed]);
  expect(run.code).toBe(0);
  expect(ofType(run.events(), 'recovery')).toMatchObject([{ problem: 'brokenStream', attempt: 1 }]);
  expect(request(model, 1).raw).toContain('The connection broke in the middle');
});

test('a provider that falls silent in the middle of an answer is not waited for for ever', async () => {
  const silent: ScriptStep = { blocks: [{ text: 'a long first half of it' }], faults: [{ silence: 'midStream' }] };
  // Long enough for the second answer, which comes from a process that may be kept waiting itself.
  const settings = { retry: { retries: 1, baseMs: 1, maxMs: 1 }, limits: { modelIdleSecs: 3 } };
  const { tau } = await converse([silent, says('whole')], { settings });
  const run = await tau(['-p', 'go', ...streamed]);
  expect(run.code).toBe(0);
  expect(ofType(run.events(), 'recovery')).toMatchObject([
    { problem: 'brokenStream', text: expect.stringContaining('silent') },
  ]);
});

test('the fifth identical call stops the run with a question, and exit code 3 because nobody answers', async () => {
  const again = calls(call('bash', { command: 'echo the same' }));
  const { tau, model } = await converse([again, again, again, again, again, says('never')]);
  const run = await tau(['-p', 'go', ...free]);
  expect(run).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('same call 5 times') });
  expect(model.requests).toHaveLength(5);
});

test('how many identical calls are one too many is a setting', async () => {
  const again = calls(call('bash', { command: 'echo the same' }));
  const { tau, model } = await converse([again, again, says('never')], { settings: { limits: { repeatedCalls: 2 } } });
  expect((await tau(['-p', 'go', ...free])).code).toBe(3);
  expect(model.requests).toHaveLength(2);
});

test('a call that was cut off at the output limit is not run', async () => {
  const half: ScriptStep = { blocks: [call('bash', {}, 'half')], stopReason: 'length' };
  const { tau, model } = await converse([half, says('ok')]);
  expect((await tau(['-p', 'go', ...free])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('output limit') }]);
});

test("a tool by another agent's name, with its parameters, is ours", async () => {
  const { tau, model, write } = await converse([calls(call('Read', { file_path: 'a.txt' })), says('ok')]);
  write('a.txt', 'hello\n');
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: '1\thello' }]);
});

test('arguments that do not fit are told with what would', async () => {
  const { tau, model } = await converse([calls(call('read', { pth: 'a.txt' })), says('ok')]);
  expect((await tau(['-p', 'go'])).code).toBe(0);
  const [result] = resultsIn(request(model, 1));
  expect(result?.text).toContain('"path" is missing');
  expect(result?.text).toContain('did you mean path?');
  expect(result?.text).toContain('It takes: path (string)');
});
