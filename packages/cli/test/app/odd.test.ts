/** What seldom happens at a terminal and must not hurt: tiny windows, floods, failures, signals, one conversation after another. */
import { expect, test } from 'vitest';
import { call, calls, converse, request, says, talkIn } from '../conversation.ts';
import { keys, openDesk } from './desk.ts';

const free = { settings: { permissionMode: 'dangerously', theme: 'dark' } };

test('a flood of output and a line without end cost a screen, an error is said, what waited comes back, a signal gives the terminal back', async () => {
  const conversation = await converse(
    [
      calls(call('bash', { command: 'yes "a line of the flood" | head -n 200000' })),
      { blocks: [{ text: `${'long'.repeat(20_000)} over` }], chunk: 40 },
      calls(call('bash', { command: 'until [ -e go ]; do sleep 0.02; done' })),
      { status: 500 },
      says('Well again.'),
    ],
    free,
  );
  const desk = await openDesk(conversation);
  await desk.shows('Ask, or /help');
  desk.type(`flood${keys.enter}`);
  await desk.shows('long over');
  await desk.hides('esc stops)');
  // The output itself has four megabytes.
  expect(desk.written()).toBeLessThan(1_000_000);

  desk.type(`fail${keys.enter}`);
  await desk.shows('until [ -e go ]');
  desk.type(`for later${keys.altEnter}`);
  await desk.shows('◷ for later');
  conversation.write('go', '');
  await desk.shows('✗ ');
  await desk.shows('> for later');
  desk.type(keys.enter);
  await desk.shows('Well again.');
  await desk.hides('esc stops)');
  expect(talkIn(request(conversation.model, 4)).at(-1)).toBe('user: for later');

  // Idle means that nothing is written, once what was on its way has come.
  const writtenIn = async (ms: number) => {
    const before = desk.written();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return desk.written() - before;
  };
  await expect.poll(() => writtenIn(500)).toBe(0);
  desk.kill('SIGTERM');
  expect(await desk.leaves()).toBe(143);
});

test('in a window of a few cells everything still runs, and a larger one shows it', async () => {
  const conversation = await converse(
    [
      calls(call('bash', { command: 'echo out; sleep 0.2' }), call('read', { path: 'none.txt' })),
      says('# Done\n\n- a\n- b'),
    ],
    free,
  );
  const desk = await openDesk(conversation, { columns: 12, rows: 5 });
  await desk.shows('>');
  desk.type(`go${keys.enter}`);
  await conversation.model.arrival(1);
  for (const [columns, rows] of [
    [3, 2],
    [1, 1],
    [2, 40],
    [200, 1],
    [20, 3],
  ] as const) {
    desk.resize(columns, rows);
    desk.type('y');
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  desk.resize(80, 24);
  await desk.shows('> yyyyy');
  desk.settled();
  desk.type(keys.ctrlC);
  await desk.shows('> Ask, or /help');
  desk.type(keys.ctrlO);
  await desk.shows('q closes');
  await desk.shows('Done');
  desk.type('q');
  await desk.shows(() => !desk.isAlternate);
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
});

test('another conversation begins and an earlier one goes on, without leaving', async () => {
  const conversation = await converse([says('First answer.'), says('Second answer.'), says('Third answer.')], free);
  const { model } = conversation;
  const desk = await openDesk(conversation);
  await desk.shows('Ask, or /help');
  desk.type(`alpha${keys.enter}`);
  await desk.shows('First answer.');
  await desk.hides('esc stops)');
  desk.type(`/new${keys.enter}`);
  await desk.shows(() => desk.lines().filter((line) => line.startsWith('τ tau')).length === 2);
  await desk.shows('> Ask, or /help');
  desk.type(`/clone${keys.enter}`);
  await desk.shows('There is no session file');
  desk.type(`beta${keys.enter}`);
  await desk.shows('Second answer.');
  await desk.hides('esc stops)');
  expect(talkIn(request(model, 1))).toEqual(['user: beta']);
  // What cannot be begun leaves this one where it is.
  desk.type(`/resume no-such-one${keys.enter}`);
  await desk.shows('no-such-one');
  desk.type(`/session${keys.enter}`);
  await desk.shows('endpoint');
  const [, own = ''] = /session {3}([\w-]+), 2 messages/.exec(desk.screen()) ?? [];
  desk.type(`/resume ${own}${keys.enter}`);
  await desk.shows('This conversation is open already');
  desk.type(`/resume${keys.enter}`);
  await desk.shows('Go on with');
  desk.type(`alpha${keys.enter}`);
  await desk.shows(() => desk.lines().filter((line) => line.startsWith('τ tau')).length === 3);
  await desk.shows('> Ask, or /help');
  desk.type(`gamma${keys.enter}`);
  await desk.shows('Third answer.');
  expect(talkIn(request(model, 2))).toEqual(['user: alpha', 'assistant: First answer.', 'user: gamma']);
  await desk.hides('esc stops)');
  // The newest but this one.
  desk.type(`/resume last${keys.enter}`);
  await desk.shows(() => desk.lines().filter((line) => line.startsWith('τ tau')).length === 4);
  await desk.shows(' beta');
  await desk.shows('> Ask, or /help');
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
});
