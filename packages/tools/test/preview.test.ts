/** What a call would come to, told before it is made. The diffs of it are shown in the app's own tests. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localHost } from '@tau/host';
import { expect, onTestFinished, test } from 'vitest';
import { previewChange } from '../src/index.ts';

function place() {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tau-preview-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const { files } = localHost({ cwd, env: {} });
  return { cwd, preview: (tool: string, input: Record<string, unknown>) => previewChange(files, tool, input) };
}

test('each tool that changes files says what they were and would be, and nothing is written', async () => {
  const { cwd, preview } = place();
  writeFileSync(join(cwd, 'a'), 'one\n');
  expect(await preview('edit', { path: 'a', old_string: 'one', new_string: 'two' })).toEqual([
    { path: 'a', before: 'one\n', after: 'two\n' },
  ]);
  expect(await preview('write', { path: 'a', content: 'new' })).toEqual([{ path: 'a', before: 'one\n', after: 'new' }]);
  expect(await preview('write', { path: 'b/c', content: 'new' })).toEqual([{ path: 'b/c', after: 'new' }]);
  const patch = '*** Begin Patch\n*** Delete File: a\n*** Add File: d\n+x\n*** End Patch';
  expect(await preview('apply_patch', { input: patch })).toEqual([
    { path: 'a', before: 'one\n' },
    { path: 'd', after: 'x\n' },
  ]);
  expect(await preview('bash', { command: 'rm a' })).toBeUndefined();
  expect([readFileSync(join(cwd, 'a'), 'utf8'), existsSync(join(cwd, 'b'))]).toEqual(['one\n', false]);
});

test('what is no text, or too large to compare, has a note instead, and what would fail fails', async () => {
  const { cwd, preview } = place();
  writeFileSync(join(cwd, 'binary'), Buffer.from([0, 1, 2, 255]));
  writeFileSync(join(cwd, 'large'), Buffer.alloc(3_000_000, 'x'));
  mkdirSync(join(cwd, 'folder'));
  expect(await preview('write', { path: 'binary', content: 'x' })).toEqual([
    { path: 'binary', after: 'x', note: 'The file is binary.' },
  ]);
  expect(await preview('edit', { path: 'large', old_string: 'x', new_string: 'y' })).toEqual([
    { path: 'large', note: expect.stringContaining('too large to compare') },
  ]);
  await expect(preview('write', { path: 'folder', content: 'x' })).rejects.toThrow('is not a file');
  await expect(preview('edit', { path: 'none', old_string: 'x', new_string: 'y' })).rejects.toThrow('none');
  await expect(preview('apply_patch', { input: 'no patch' })).rejects.toThrow();
});
