/** A busy machine: the terminal takes lines late and new sizes at once, tau hears of a size late, and no word is lost. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { keys, openDesk } from './desk.ts';
import { lostWords, manyWords } from './storm-words.ts';

const free = { settings: { permissionMode: 'dangerously', theme: 'dark' } };
const rule = (columns: number) => '─'.repeat(columns);
/** Loaded before tau: now and then nothing is served for a while. */
const busy = `const cell = new Int32Array(new SharedArrayBuffer(4));
let times = 0;
const next = () => setTimeout(() => { Atomics.wait(cell, 0, 0, (++times * 37) % 100); next(); }, (times * 61) % 300).unref();
if (process.stdout.isTTY) next();
`;

/** The same for the same seed: from 0 to a limit. */
function numbers(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (limit + 1));
  };
}

test.each([
  ['without a rest', 15, 15],
  ['with short rests', 0, 120],
] as const)('a window that changes %s while terminal and tau lag keeps every word', async (_, least, most) => {
  for (let seed = 1; seed <= 4; seed++) {
    const upTo = numbers(seed);
    const conversation = await converse(manyWords(), free);
    conversation.write('busy.cjs', busy);
    const desk = await openDesk(conversation, {
      env: { NODE_OPTIONS: `--require=${join(conversation.project, 'busy.cjs')}` },
    });
    await desk.shows('Ask, or /help');
    desk.type(`go${keys.enter}`);
    await desk.shows('word1');
    for (let rounds = 0; rounds < 300 && conversation.model.requests.length < 11; rounds++) {
      desk.resize(20 + upTo(100), 12 + upTo(25));
      if (upTo(4) === 0) desk.stall(upTo(200));
      await new Promise((resolve) => setTimeout(resolve, least + upTo(most - least)));
    }
    desk.resize(70, 20);
    await desk.shows(() => desk.screen().includes(rule(70)) && desk.screen().includes('The end.'));
    expect(lostWords(desk)).toEqual([]);
    desk.type(keys.ctrlD);
    expect((await desk.done).code).toBe(0);
  }
});
