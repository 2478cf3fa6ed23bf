/** Commands of the app without a screen: each goes the whole way, several in one start. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { converse, says } from '../conversation.ts';
import { onlySession } from '../sessions.ts';

test('going back, beginning anew, sessions, time and keys are commands in one run too', async () => {
  const scene = await converse([says('one'), says('two')], { git: true });
  const { tau, tauHome, read, write } = scene;
  await tau(['-p', 'the first words', 'the second words']);
  write(join(tauHome, 'auth.json'), JSON.stringify({ anthropic: { type: 'api_key', key: 'sk-ant-test-0123456789' } }));
  const first = await tau(['-c', '-p', '/tree', '/session list', '/timeout 5m', '/logout anthropic', '/branch']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const [, second = ''] = /^ {2}([0-9a-f]{8}) {2}the second words$/m.exec(first.stdout) ?? [];
  expect(first.stdout).toMatch(/^ {2}[0-9a-f]{8} {2}the first words$/m);
  expect(first.stdout).toMatch(/^ {2}[0-9a-f-]{36} {2}the first words$/m);
  expect(first.stdout).toContain('Nothing runs in the background.');
  expect(first.stdout).toContain('The key of anthropic is no longer kept.');
  expect(read(join(tauHome, 'auth.json'))).not.toContain('sk-ant-test');
  expect(first.stdout).toMatch(/^(?:main|master)$/m);

  expect((await tau(['-c', '-p', `/tree ${second}`])).stdout).toContain('Back to before "the second words".');
  const left = await tau(['-c', '-p', '/tree', '/clear', '/tree']);
  expect(left.stdout).toMatch(/^ {2}[0-9a-f]{8} {2}⎇ left: the second words$/m);
  // What was cleared is on the way to it.
  expect(left.stdout).toMatch(/not undone:\n {2}[0-9a-f]{8} {2}⎇ left: the second words\n$/);
  const wrong = await tau(['-c', '-p', '/tree 00000000']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no message "00000000"') });
  expect((await tau(['-p', '/logout anthropic'])).stderr).toContain('There is no key of anthropic');
  // Nothing was taken out of the file.
  for (const words of ['the first words', 'the second words', '"one"', '"two"']) {
    expect(read(onlySession(tauHome))).toContain(words);
  }
});
