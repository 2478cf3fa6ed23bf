/** Words on standard input that tau comes to read late. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { converse, request, says } from './conversation.ts';

/** Loaded before tau: it stands still while the time runs in which it waits for the first word. */
const standstill = `
  const set = globalThis.setTimeout;
  globalThis.setTimeout = (call, ms, ...more) => {
    const timer = set(call, ms, ...more);
    if (ms === 1000) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
    return timer;
  };
`;

test('what was piped in is heard, though tau stood still while it waited for it', async () => {
  const { tau, model, write, project } = await converse([says('ok')]);
  write('../preload.cjs', standstill);
  const env = { NODE_OPTIONS: `--require ${join(project, '../preload.cjs')}` };
  expect(await tau(['-p', 'hi'], { stdin: 'piped words', env })).toMatchObject({ code: 0, stderr: '' });
  expect(request(model, 0).raw).toContain('piped words');
});
