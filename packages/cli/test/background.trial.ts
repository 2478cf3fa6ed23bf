import { join } from 'node:path';
import type { ScriptStep } from '@tau/testkit';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { expectGone, pidsIn } from './processes.ts';

const free = ['--permission-mode', 'dangerously'];
/** A shell and a child, both written down, that say something and stay. */
const server = "echo listening; trap '' TERM; sleep 300 & echo $! >> pids; echo $$ >> pids; wait";
const serve = calls(call('bash', { command: server, background: true }, 'c1'));
const untilUp = 'until [ -e pids ] && [ "$(wc -l < pids)" = 2 ]; do sleep 0.02; done';

test('a server in the background is started, looked at and killed by the model', async () => {
  const { tau, model, project } = await converse([
    serve,
    calls(call('bash', { command: untilUp }, 'c2')),
    calls(call('jobs', { action: 'output', id: 'job-1' }, 'c3')),
    calls(call('jobs', { action: 'kill', id: 'job-1' }, 'c4'), call('jobs', { action: 'list' }, 'c5')),
    says('ok'),
  ]);
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(request(model, 0).raw).not.toContain('"name":"jobs"');
  expect(request(model, 1).raw).toContain('"name":"jobs"');
  const [started, , looked, killed, listed] = resultsIn(request(model, 4)).map(({ text }) => text);
  expect(started).toMatch(
    /^Running in the background as job-1; its output goes to \/.*\/output\.log\. Use the jobs tool/,
  );
  expect(looked).toMatch(/^job-1 runs for \d+ s\nlistening$/);
  expect(killed).toMatch(/^job-1 was killed by SIGKILL after \d+ s; its output is in \//);
  expect(listed).toMatch(/^job-1 (was killed by SIGKILL after|runs for) \d+ s: echo listening;/);
  await expectGone(await pidsIn(join(project, 'pids'), 2));
});

test('a background command does not keep tau, and is gone after it', async () => {
  const { tau, project } = await converse([serve, calls(call('bash', { command: untilUp })), says('bye')]);
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stdout: 'bye\n', stderr: '' });
  await expectGone(await pidsIn(join(project, 'pids'), 2));
});

test.each([
  ['SIGINT', 130],
  ['SIGKILL', null],
] as const)('a background command is gone after %s', async (signal, code) => {
  const { start, model, project } = await converse([serve, { hang: 'beforeHeaders' }]);
  const run = start(['-p', 'go', ...free]);
  await model.arrival(1);
  const pids = await pidsIn(join(project, 'pids'), 2);
  run.kill(signal);
  expect(await run.done).toMatchObject({ code });
  await expectGone(pids);
});

test('what a finished command left in the background is told to the model, and is gone after tau', async () => {
  const command = 'sleep 300 & echo $! >> pids; echo begun';
  const { tau, model, project } = await converse([calls(call('bash', { command })), says('ok')]);
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(resultsIn(request(model, 1))).toMatchObject([
    { text: expect.stringMatching(/^begun\n\[a process it started still runs in the background and ends with tau/) },
  ]);
  await expectGone(await pidsIn(join(project, 'pids'), 1));
});

test('the end of a background command is told to the model without being asked for', async () => {
  const told = /Background command job-1 \(.*\) ended with exit code 3\. Last lines:\\nbroken/;
  // Works on, a little each turn, until it hears of it, however long that takes.
  const turns = Array.from({ length: 400 }, (_, n): ScriptStep => {
    return ({ raw }) => (told.test(raw) ? says('I see') : calls(call('bash', { command: `sleep 0.05; echo ${n}` })));
  });
  const { tau } = await converse([
    calls(call('bash', { command: 'echo broken; exit 3', background: true })),
    ...turns,
    says('I heard nothing'),
  ]);
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stdout: 'I see\n', stderr: '' });
});

test('other agents’ ways to write a command are understood', async () => {
  const { tau, model } = await converse([
    calls(
      call('bash', { command: ['bash', '-lc', 'echo "from a list"'], timeout: 5000, description: 'Says it' }, 'c1'),
      call('bash', { command: 'true', workdir: 'sub folder' }, 'c2'),
    ),
    says('ok'),
  ]);
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1))).toEqual([
    { id: 'c1', text: 'from a list' },
    { id: 'c2', text: expect.stringContaining("Begin the command with: cd 'sub folder' &&") },
  ]);
});
