import { textOf, textResult, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { createScene, type Scene } from './scene.ts';
import { act, calls, read, type Speech, says, write } from './speech.ts';

const message = (text: string) => userMessage(text, 2);

/** What the model was told by users since the request before, request by request. */
function heard(scene: Scene): string[][] {
  return scene.requests.map((messages, at) =>
    messages
      .slice(scene.requests[at - 1]?.length ?? 0)
      .filter((one) => one.role === 'user')
      .map(textOf),
  );
}

test('steering is heard after the batch that was under way, before the next request', async () => {
  const scene = createScene({
    deeds: {
      a: () => {
        scene.queues.steer(message('other way'));
        return textResult('ok');
      },
    },
  });
  await scene.play(calls([act('a', write('/a')), act('b', write('/b'))]), says('done'));
  expect(scene.requests[1]?.map((one) => one.role)).toEqual(['user', 'assistant', 'toolResult', 'toolResult', 'user']);
  expect(heard(scene)).toEqual([['go'], ['other way']]);
  const [batch, said, next] = ['append result b', 'append user', 'request 2'].map((line) =>
    scene.log.lastIndexOf(line),
  );
  expect([batch, said, next]).toEqual([batch, said, next].sort((a = 0, b = 0) => a - b));
});

/** An answer, and while it is given somebody speaks. */
function saysWhile(text: string, speak: () => void): Speech {
  return (signal) => {
    speak();
    return says(text)(signal);
  };
}

test('steering that comes with the last answer keeps the run going', async () => {
  const scene = createScene();
  const outcome = await scene.play(
    saysWhile('done', () => scene.queues.steer(message('not yet'))),
    says('now done'),
  );
  expect(outcome).toMatchObject({ reason: 'done', turns: 2 });
  expect(heard(scene)).toEqual([['go'], ['not yet']]);
});

test('a follow-up waits until the run would stop, and steering goes before it', async () => {
  const scene = createScene();
  scene.queues.followUp(message('then this'));
  scene.queues.steer(message('first this'));
  await scene.play(calls([act('a', read('/a'))]), calls([act('b', read('/b'))]), says('one'), says('two'));
  expect(heard(scene)).toEqual([['go'], ['first this'], [], ['then this']]);
});

test.each([
  ['one-at-a-time', [['go'], ['s1'], ['s2'], ['f1'], ['f2']]],
  ['all', [['go'], ['s1', 's2'], ['f1', 'f2']]],
] as const)('both queues drain %s', async (mode, expected) => {
  const scene = createScene({ steeringMode: mode, followUpMode: mode });
  for (const text of ['s1', 's2']) scene.queues.steer(message(text));
  for (const text of ['f1', 'f2']) scene.queues.followUp(message(text));
  await scene.play(...expected.map(() => says('ok')));
  expect(heard(scene)).toEqual(expected);
  expect(scene.queues.pending()).toEqual({ steering: [], followUp: [] });
});

test('one at a time is the way unless told otherwise', () => {
  const { queues } = createScene();
  for (const text of ['1', '2']) queues.steer(message(text));
  expect(queues.takeSteering().map(textOf)).toEqual(['1']);
});

test('what waits stays in its queue when the provider fails or the user aborts', async () => {
  const failed = createScene();
  failed.queues.steer(message('wait'));
  await failed.play(calls([], { error: { class: 'network', message: 'gone' } }));
  expect(failed.queues.pending().steering.map(textOf)).toEqual(['wait']);

  const aborted = createScene({ deeds: { a: () => textResult(String(aborted.abort())) } });
  aborted.queues.followUp(message('later'));
  aborted.queues.steer(message('wait'));
  await aborted.play(calls([act('a', write('/a'))]));
  expect(aborted.queues.clear().map(textOf)).toEqual(['wait', 'later']);
});

test('every change of a queue is told with what is left, and taking nothing is no change', () => {
  const { queues, events } = createScene();
  queues.steer(message('1'));
  queues.followUp(message('2'));
  queues.takeSteering();
  queues.takeSteering();
  queues.clear();
  queues.clear();
  expect(events).toEqual([
    { type: 'queue_update', steering: 1, followUp: 0 },
    { type: 'queue_update', steering: 1, followUp: 1 },
    { type: 'queue_update', steering: 0, followUp: 1 },
    { type: 'queue_update', steering: 0, followUp: 0 },
  ]);
});
