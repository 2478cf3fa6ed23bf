/** What is said while tau works, and how it is stopped at every stage: the prompt is back at once and nothing typed is lost. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, says, talkIn } from '../conversation.ts';
import { eventually, keys, openDesk } from './desk.ts';

const free = { settings: { permissionMode: 'dangerously', theme: 'dark' } };
/** Runs until the file is there. */
const waitFor = (name: string) =>
  call('bash', { command: `until [ -e ${name} ]; do sleep 0.02; done; echo saw ${name}` });

test('Enter steers, Alt+Enter follows up, Alt+Up takes back, and each is heard when it should be', async () => {
  const conversation = await converse(
    [calls(waitFor('first')), says('Steered.'), says('Followed.'), calls(waitFor('second')), says('All of it.')],
    free,
  );
  const { model } = conversation;
  const desk = await openDesk(conversation);
  await desk.shows('Ask, or /help');
  desk.type(`begin${keys.enter}`);
  await desk.shows('until [ -e first ]');
  desk.type(`turn left${keys.enter}`);
  await desk.shows('◷ turn left');
  desk.type(`and then right${keys.altEnter}`);
  await desk.shows('◷ and then right');
  conversation.write('first', '');
  await desk.shows('Followed.');
  await desk.hides('◷');
  expect(talkIn(request(model, 1)).at(-1)).toBe('user: turn left');
  expect(talkIn(request(model, 2)).slice(-2)).toEqual(['assistant: Steered.', 'user: and then right']);

  desk.type(`again${keys.enter}`);
  await desk.shows('until [ -e second ]');
  desk.type(`one${keys.enter}`);
  await desk.shows('◷ one');
  desk.type(`two${keys.altEnter}`);
  await desk.shows('◷ two');
  desk.type(`thr${keys.altUp}`);
  await desk.hides('◷');
  await desk.shows('> one');
  await desk.shows('  two');
  await desk.shows('  thr');
  conversation.write('second', '');
  await desk.shows('All of it.');
  // What was taken back was not said to the model.
  expect(talkIn(request(model, 4)).at(-1)).toBe('user: again');
  desk.type(`ee${keys.enter}`);
  await eventually(() => expect(model.requests).toHaveLength(6));
  expect(talkIn(request(model, 5)).at(-1)).toBe('user: one\ntwo\nthree');
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
});

test('Esc stops before the first byte, in a text, in arguments, in a tool and at a question; what waited comes back', async () => {
  const half = [{ silence: 'midStream' }] as const;
  const conversation = await converse(
    [
      { hang: 'beforeHeaders' },
      { blocks: [{ text: `Words ${'that go on '.repeat(40)}` }], faults: half },
      { blocks: [call('write', { path: 'half.txt', content: 'text '.repeat(60) })], faults: half },
      calls(call('bash', { command: `trap "" TERM; echo be''gun; sleep 60` })),
      calls(call('ask_user', { question: 'Which one?', options: [{ label: 'this' }, { label: 'that' }] })),
      { hang: 'beforeHeaders' },
      says('Whole again.'),
    ],
    free,
  );
  const { model } = conversation;
  const desk = await openDesk(conversation);
  await desk.shows('Ask, or /help');
  const stops = () => desk.lines().filter((line) => line.includes('Stopped.')).length;
  const isIdle = (times: number) => desk.shows(() => stops() === times && !desk.screen().includes('esc stops)'));

  desk.type(`zero${keys.enter}`);
  await model.arrival(0);
  desk.type(keys.escape);
  await isIdle(1);

  desk.type(`one${keys.enter}`);
  await desk.shows('that go on that go on');
  desk.type(`later${keys.enter}`);
  await desk.shows('◷ later');
  desk.type(`draft${keys.escape}`);
  await isIdle(2);
  await desk.shows('> later');
  await desk.shows('  draft');
  desk.type(keys.ctrlC);
  await desk.shows('> Ask, or /help');

  desk.type(`two${keys.enter}`);
  await desk.shows('half.txt');
  desk.type(keys.escape);
  await isIdle(3);
  expect(existsSync(join(conversation.project, 'half.txt'))).toBe(false);

  desk.type(`three${keys.enter}`);
  // What it printed: its arguments are seen while they still arrive.
  await desk.shows('begun');
  desk.type(keys.escape);
  await isIdle(4);

  desk.type(`four${keys.enter}`);
  // Its options: the question stands there before it is asked.
  await desk.shows('1. this');
  desk.type(keys.escape);
  await desk.shows('The user would not answer');
  await eventually(() => expect(model.requests).toHaveLength(6));
  desk.type(keys.ctrlC);
  await isIdle(5);

  desk.type(`five${keys.enter}`);
  await desk.shows('Whole again.');
  // Every call has its result: the request after five stops was taken.
  expect(talkIn(request(model, 6)).filter((line) => line.startsWith('user'))).toEqual(
    ['zero', 'one', 'two', 'three', 'four', 'five'].map((text) => `user: ${text}`),
  );
  expect(desk.lines().filter((line) => line.trim() === 'zero')).toHaveLength(1);
  desk.type(keys.ctrlC);
  await desk.shows('Ctrl+C once more');
  desk.type(keys.ctrlC);
  expect(await desk.leaves()).toBe(0);
});
