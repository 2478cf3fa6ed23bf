import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';

const accept = ['--permission-mode', 'acceptEdits'];
const free = ['--permission-mode', 'dangerously'];
const look = call('read', { path: 'a.txt' });

test.each([
  ['edit', { path: 'a.txt', old_string: 'one', new_string: 'two' }],
  ['write', { path: 'a.txt', content: 'two\n' }],
])('%s: a file that was never read is refused, and may be changed once it was', async (tool, input) => {
  const { tau, model, write, read } = await converse([
    calls(call(tool, input)),
    calls(look, call(tool, input)),
    says('ok'),
  ]);
  write('a.txt', 'one\n');
  expect(await tau(['-p', 'go', ...accept])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  const results = resultsIn(request(model, 2)).map(({ text }) => text);
  expect(results[0]).toContain('a.txt exists, but you have not read it. Read it first');
  expect(results[2]).toMatch(/^(Replaced 1 occurrence in|Wrote) a\.txt/);
  expect(read('a.txt')).toBe('two\n');
});

test.each([
  ['edit', { path: 'a.txt', old_string: 'one', new_string: 'two' }],
  ['write', { path: 'a.txt', content: 'two\n' }],
])('%s: a file that a command changed after it was read is refused', async (tool, input) => {
  const change = call('bash', { command: 'echo more >> a.txt' });
  const { tau, model, write, read } = await converse([calls(look), calls(change, call(tool, input)), says('ok')]);
  write('a.txt', 'one\n');
  expect((await tau(['-p', 'go', ...free])).code).toBe(0);
  expect(resultsIn(request(model, 2)).at(-1)?.text).toContain('a.txt changed since you read it. Read it again');
  expect(read('a.txt')).toBe('one\nmore\n');
});

test('edit: a tolerance is named, and mode, byte order mark and line endings are kept', async () => {
  const edit = call('edit', { path: 'a.txt', old_string: 'one\n"two"', new_string: 'one\n1.5\n"two"' });
  const { tau, model, write, project } = await converse([calls(look, edit), says('ok')]);
  write('a.txt', '\ufeffone\r\n“two”\r\n');
  const file = join(project, 'a.txt');
  chmodSync(file, 0o640);
  expect(await tau(['-p', 'go', ...accept])).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1))[1]?.text).toContain('matched after ignoring typographic characters:\n@@');
  expect(readFileSync(file, 'utf8')).toBe('\ufeffone\r\n1.5\r\n“two”\r\n');
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

test('edit: what other agents call its parameters is understood', async () => {
  const blocks = [
    call('edit', { file_path: 'a.txt', oldText: 'one', newText: '1' }),
    call('edit', { filename: 'a.txt', old_str: 'two', new_str: '2' }),
    call('edit', { filePath: 'a.txt', oldString: 'x', newString: 'y', replaceAll: 'true' }),
    call('edit', { path: 'a.txt', edits: { search: 'three', replace: '3' } }),
    call('edit', { path: 'a.txt', edits: JSON.stringify([{ old_string: 'four', new_string: '4' }]) }),
  ];
  const { tau, model, write, read } = await converse([calls(look, ...blocks), says('ok')]);
  write('a.txt', 'one two three four x x\n');
  expect((await tau(['-p', 'go', ...accept])).code).toBe(0);
  expect(read('a.txt')).toBe('1 2 3 4 y y\n');
  for (const { text } of resultsIn(request(model, 1)).slice(1)) expect(text).toContain('Replaced');
});

test('edit: edits of one file under two names come one after the other', async () => {
  const edits = ['a.txt', 'link.txt', './a.txt', 'link.txt'].map((path, index) =>
    call('edit', { path, old_string: `${index}`, new_string: `<${index}>` }),
  );
  const { tau, write, read, project } = await converse([calls(look, ...edits), says('ok')]);
  write('a.txt', '0 1 2 3\n');
  symlinkSync('a.txt', join(project, 'link.txt'));
  expect((await tau(['-p', 'go', ...accept])).code).toBe(0);
  expect(read('a.txt')).toBe('<0> <1> <2> <3>\n');
});

test('edit: a resumed session has to read again what it wants to change', async () => {
  const edit = call('edit', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  const { tau, model, write } = await converse([calls(look), says('read'), calls(edit), says('ok')]);
  write('a.txt', 'one\n');
  await tau(['-p', 'look', ...accept]);
  expect((await tau(['-c', '-p', 'go', ...accept])).code).toBe(0);
  expect(resultsIn(request(model, 3)).at(-1)?.text).toContain('Read it first');
});

test('write: an object given as content is written as JSON', async () => {
  const { tau, read } = await converse([calls(call('write', { path: 'a.json', content: { a: 1 } })), says('ok')]);
  expect((await tau(['-p', 'go', ...accept])).code).toBe(0);
  expect(read('a.json')).toBe('{\n  "a": 1\n}\n');
});
