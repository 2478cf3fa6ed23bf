/** Standard input that comes late or never: a FIFO is waited for, a socket that nobody may ever write to is not. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { converse, request, says, talkIn } from './conversation.ts';
import { startTau } from './processes.ts';

const waiting = 'tau: waiting for standard input (close it, or add </dev/null)\n';
const without = 'tau: nothing came on standard input; going on without it\n';

/** Both ends of a FIFO. The writing end must be opened first, for both, so that opening does not wait. */
function fifo(folder: string) {
  const path = join(folder, 'fifo');
  execFileSync('mkfifo', [path]);
  const writer = openSync(path, constants.O_RDWR);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const open = new Set([writer, reader]);
  const close = (fd: number) => {
    if (open.delete(fd)) closeSync(fd);
  };
  onTestFinished(() => [...open].forEach(close));
  return { reader, write: (text: string) => void writeSync(writer, text), close: () => close(writer) };
}

test('a FIFO that comes late is waited for, with a word about it, and nothing of it is lost', async () => {
  const sandbox = await converse([says('ok')]);
  const { reader, write, close } = fifo(sandbox.project);
  const run = startTau(sandbox, ['-p', 'explain'], reader);
  await run.waitFor(waiting, 'stderr');
  write('late ');
  write('news\n');
  close();
  expect(await run.done).toMatchObject({ code: 0, stdout: 'ok\n', stderr: waiting });
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: explain\n\nlate news']);
});

test('a FIFO that is closed without a word adds nothing', async () => {
  const sandbox = await converse([says('ok')]);
  const { reader, close } = fifo(sandbox.project);
  const run = startTau(sandbox, ['-p', 'hi'], reader);
  close();
  expect(await run.done).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: hi']);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while standard input is awaited ends with %i, and nothing is sent', async (signal, code) => {
  const sandbox = await converse([says('never')]);
  const { reader } = fifo(sandbox.project);
  const run = startTau(sandbox, ['-p', 'hi'], reader);
  await run.waitFor(waiting, 'stderr');
  run.kill(signal);
  expect(await run.done).toMatchObject({ code, signal: null, stdout: '', stderr: waiting });
  expect(sandbox.model.requests).toHaveLength(0);
});

test('a file is read to its end', async () => {
  const sandbox = await converse([says('ok')]);
  sandbox.write('notes.txt', 'from a file\n');
  const file = openSync(join(sandbox.project, 'notes.txt'), 'r');
  onTestFinished(() => closeSync(file));
  expect(await startTau(sandbox, ['-p', 'explain'], file).done).toMatchObject({ code: 0, stderr: '' });
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: explain\n\nfrom a file']);
});

test('a socket that is open and silent does not hold up a run that has its prompt, and tau says so', async () => {
  const sandbox = await converse([says('Hello')]);
  const run = startTau(sandbox, ['-p', 'hi'], 'pipe');
  expect(await run.done).toMatchObject({ code: 0, stdout: 'Hello\n', stderr: without });
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: hi']);
});

test('a socket that has begun to speak is heard to its end', async () => {
  const sandbox = await converse([says('ok')]);
  const run = startTau(sandbox, ['-p', 'explain'], 'pipe');
  run.child.stdin?.write('first ');
  // Longer than the silence tau would put up with from somebody who never said anything.
  setTimeout(() => run.child.stdin?.end('and last'), 1500);
  expect(await run.done).toMatchObject({ code: 0, stderr: '' });
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: explain\n\nfirst and last']);
});

test('without a prompt a silent socket is waited for, without a word', async () => {
  const sandbox = await converse([says('ok')]);
  const run = startTau(sandbox, ['-p', ' '], 'pipe');
  setTimeout(() => run.child.stdin?.end('the prompt'), 1500);
  expect(await run.done).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: the prompt']);
});
