import { emptyUsage, type Message, type Model, type RunEvent, textResult, type Usage, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { createScene } from './scene.ts';
import { act, calls, model, read, says, write } from './speech.ts';

const spent = (totalTokens: number, total = 0): Usage => {
  const none = emptyUsage();
  return { ...none, input: totalTokens, totalTokens, cost: { ...none.cost, total } };
};
const priced: Model = { ...model, cost: { input: 10, output: 100, cacheRead: 1, cacheWrite: 12 } };

test('the request that would break the token limit is not made', async () => {
  const scene = createScene({ run: { limits: { tokens: 1000 } } });
  const outcome = await scene.play(calls([act('a', read('/a'))], { message: { usage: spent(600) } }), says('never'));
  expect(outcome).toMatchObject({ reason: 'maxTokens', turns: 1 });
  expect(scene.requests).toHaveLength(1);
  expect(scene.results()).toHaveLength(1);
});

test('an answer may be no longer than what is left of the tokens', async () => {
  const scene = createScene({ run: { limits: { tokens: 1000 } }, history: [userMessage('x'.repeat(400), 0)] });
  await scene.play(says('ok'));
  const [asked] = scene.asked;
  expect(asked?.maxTokens).toBeGreaterThan(800);
  expect(asked?.maxTokens).toBeLessThan(900);
});

test('the request that would break the money limit is not made', async () => {
  const request = { model: priced };
  const scene = createScene({ request, run: { limits: { costUsd: 0.05 } } });
  const outcome = await scene.play(
    calls([act('a', read('/a'))], { message: { usage: spent(4000, 0.04) } }),
    says('never'),
  );
  // A cent is left, and reading 4,000 tokens costs four.
  expect(outcome).toMatchObject({ reason: 'maxCost', turns: 1 });
});

test('what the vendor has in its cache counts at the price of the cache', async () => {
  const usage = { ...spent(4000, 0.04), input: 0, cacheRead: 4000 };
  const scene = createScene({ request: { model: priced }, run: { limits: { costUsd: 0.05 } } });
  const outcome = await scene.play(calls([act('a', read('/a'))], { message: { usage } }), says('ok'));
  expect(outcome.reason).toBe('done');
  // A cent less 0.4 for the cache buys about 55 tokens at a hundred dollars a million.
  expect(scene.asked[1]?.maxTokens).toBeGreaterThanOrEqual(32);
  expect(scene.asked[1]?.maxTokens).toBeLessThan(60);
});

test('a wide limit does not make an answer longer than it may be', async () => {
  const wide = { run: { limits: { tokens: 2_000_000 } } };
  const unknown = createScene(wide);
  await unknown.play(says('ok'));
  expect(unknown.asked[0]?.maxTokens).toBe(16_384);
  const known = createScene({ ...wide, request: { model: { ...model, maxTokens: 64_000 } } });
  await known.play(says('ok'));
  expect(known.asked[0]?.maxTokens).toBe(64_000);
});

test('money is counted at the price of the dearest model that may be asked', async () => {
  const price = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0 };
  const scene = createScene({ request: { model: priced }, run: { limits: { costUsd: 0.05, price } } });
  await scene.play(says('ok'));
  expect(scene.asked[0]?.maxTokens).toBeLessThanOrEqual(50);
});

test('without a limit nothing is said about the length of an answer', async () => {
  const scene = createScene();
  await scene.play(says('ok'));
  expect(scene.asked[0]).not.toHaveProperty('maxTokens');
});

const same = (count: number) => Array.from({ length: count }, (_, at) => calls([act(`c${at}`, read('/same'))]));
const sameResult = { tools: [] as const };
const questions = (events: readonly RunEvent[]) => events.filter(({ type }) => type === 'question_request');

/** Every deed gives the same result, whatever the id of the call. */
const monotonous = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, () => textResult('the same')]));

test('the fifth identical call with the same result stops with a question, which nobody answers', async () => {
  const scene = createScene({ ...sameResult, deeds: monotonous(9) });
  expect(await scene.play(...same(5), says('never'))).toMatchObject({ reason: 'repeated', turns: 5 });
  expect(questions(scene.events)).toMatchObject([
    { toolCallId: 'c4', question: { question: expect.stringContaining('same call 5 times') } },
  ]);
  expect(scene.events).toContainEqual(
    expect.objectContaining({ type: 'question_response', reply: { unattended: true } }),
  );
});

test('somebody who says "Go on" lets it go on, and is asked again as much later', async () => {
  const ports = { question: async () => ({ answers: ['Go on'] }) };
  const scene = createScene({ ports, deeds: monotonous(10), run: { repeatedCalls: 3 } });
  expect(await scene.play(...same(7), says('done'))).toMatchObject({ reason: 'done', turns: 8 });
  expect(questions(scene.events)).toHaveLength(2);
});

test('words instead of a yes go to the model', async () => {
  const ports = { question: async () => ({ answers: ['try the other file'] }) };
  const scene = createScene({ ports, deeds: monotonous(3), run: { repeatedCalls: 3 } });
  await scene.play(...same(3), says('done'));
  expect(scene.requests[3]?.at(-1)).toMatchObject({
    role: 'user',
    content: 'try the other file',
  } satisfies Partial<Message>);
});

test('the same call with another result each time is progress', async () => {
  const scene = createScene();
  expect(await scene.play(...same(8), says('done'))).toMatchObject({ reason: 'done', turns: 9 });
  expect(questions(scene.events)).toEqual([]);
});

test('two calls in turn are a circle too, and a third between them is not', async () => {
  const pair = (at: number) => [calls([act(`c${2 * at}`, read('/a'))]), calls([act(`c${2 * at + 1}`, read('/b'))])];
  const circle = createScene({ deeds: monotonous(20), run: { repeatedCalls: 3 } });
  const script = [0, 1, 2, 3].flatMap(pair);
  expect(await circle.play(...script, says('never'))).toMatchObject({ reason: 'repeated', turns: 6 });
  const varied = createScene({ deeds: monotonous(20), run: { repeatedCalls: 3 } });
  const busy = [0, 1, 2].flatMap((at) => [...pair(at), calls([act(`e${at}`, write(`/file${at}`))])]);
  expect(await varied.play(...busy, says('done'))).toMatchObject({ reason: 'done' });
});
