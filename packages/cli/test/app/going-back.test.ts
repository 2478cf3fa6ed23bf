/** Going back at a real terminal: before something that was said, to a branch that was left, in a copy, and after a kill. */
import { expect, test } from 'vitest';
import { call, calls, converse, request, says, talkIn } from '../conversation.ts';
import { startTyping } from '../repl-terminal.ts';
import { keys, openDesk } from './desk.ts';

const { enter, escape: esc, up } = keys;
const free = { settings: { permissionMode: 'dangerously', theme: 'dark' } };

test('Escape twice goes back to before what was said, its words are to be sent anew, and a kill loses none of it', async () => {
  const conversation = await converse(
    [says('The first answer.'), says('The second answer.'), says('Another second.'), says('After the kill.')],
    free,
  );
  const { model } = conversation;
  const desk = await openDesk(conversation, { rows: 30 });
  await desk.shows('Ask, or /help');
  desk.type(`first question${enter}`);
  await desk.shows('The first answer.');
  desk.type(`second question${enter}`);
  await desk.shows('The second answer.');
  await desk.hides('esc stops)');

  // A line that is written is cleared, and not lost.
  desk.type('half a line');
  await desk.shows('> half a line');
  desk.type(esc);
  await desk.shows('Escape once more clears the line');
  // Two belong together for two seconds only, so both come at once, and a key before them ends the first.
  desk.type(`s${esc}${esc}`);
  await desk.shows('The line is cleared');
  await desk.hides('> half a line');
  desk.type(up);
  await desk.shows('> half a lines');
  desk.type('\u0015');
  await desk.hides('> half a line');

  desk.type(esc);
  await desk.shows('Escape once more: back to before something you said');
  desk.type('x\u007f');
  desk.type(`${esc}${esc}`);
  await desk.shows('Go back; files that were changed since stay as they are');
  expect(desk.screen()).toMatch(/› second question +\d\d:\d\d, just now/);
  desk.type(enter);
  await desk.shows('Back to before "second question". What was said since is kept (/tree)');
  await desk.shows('> second question');
  desk.type(` again${enter}`);
  await desk.shows('Another second.');
  expect(talkIn(request(model, 2))).toEqual([
    'user: first question',
    'assistant: The first answer.',
    'user: second question again',
  ]);

  // Escape leaves the list, which shows what was left now too.
  await desk.hides('esc stops)');
  desk.type(`/tree${enter}`);
  await desk.shows('To where a branch was left, after');
  desk.type(esc);
  await desk.hides('To where a branch was left, after');
  desk.type(`/tree${enter}`);
  await desk.shows('To where a branch was left, after');
  desk.type(`${up}${enter}`);
  await desk.shows('Back on the branch that was left.');
  desk.kill('SIGKILL');
  await desk.done;

  const later = await openDesk(conversation, { args: ['-c'], rows: 30 });
  await later.shows('The second answer.');
  expect(later.screen()).not.toContain('Another second.');
  // In a copy, from before the first question: the words are there, and this conversation stays.
  later.type(`/fork${enter}`);
  await later.shows('Go on in a copy, from before');
  later.type(`first${enter}`);
  await later.shows('> first question');
  expect(later.lines().filter((line) => line.includes('τ tau'))).toHaveLength(2);
  expect(
    later
      .lines()
      .at(later.lines().findLastIndex((line) => line.includes('τ tau')) - 1)
      ?.trim(),
  ).toBe('');
  later.type(enter);
  await later.shows('After the kill.');
  expect(talkIn(request(model, 3))).toEqual(['user: first question']);
  later.type(keys.ctrlD);
  expect(await later.leaves()).toBe(0);
  const listed = await conversation.tau(['sessions', 'list', '--json']);
  expect(JSON.stringify(listed.stdout)).toContain('first question');
  expect(later.lines().at(-3)?.trim()).toBe('');
});

test('in lines, what was said is listed with its ids and gone back to, and a command in the background gets its time', async () => {
  const server = call('bash', { command: 'sleep 300', background: true });
  const conversation = await converse([calls(server), says('It runs.'), says('Once more.'), says('Anew.')], free);
  const tau = startTyping(conversation);
  await tau.shows('> ');
  tau.type(`start it${enter}`);
  await tau.shows('It runs.');
  await tau.shows('> ');
  tau.type(`/timeout 1s${enter}`);
  await tau.shows('job-1 is ended in 1s, if it still runs then.');
  await tau.shows('tau: job-1 (sleep 300) was ended, because its time of 1 s was over');
  tau.type(`/tree${enter}`);
  await tau.shows('/tree ID goes back to before what you said');
  await tau.shows('start it');
  const [, id = ''] = /([0-9a-f]{8}) {2}start it/.exec(tau.screen()) ?? [];
  tau.type(`/tree ${id}${enter}`);
  await tau.shows('Back to before "start it".');
  tau.type(`other words${enter}`);
  await tau.shows('Once more.');
  await tau.shows('> ');
  expect(talkIn(request(conversation.model, 2)).filter((line) => line.includes('it'))).toEqual([
    expect.stringMatching(/^user: Background command job-1 \(sleep 300\) was ended/),
  ]);
  tau.type(`/clear${enter}`);
  await tau.shows('The model knows nothing of what was said before.');
  tau.type(`from the start${enter}`);
  await tau.shows('Anew.');
  expect(talkIn(request(conversation.model, 3))).toEqual(['user: from the start']);
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
});
