/** Print mode at a terminal: words as they come, a line for each call, a moving line that leaves nothing behind. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, says } from './conversation.ts';
import { colours, inTerminal, leftOn } from './terminal.ts';

const working = /\r[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] thinking \d+ s/;
const looking = [calls({ text: 'I look.' }, call('bash', { command: 'echo hi' })), says('All is\nwell')];

test('words, calls and how they went are there in order, and the moving line is gone', async () => {
  const { code, screen } = await inTerminal(await converse(looking), ['-p', 'hi']);
  expect(code).toBe(0);
  expect(leftOn(screen)).toBe('I look.\n● bash echo hi\n✓ bash hi\nAll is\nwell\n');
  expect(screen).toMatch(working);
  expect(screen).toContain('\u001b[32m✓\u001b[39m');
});

test('words come piece by piece, control characters are seen, and a line break in two pieces is one', async () => {
  const text = 'a\u001b[2Jb\r\nc 👍 d\u0007';
  const sandbox = await converse([{ blocks: [{ text }], chunk: 1 }]);
  const { screen } = await inTerminal(sandbox, ['-p', 'hi']);
  expect(leftOn(screen)).toBe('a^[[2Jb\nc 👍 d^G\n');
});

test('a failed call is marked, and its preview is one short line', async () => {
  const command = `printf 'one\\ntwo\\n%0300d' 0; exit 3`;
  const { screen } = await inTerminal(await converse([calls(call('bash', { command })), says('no')]), [
    ...['-p', 'hi', '--allow', 'bash'],
  ]);
  const lines = leftOn(screen).split('\n');
  expect(lines[1]).toMatch(/^✗ bash one ⏎ two ⏎ 0+…$/);
  expect(lines[1]?.length).toBe('✗ bash '.length + 120);
  expect(screen).toContain('\u001b[31m✗\u001b[39m');
});

test('a long input is cut at 80 characters', async () => {
  const command = `echo ${'x'.repeat(200)}`;
  const { screen } = await inTerminal(await converse([calls(call('bash', { command })), says('ok')]), ['-p', 'hi']);
  expect(leftOn(screen).split('\n')[0]).toBe(`● bash echo ${'x'.repeat(74)}…`);
});

test.each([
  ['NO_COLOR', { NO_COLOR: '1' }],
  ['TERM=dumb', { TERM: 'dumb' }],
])('with %s there are no colours', async (_, env) => {
  const { screen } = await inTerminal(await converse(looking), ['-p', 'hi'], { env });
  expect(screen).toContain('✓ bash hi');
  expect(screen).not.toMatch(colours);
});

test('the setting color takes them away too', async () => {
  const { screen } = await inTerminal(await converse(looking, { settings: { color: 'never' } }), ['-p', 'hi']);
  expect(leftOn(screen)).toContain('✓ bash hi');
  expect(screen).not.toMatch(colours);
});

test('a dumb terminal gets no moving line', async () => {
  const { screen } = await inTerminal(await converse(looking), ['-p', 'hi'], { env: { TERM: 'dumb' } });
  expect(screen).toBe('I look.\n● bash echo hi\n✓ bash hi\nAll is\nwell\n');
});

test('with stdout in a file the terminal shows the calls, and the file has the answer alone', async () => {
  const sandbox = await converse(looking);
  const { screen } = await inTerminal(sandbox, ['-p', 'hi'], { redirect: '>out.txt' });
  expect(leftOn(screen)).toBe('● bash echo hi\n✓ bash hi\n');
  expect(sandbox.read('out.txt')).toBe('All is\nwell\n');
});

test('with stderr in a file the terminal shows the words alone', async () => {
  const sandbox = await converse(looking);
  const { screen } = await inTerminal(sandbox, ['-p', 'hi'], { redirect: '2>err.txt' });
  expect(screen).toBe('I look.\nAll is\nwell\n');
  expect(sandbox.read('err.txt')).toBe('');
});

test('a word about a second try stands on a line of its own, in the middle of an answer too', async () => {
  const sandbox = await converse(
    [{ cut: true, blocks: [{ text: 'This is the first half of it, ' }] }, says('and this the second.')],
    { settings: { retry: { retries: 1, baseMs: 1 } } },
  );
  const { code, screen } = await inTerminal(sandbox, ['-p', 'hi']);
  expect(code).toBe(0);
  expect(leftOn(screen)).toMatch(/^This is[^\n]*\ntau: [^\n]+; the model is asked to go on\nand this the second\.\n$/);
});

test('an error stands on a line of its own, and the moving line is gone', async () => {
  const { code, screen } = await inTerminal(await converse([{ status: 500 }]), ['-p', 'hi']);
  expect(code).toBe(1);
  expect(screen).toMatch(working);
  expect(leftOn(screen)).toMatch(/^tau: scripted answered 500[^\n]*\n$/);
});

test('with --json-schema only the JSON that fits is shown', async () => {
  const sandbox = await converse([says('no'), says('```json\n{"a":1}\n```')]);
  const { screen } = await inTerminal(sandbox, ['-p', 'hi', '--json-schema', '{"type":"object"}']);
  expect(leftOn(screen)).toBe('{"a":1}\n');
});

test('a crash takes the moving line away before it says what happened', async () => {
  const sandbox = await converse([{ hang: 'beforeHeaders' }]);
  const crash = `setInterval(() => { if (require('fs').existsSync('go')) throw new Error('b\\u001b[2Joom'); }, 20).unref()`;
  sandbox.write('crash.cjs', crash);
  const env = { NODE_OPTIONS: `--require ${join(sandbox.project, 'crash.cjs')}` };
  const seen = inTerminal(sandbox, ['-p', 'hi'], { env });
  await sandbox.model.arrival(0);
  sandbox.write('go', '');
  const { code, screen } = await seen;
  expect(code).toBe(1);
  expect(screen).toMatch(working);
  expect(leftOn(screen)).toBe('tau: something went wrong inside tau: b^[[2Joom\n');
});
