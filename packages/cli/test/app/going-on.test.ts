/** A conversation that is interrupted by the world: killed, stopped by the shell, its terminal gone, and how it goes on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTerminal } from '@tau/testkit';
import { graphemeWidth } from '@tau/tui';
import { expect, onTestFinished, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says, talkIn } from '../conversation.ts';
import { expectGone, pidsIn } from '../processes.ts';
import { deskEnv, keys, openDesk, tauLine } from './desk.ts';

const free = { settings: { permissionMode: 'dangerously', theme: 'dark' } };

test('killed in the middle of a call, tau -c shows the conversation again and goes on with it', async () => {
  const conversation = await converse(
    [calls({ text: 'I begin.' }, call('bash', { command: `echo be''gun; sleep 60` })), says('Went on.')],
    free,
  );
  const first = await openDesk(conversation);
  await first.shows('Ask, or /help');
  first.type(`start it${keys.enter}`);
  // What it printed: its arguments are seen while they still arrive, and nothing of that is kept yet.
  await first.shows('begun');
  first.kill('SIGKILL');
  await first.done;

  const second = await openDesk(conversation, { args: ['-c'] });
  await second.shows('start it');
  await second.shows('I begin.');
  second.type(`go on${keys.enter}`);
  await second.shows('Went on.');
  expect(talkIn(request(conversation.model, 1))).toEqual(['user: start it', 'assistant: I begin.', 'user: go on']);
  expect(resultsIn(request(conversation.model, 1))).toHaveLength(1);
  second.type(keys.ctrlD);
  expect(await second.leaves()).toBe(0);
  // Of what is left on the terminal the last lines say how to come back, apart from what was said.
  const [gap, ...hint] = second.lines().slice(-3);
  expect([gap?.trim(), hint.join(' ')]).toEqual(['', expect.stringContaining('tau -c')]);
});

test('stopped by its key and continued by the shell, the screen is drawn once and nothing typed is lost', async () => {
  const conversation = await converse([says('Still here.')], free);
  const { home, project } = conversation;
  const shell = await openTerminal({
    ...{ file: 'bash', args: ['--norc', '--noprofile', '-i'], cwd: project, columns: 80, rows: 24 },
    ...{ env: deskEnv(home, { PS1: '$ ' }), widthOf: graphemeWidth },
  });
  onTestFinished(() => shell.close());
  shell.type(`echo $$ > "$HOME/shell"; ${tauLine()}; echo "code $?"\r`);
  await shell.shows('Ask, or /help');
  shell.type('half a sen');
  await shell.shows('> half a sen');
  shell.type(keys.ctrlZ);
  await shell.shows(() => shell.screen().includes('Stopped') && shell.screen().trimEnd().endsWith('$'));
  // The one mode is the shell's own.
  expect(shell.leftOn()).toEqual(['mode 2004']);
  shell.type('echo in the $((1+1))nd shell\r');
  await shell.shows('in the 2nd shell');
  shell.type('fg\r');
  await shell.shows(() => shell.screen().trimEnd().endsWith('no sandbox') && shell.screen().includes('> half a sen'));
  shell.type(`tence${keys.enter}`);
  await shell.shows('Still here.');
  expect(talkIn(request(conversation.model, 0))).toEqual(['user: half a sentence']);
  shell.type(keys.ctrlD);
  await shell.shows(() => shell.screen().includes('tau -c goes on') && shell.screen().trimEnd().endsWith('$'));
  expect(shell.faults()).toEqual([]);
  expect(shell.leftOn()).toEqual(['mode 2004']);
  expect(Number(readFileSync(join(home, 'shell'), 'utf8'))).toBe(shell.pid);
});

test('commands in the background are counted, listed, looked at and ended, and none outlives tau', async () => {
  const server = (name: string) =>
    call('bash', { command: `echo $$ >> pids; echo ${name} listens; sleep 300`, background: true });
  const conversation = await converse([calls(server('one'), server('two')), says('Both run.')], free);
  const desk = await openDesk(conversation);
  await desk.shows('Ask, or /help');
  desk.type(`start them${keys.enter}`);
  await desk.shows('Both run.');
  await desk.shows('2 in background');
  const pids = await pidsIn(join(conversation.project, 'pids'), 2);
  desk.type(`/ps${keys.enter}`);
  await desk.shows('● job-2  runs for');
  desk.type(`/kill${keys.enter}`);
  await desk.shows('Say which: job-1, job-2');
  desk.type(`/ps job-2${keys.enter}`);
  await desk.shows('two listens');
  desk.type(`/kill job-1${keys.enter}`);
  await desk.shows('job-1 was ended.');
  await desk.shows('1 in background');
  // The only one needs no name. Its end is told by itself, with nothing under way.
  desk.type(`/timeout soon${keys.enter}`);
  await desk.shows('"soon" is no time');
  desk.type(`/timeout 1h${keys.enter}`);
  await desk.shows('job-2 is ended in 1h');
  desk.type(`/ps${keys.enter}`);
  await desk.shows('s left: echo');
  // It would end with tau, so that is said first.
  desk.type(keys.ctrlD);
  await desk.shows('job-2 still runs in the background (/ps) and would be ended; once more does it');
  desk.type(`/timeout 1s job-2${keys.enter}`);
  await desk.shows('◷ job-2 (');
  await desk.hides('in background');
  desk.type(keys.ctrlD);
  expect(await desk.leaves()).toBe(0);
  await expectGone(pids);
});
