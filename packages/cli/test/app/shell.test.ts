/** In a real terminal: the user's own commands, the transcript viewer, and what is seen again the next day. */
import { expect, test } from 'vitest';
import { readShellLine } from '../../src/app/shell.ts';
import { call, calls, converse, request, says, talkIn } from '../conversation.ts';
import { keys, startTyping } from '../repl-terminal.ts';

const ctrlO = '\u000f';
const esc = '\u001b';
const env = { TAU_PLAIN: '', TERM: 'xterm-256color', TAU_SANDBOX_ENABLED: 'false' };

test('a line with ! is a command, with !! one the model does not hear of; a lone mark is a word', () => {
  expect(readShellLine('!ls -la')).toEqual({ command: 'ls -la', quiet: false });
  expect(readShellLine(' !! git status ')).toEqual({ command: 'git status', quiet: true });
  expect(readShellLine('!one\ntwo')).toEqual({ command: 'one\ntwo', quiet: false });
  for (const line of ['!', '!!', '!!!', '!!!x', 'no!', '']) expect(readShellLine(line)).toBeUndefined();
});

test('own commands run, are stopped, told or not told; the viewer holds all of it; the next day shows the last exchange', async () => {
  const conversation = await converse(
    [calls({ thinking: 'hm' }, call('bash', { command: 'seq 101 140' })), says('The *answer*.')],
    { settings: { permissionMode: 'dangerously' } },
  );
  const { model } = conversation;
  const tau = startTyping(conversation, [], env);
  await tau.shows('Ask, or /help');
  tau.type('!echo ma$((1+1))de; exit 3');
  await tau.shows('shell');
  tau.type(keys.enter);
  await tau.shows('exit 3 · ');
  // Drawn while it ran, or with its end.
  await expect.poll(() => tau.screen()).toContain('ma2de');
  tau.type(`!!echo qui$((2+2))et${keys.enter}`);
  await tau.shows('qui4et');
  tau.type(`!sleep 60${keys.enter}`);
  await tau.shows('● ! sleep 60');
  tau.type(esc);
  await tau.shows('aborted by the user');
  tau.type(`go on${keys.enter}`);
  await tau.shows('lines ctrl+o shows all');
  await tau.shows('The answer.');
  const told = talkIn(request(model, 0)).join('\n');
  expect(told).toContain('I ran this command myself: echo ma$((1+1))de; exit 3\nIts output:\nma2de\n(exit code 3)');
  expect(told).not.toContain('qui');
  tau.type(ctrlO);
  await tau.shows('q closes');
  tau.type('/117');
  await tau.shows('117');
  tau.type(`${keys.enter}qback here`);
  await tau.shows('back here');
  tau.type(keys.ctrlC + keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });

  const next = startTyping(conversation, ['-c'], env);
  await next.shows('go on');
  await next.shows('bash seq 101 140');
  await next.shows('The answer.');
  next.type(`/transcript${keys.enter}`);
  await next.shows('q closes');
  next.type(`q${keys.ctrlD}`);
  expect(await next.done).toEqual({ code: 0, restored: true });
});
