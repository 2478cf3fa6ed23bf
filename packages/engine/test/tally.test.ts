/** What readers are told about the model itself: tries, limits, waits and what each model cost. */
import { emptyUsage, type RunEvent } from '@tau/core';
import { expect, test } from 'vitest';
import { createScene } from './scene.ts';
import { act, assistant, calls, read, type Speech, says } from './speech.ts';

const usage = (input: number) => ({ ...emptyUsage(), input, totalTokens: input });

test('a new try and the limits of a provider are told as they come, before the answer', async () => {
  const scene = createScene();
  const speech: Speech = async function* () {
    yield { type: 'start' };
    yield { type: 'limits', model: 'a/b', limits: { tokens: { remaining: 7 } } };
    const error = { class: 'overloaded' as const, message: 'too busy', status: 529 };
    yield { type: 'retry', attempt: 1, delayMs: 20, error, model: 'a/b' };
    yield* says('late')(new AbortController().signal);
  };
  expect(await scene.play(speech)).toMatchObject({ reason: 'done' });
  const told = scene.events.filter(({ type }) => ['rate_limits', 'retry', 'message_update'].includes(type));
  expect(told).toEqual([
    { type: 'rate_limits', model: 'a/b', limits: { tokens: { remaining: 7 } } },
    { type: 'retry', attempt: 1, delayMs: 20, class: 'overloaded', message: 'too busy', model: 'a/b' },
    { type: 'message_update', delta: { kind: 'text', index: 0, text: 'late' } },
  ]);
});

test('usage and the wait for the first word are kept by model', async () => {
  // The clock moves by one each time somebody looks.
  let time = 0;
  const scene = createScene({ ports: { now: () => time++ } });
  const speech = (text: string, input: number, model: string, wait: number): Speech =>
    async function* () {
      time += wait;
      yield* says(text, { usage: usage(input), model })(new AbortController().signal);
    };
  const first: Speech = async function* (signal) {
    time += 10;
    yield* calls([act('a', read('/a'))], { message: { usage: usage(1) } })(signal);
  };
  const outcome = await scene.play(first, speech('done', 5, 'two', 30));
  expect(outcome).toMatchObject({
    usage: { input: 6, totalTokens: 6 },
    models: [
      { model: 'scripted/one', turns: 1, usage: { input: 1 }, firstTokenMs: 11 },
      { model: 'scripted/two', turns: 1, usage: { input: 5 }, firstTokenMs: 31 },
    ],
  });
  const waits = scene.events.filter(
    (event): event is Extract<RunEvent, { type: 'turn_end' }> => event.type === 'turn_end',
  );
  expect(waits.map(({ firstTokenMs }) => firstTokenMs)).toEqual([11, 31]);
});

test('a model that never said anything has no wait', async () => {
  const scene = createScene();
  const error = { class: 'network' as const, message: 'gone' };
  const outcome = await scene.play(async function* () {
    yield { type: 'error', error, message: assistant([], { stopReason: 'error' }) };
  });
  expect(outcome.models).toEqual([{ model: 'scripted/one', turns: 1, usage: emptyUsage() }]);
});

test('while nobody reads deltas none are made, and everything else is told as ever', async () => {
  let wanted = false;
  const scene = createScene({ ports: { wantsDeltas: () => wanted } });
  const outcome = await scene.play(calls([act('a', read('/a'))]), async function* (signal) {
    wanted = true;
    yield* says('heard')(signal);
  });
  expect(scene.events.filter(({ type }) => type === 'message_update')).toEqual([
    { type: 'message_update', delta: { kind: 'text', index: 0, text: 'heard' } },
  ]);
  expect(scene.results()).toMatchObject([{ toolCallId: 'a', isError: false }]);
  expect(outcome.models).toMatchObject([{ turns: 2, firstTokenMs: 0 }]);
});
