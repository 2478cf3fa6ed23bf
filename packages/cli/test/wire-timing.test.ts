import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { expectGone, pidsIn } from './processes.ts';
import { callEvents, endEvents, handWrittenServer, wordEvents } from './wire.ts';

test('a call that only reads runs while the model still speaks', async () => {
  const { tau, project } = await converse([]);
  const pipe = join(project, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // A pipe opens for writing only while somebody reads it, and the message ends only after that.
  const running = open(pipe, 'w').then(async (end) => {
    await end.writeFile('early');
    await end.close();
  });
  const url = await handWrittenServer(async (stream, number) => {
    if (number > 0) return stream.end(wordEvents('done') + endEvents('end_turn'));
    stream.write(callEvents('cat pipe'));
    await running;
    return stream.end(endEvents('tool_use'));
  });
  const run = await tau(['-p', 'go', '--base-url', url, '--output-format', 'stream-json']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.events().find(({ type }) => type === 'tool_execution_end')).toMatchObject({
    result: { content: [{ text: 'early' }] },
  });
});

test('a server that keeps the connection after its message does not keep tau', async () => {
  const { tau } = await converse([]);
  const url = await handWrittenServer((stream, number) => {
    stream.write(
      number === 0 ? callEvents('echo hi') + endEvents('tool_use') : wordEvents('done') + endEvents('end_turn'),
    );
  });
  expect(await tau(['-p', 'go', '--base-url', url])).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
});

test('Ctrl+C during a command ends in good order, also while the connection of its message is still open', async () => {
  const { start, project } = await converse([]);
  const url = await handWrittenServer((stream) => {
    stream.write(callEvents('echo $$ > pids; sleep 300') + endEvents('tool_use'));
  });
  const run = start(['-p', 'go', '--base-url', url, '--permission-mode', 'dangerously']);
  const pids = await pidsIn(join(project, 'pids'), 1);
  run.kill('SIGINT');
  expect(await run.done).toMatchObject({ code: 130, signal: null, stderr: '' });
  await expectGone(pids);
});
