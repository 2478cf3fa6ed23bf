import { type Message, type ModelError, malformedArguments, type RunEvent, textOf, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { createScene, type Scene } from './scene.ts';
import { act, assistant, call, calls, model, read, type Speech, says, write } from './speech.ts';

const recoveries = (scene: Scene) =>
  scene.events.filter((event): event is Extract<RunEvent, { type: 'recovery' }> => event.type === 'recovery');
const errors = (scene: Scene) => scene.events.filter(({ type }) => type === 'error');
const lastWords = (scene: Scene, at: number) => {
  const last = scene.requests[at]?.at(-1);
  return last && textOf(last);
};
const failing = (error: ModelError): Speech => calls([], { error });
const overflow: ModelError = { class: 'contextOverflow', message: 'too long' };
const silent = says('', { content: [] });

test('a conversation that does not fit is asked again without its oldest part, and nothing is called an error', async () => {
  const shorter: Message[] = [userMessage('short', 0)];
  const scene = createScene({ ports: { shorten: async () => shorter } });
  expect(await scene.play(failing(overflow), says('fits'))).toMatchObject({ reason: 'done', answer: 'fits' });
  expect(scene.requests[1]).toEqual(shorter);
  expect(recoveries(scene)).toEqual([
    { type: 'recovery', problem: 'contextOverflow', attempt: 1, text: expect.stringContaining('did not fit') },
  ]);
  expect(errors(scene)).toEqual([]);
});

test('a refusal in prose counts as one when the conversation fills the window, and only then', async () => {
  const refused: ModelError = { class: 'badRequest', message: 'prompt is too long' };
  const shorten = async () => [userMessage('short', 0)];
  const history = [userMessage('x'.repeat(4000), 0)];
  const small = { ...model, contextWindow: 1000 };
  const full = createScene({ ports: { shorten }, history, request: { model: small } });
  expect(await full.play(failing(refused), says('fits'))).toMatchObject({ reason: 'done' });
  const roomy = createScene({ ports: { shorten }, history, request: { model: { ...small, contextWindow: 2000 } } });
  expect(await roomy.play(failing(refused), says('never'))).toMatchObject({ reason: 'error' });
});

test('when nothing more can be left out, the run fails with what the provider said', async () => {
  const scene = createScene();
  expect(await scene.play(failing(overflow))).toMatchObject({ reason: 'error', turns: 1 });
  expect(errors(scene)).toEqual([{ type: 'error', class: 'contextOverflow', message: 'too long' }]);
  expect(recoveries(scene)).toEqual([]);
});

test('shortening is tried as often as allowed and no more', async () => {
  const scene = createScene({ ports: { shorten: async () => [userMessage('short', 0)] }, run: { recoveries: 2 } });
  const outcome = await scene.play(failing(overflow), failing(overflow), failing(overflow), says('never'));
  expect(outcome).toMatchObject({ reason: 'error', turns: 3 });
  expect(recoveries(scene).map(({ attempt }) => attempt)).toEqual([1, 2]);
});

test('an answer cut at the output limit goes on, and is one answer', async () => {
  const scene = createScene();
  const outcome = await scene.play(says('one, ', { stopReason: 'length' }), says('two'));
  expect(outcome).toMatchObject({ reason: 'done', answer: 'one, two', cut: false });
  expect(lastWords(scene, 1)).toContain('Go on exactly where it stopped');
  expect(recoveries(scene)).toMatchObject([{ problem: 'outputLimit', attempt: 1 }]);
  // It is tau that said so: nothing of it is the user's.
  expect(scene.appended.filter(({ role }) => role === 'user')).toHaveLength(1);
});

test('an answer that is cut every time is given as far as it got, and said to be cut', async () => {
  const scene = createScene({ run: { recoveries: 1 } });
  const cut = (text: string) => says(text, { stopReason: 'length' });
  expect(await scene.play(cut('a'), cut('b'))).toMatchObject({ reason: 'done', answer: 'ab', cut: true, turns: 2 });
  expect(errors(scene)).toEqual([]);
});

test('the count begins anew after a turn that went well', async () => {
  const scene = createScene({ run: { recoveries: 1 } });
  const cut = (text: string) => says(text, { stopReason: 'length' });
  const outcome = await scene.play(cut('a'), calls([act('x', read('/x'))]), cut('b'), says('c'));
  expect(outcome).toMatchObject({ reason: 'done', answer: 'bc' });
  expect(recoveries(scene).map(({ attempt }) => attempt)).toEqual([1, 1]);
});

test.each([
  ['before its first argument', call('act', {}, 'cut')],
  ['within its arguments', call('act', { [malformedArguments]: '{"effects": [' }, 'cut')],
])('a call that the output limit cut %s is not run, and the model hears why', async (_, last) => {
  const scene = createScene({ tools: [] });
  const message = { stopReason: 'length' as const };
  await scene.play(calls([act('whole', write('/a')), last], { message }), says('again'));
  expect(scene.log.filter((line) => line.startsWith('run '))).toEqual(['run whole']);
  expect(scene.told('cut')).toContain('cut off at the output limit');
});

test('an empty answer is asked for once more', async () => {
  const scene = createScene();
  expect(await scene.play(silent, says('here'))).toMatchObject({ reason: 'done', answer: 'here' });
  expect(lastWords(scene, 1)).toContain('empty');
  expect(recoveries(scene)).toMatchObject([{ problem: 'emptyAnswer' }]);
});

test('a model that says nothing again and again fails the run', async () => {
  const scene = createScene({ run: { recoveries: 2 } });
  expect(await scene.play(silent, silent, silent, says('never'))).toMatchObject({ reason: 'error', turns: 3 });
  expect(errors(scene)).toEqual([
    { type: 'error', class: 'unknown', message: 'the model gave no answer, 3 times in a row' },
  ]);
});

test('arguments that are no JSON go back to the model to mend, visibly and not for ever', async () => {
  const scene = createScene({ run: { recoveries: 1 } });
  const garbled = (id: string) => calls([call('act', { [malformedArguments]: '{"a' }, id)]);
  expect(await scene.play(garbled('1'), garbled('2'), says('never'))).toMatchObject({ reason: 'error', turns: 2 });
  expect(scene.told('1')).toContain('not a JSON object');
  expect(recoveries(scene)).toMatchObject([{ problem: 'malformedArguments', attempt: 1 }]);
});

const breaks = (text: string, error: ModelError): Speech =>
  async function* speech() {
    yield { type: 'text', index: 0, delta: text };
    yield { type: 'error', error, message: assistant([{ type: 'text', text }], { stopReason: 'error' }) };
  };

test('a stream that broke in the middle of an answer goes on where it stopped', async () => {
  const scene = createScene();
  const outcome = await scene.play(breaks('half ', { class: 'network', message: 'reset' }), says('whole'));
  expect(outcome).toMatchObject({ reason: 'done', answer: 'half whole' });
  expect(lastWords(scene, 1)).toContain('connection broke');
  expect(recoveries(scene)).toMatchObject([{ problem: 'brokenStream', attempt: 1 }]);
  expect(errors(scene)).toEqual([]);
});

test.each([
  ['is final', { class: 'network', message: 'gone', final: true } as const],
  ['would come again', { class: 'badRequest', message: 'no' } as const],
])('a failure that %s is not tried again', async (_, error) => {
  const scene = createScene();
  expect(await scene.play(breaks('half', error), says('never'))).toMatchObject({ reason: 'error', turns: 1 });
});

test('a stream that breaks every time fails after the tries it has', async () => {
  const scene = createScene({ run: { reconnections: 1 } });
  const broken = breaks('x', { class: 'timeout', message: 'silence' });
  expect(await scene.play(broken, broken, says('never'))).toMatchObject({ reason: 'error', turns: 2 });
  expect(errors(scene)).toMatchObject([{ class: 'timeout', message: 'silence' }]);
});

test('a hook may keep the run from stopping, a bounded number of times', async () => {
  const heard: string[] = [];
  const beforeStop = (answer: string) => {
    heard.push(answer);
    return 'run the tests first';
  };
  const scene = createScene({ ports: { beforeStop }, run: { recoveries: 2 } });
  expect(await scene.play(says('1'), says('2'), says('3'))).toMatchObject({ reason: 'done', answer: '3', turns: 3 });
  expect(heard).toEqual(['1', '2', '3']);
  expect(lastWords(scene, 1)).toBe('run the tests first');
});

test('what the model is told can be transformed, without the conversation changing', async () => {
  const scene = createScene({ ports: { transform: (messages) => messages.slice(-1) } });
  await scene.play(calls([act('a', read('/a'))]), says('done'));
  expect(scene.requests.map((messages) => messages.length)).toEqual([1, 1]);
  expect(scene.appended).toHaveLength(4);
});
