import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, callsIn, converse, request, resultsIn, says } from './conversation.ts';

const free = ['--permission-mode', 'dangerously'];

test.each(apis)('read: the lines of the file are in the next request, over %s', async (api) => {
  const { tau, model, write } = await converse([calls(call('read', { path: 'notes.txt' }, 'r_1')), says('ok')], {
    api,
  });
  write('notes.txt', 'first\nsecond\n');
  expect(await tau(['-p', 'read it'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(callsIn(request(model, 1))).toEqual(['r_1']);
  expect(resultsIn(request(model, 1))).toEqual([{ id: 'r_1', text: '1\tfirst\n2\tsecond' }]);
});

test.each(apis)('write: the file is on disk with its folders, and the model hears of it, over %s', async (api) => {
  const content = 'Grüße\n'.repeat(50);
  const { tau, model, read } = await converse([calls(call('write', { path: 'a/b/c.txt', content })), says('ok')], {
    api,
  });
  expect(await tau(['-p', 'go', '--allow', 'write(a/b/c.txt)'])).toMatchObject({ code: 0, stderr: '' });
  expect(read('a/b/c.txt')).toBe(content);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: 'Created a/b/c.txt (400 bytes)' }]);
});

test.each(apis)('edit: exactly the wanted text changes, over %s', async (api) => {
  const edit = { path: 'x.js', old_string: 'let a', new_string: 'const a' };
  const steps = [calls(call('read', { path: 'x.js' }), call('edit', edit)), says('ok')];
  const { tau, model, read, write } = await converse(steps, { api });
  write('x.js', 'let a = 1;\r\nlet b = 2;\n');
  expect(await tau(['-p', 'go', '--permission-mode', 'acceptEdits'])).toMatchObject({ code: 0, stderr: '' });
  expect(read('x.js')).toBe('const a = 1;\r\nlet b = 2;\n');
  expect(resultsIn(request(model, 1))[1]?.text).toContain('Replaced 1 occurrence');
});

test.each(apis)('bash: the command runs in the project and its output goes back, over %s', async (api) => {
  const command = 'echo "$((6 * 7))" > out.txt; pwd; echo oops >&2';
  const { tau, model, read, project } = await converse([calls(call('bash', { command })), says('ok')], { api });
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stderr: '' });
  expect(read('out.txt')).toBe('42\n');
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: `${project}\noops` }]);
});

test.each(apis)('calls with other spellings and loose types are mended, over %s', async (api) => {
  const blocks = calls(call('read', { file_path: 'n.txt', offset: '2', limit: '1' }));
  const { tau, model, write } = await converse([blocks, says('ok')], { api });
  write('n.txt', 'one\ntwo\nthree\n');
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringMatching(/^2\ttwo$/m) }]);
});

test.each([
  ['an unknown tool', call('fly', { to: 'moon' }), /no tool named "fly"/],
  ['missing arguments', call('read', {}), /path/],
  ['arguments the tool does not have', call('write', { path: 'x', content: 'y', mode: 'z' }), /mode/],
  ['a file that is not there', call('read', { path: 'nowhere.txt' }), /no file nowhere\.txt/],
  ['a command that fails', call('bash', { command: 'false' }), /exit code: 1/],
])('%s is an error for the model, and the run goes on', async (_, block, message) => {
  const { tau, model } = await converse([calls(block), says('I see')]);
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stdout: 'I see\n' });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringMatching(message) }]);
  expect(request(model, 1).raw).toContain('"is_error":true');
});

test.each(apis)('several calls of one message each get one result, in source order, over %s', async (api) => {
  const { tau, model, write, read } = await converse(
    [
      calls(
        call('read', { path: 'a.txt' }, 'c1'),
        call('write', { path: 'a.txt', content: 'after' }, 'c2'),
        call('read', { path: 'a.txt' }, 'c3'),
        call('bash', { command: 'cat a.txt' }, 'c4'),
      ),
      says('ok'),
    ],
    { api },
  );
  write('a.txt', 'before');
  expect((await tau(['-p', 'go', ...free])).code).toBe(0);
  expect(read('a.txt')).toBe('after');
  expect(resultsIn(request(model, 1))).toEqual([
    { id: 'c1', text: '1\tbefore' },
    { id: 'c2', text: 'Wrote a.txt (5 bytes)' },
    { id: 'c3', text: '1\tafter' },
    { id: 'c4', text: 'after' },
  ]);
});

test.each(apis)('commands that only read run at the same time, over %s', async (api) => {
  const pipes = ['one', 'two', 'three'];
  const blocks = pipes.map((name) => call('bash', { command: `cat ${name}` }));
  const { tau, model, project } = await converse([calls(...blocks), says('ok')], { api });
  for (const name of pipes) execFileSync('mkfifo', [join(project, name)]);
  const run = tau(['-p', 'go']);
  // A pipe opens for writing only while somebody reads it: all three open means all three commands run.
  const ends = await Promise.all(pipes.map((name) => open(join(project, name), 'w')));
  for (const [index, end] of [...ends.entries()].reverse()) {
    await end.writeFile(`text ${index}`);
    await end.close();
  }
  expect(await run).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1)).map(({ text }) => text)).toEqual(['text 0', 'text 1', 'text 2']);
});

test('after a command that failed the later writes of its message are not made', async () => {
  const { tau, model, project } = await converse([
    calls(call('bash', { command: 'mkdir none/a' }), call('write', { path: 'late.txt', content: 'x' })),
    says('ok'),
  ]);
  expect((await tau(['-p', 'go', ...free])).code).toBe(0);
  expect(existsSync(join(project, 'late.txt'))).toBe(false);
  expect(resultsIn(request(model, 1))[1]?.text).toMatch(/^Not run: the command before it/);
});

test('a turn may follow a turn, each with the results of those before it', async () => {
  const step = (n: number) => calls(call('bash', { command: `echo turn ${n}` }, `id_${n}`));
  const { tau, model } = await converse([step(1), step(2), step(3), says('done')]);
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(resultsIn(request(model, 3))).toEqual([1, 2, 3].map((n) => ({ id: `id_${n}`, text: `turn ${n}` })));
});

test.each(apis)('the turns of a run share one connection, over %s', async (api) => {
  const turn = (n: number) => calls(call('bash', { command: `sleep 0.05; echo ${n}` }));
  const { tau, model } = await converse([turn(1), turn(2), turn(3), says('ok')], { api });
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(model.requests).toHaveLength(4);
  expect(model.connections()).toBe(1);
});
