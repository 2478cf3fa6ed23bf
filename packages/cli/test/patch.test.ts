import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';

const patch = (...lines: string[]) =>
  call('apply_patch', { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

test.each(apis)('apply_patch: adds, updates, moves and deletes, over %s', async (api) => {
  const steps = [
    calls(
      call('read', { path: 'c.txt' }),
      patch(
        ...['*** Add File: sub/new.txt', '+new', '*** Update File: a.txt', '@@', ' one', '-two', '+2'],
        ...['*** Update File: b.txt', '*** Move to: moved.txt', '-b', '+B', '*** Delete File: c.txt'],
      ),
    ),
    says('ok'),
  ];
  const { tau, model, read, write, project } = await converse(steps, { api });
  write('a.txt', 'one\r\ntwo\r\n');
  write('b.txt', 'b\n');
  write('c.txt', 'c\n');
  expect(await tau(['-p', 'go', '--permission-mode', 'acceptEdits'])).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1))[1]?.text).toBe(
    'Applied the patch:\nA sub/new.txt\nM a.txt\nR b.txt -> moved.txt\nD c.txt',
  );
  expect([read('sub/new.txt'), read('a.txt'), read('moved.txt')]).toEqual(['new\n', 'one\r\n2\r\n', 'B\n']);
  for (const name of ['b.txt', 'c.txt']) expect(existsSync(join(project, name))).toBe(false);
});

test('apply_patch: a patch that does not fit its second file leaves the first untouched', async () => {
  const step = calls(patch('*** Update File: a.txt', '-one', '+1', '*** Update File: b.txt', '-three', '+3'));
  const { tau, model, read, write } = await converse([step, says('ok')]);
  write('a.txt', 'one\n');
  write('b.txt', 'two\n');
  expect((await tau(['-p', 'go', '--permission-mode', 'acceptEdits'])).code).toBe(0);
  expect(resultsIn(request(model, 1))[0]?.text).toContain('does not fit b.txt. Nothing was changed.');
  expect([read('a.txt'), read('b.txt')]).toEqual(['one\n', 'two\n']);
});

test('apply_patch: every file it touches must be allowed, also where it moves one to', async () => {
  const step = calls(patch('*** Update File: src/a.txt', '*** Move to: other/a.txt', '-one', '+1'));
  const { tau, model, read, write } = await converse([step, says('no'), step, says('yes')]);
  write('src/a.txt', 'one\n');
  expect((await tau(['-p', 'go', '--allow', 'edit(src:*)'])).code).toBe(3);
  expect(resultsIn(request(model, 1))[0]?.text).toContain('it writes other/a.txt');
  expect(read('src/a.txt')).toBe('one\n');
  const allowed = ['--allow', 'edit(src:*)', '--allow', 'write(other:*)'];
  expect((await tau(['-p', 'go', ...allowed])).code).toBe(0);
  expect(read('other/a.txt')).toBe('1\n');
});

test('apply_patch: a patch that cannot be read is an error that names its line', async () => {
  const step = calls(call('apply_patch', { patch: '*** Begin Patch\n*** Update File: a.txt\nwhat\n*** End Patch' }));
  const { tau, model } = await converse([step, says('ok')]);
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))[0]?.text).toContain('The patch is wrong at line 3');
});
