/** Whose wait it was: what another try cost is no part of how soon the model that answered spoke. */
import { expect, test } from 'vitest';
import { createScene } from './scene.ts';
import { type Speech, says } from './speech.ts';

test('the wait for the first word begins anew with each try', async () => {
  let time = 0;
  const scene = createScene({ ports: { now: () => time } });
  const speech: Speech = async function* (signal) {
    time += 1000;
    const error = { class: 'overloaded' as const, message: 'too busy' };
    yield { type: 'retry', attempt: 1, delayMs: 500, error, model: 'scripted/one' };
    time += 500 + 30;
    yield* says('late')(signal);
  };
  const outcome = await scene.play(speech);
  expect(outcome.models).toMatchObject([{ model: 'scripted/one', firstTokenMs: 30 }]);
});
