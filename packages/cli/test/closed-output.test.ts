import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse } from './conversation.ts';

test('a reader that goes away (| head -1) ends the run without a word', async () => {
  const { start, project } = await converse([
    calls(call('bash', { command: 'until [ -e go ]; do sleep 0.02; done; echo more' })),
    { hang: 'midStream' },
  ]);
  const run = start(['-p', 'go', '--output-format', 'stream-json', '--allow', 'bash']);
  await run.waitFor('tool_execution_start');
  run.child.stdout?.destroy();
  writeFileSync(join(project, 'go'), '');
  expect(await run.done).toMatchObject({ signal: null, stderr: '' });
});

test.each([[['--help']], [['--version']], [['-p', '-V']], [['-p', 'hi']], [['demo']]])(
  '%j with nobody to read its output ends without a stack trace',
  async (args) => {
    const { start } = await converse([{ blocks: [{ text: 'a long answer '.repeat(20_000) }], chunk: 50_000 }]);
    const run = start(args);
    run.child.stdout?.destroy();
    expect(await run.done).toMatchObject({ signal: null, stderr: '' });
  },
);
