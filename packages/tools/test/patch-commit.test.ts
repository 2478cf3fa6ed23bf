/** A patch while something else happens to its files. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TauError } from '@tau/core';
import { type Files, type Host, localHost } from '@tau/host';
import { expect, test } from 'vitest';
import { applyPatchTool } from '../src/patch/patch.ts';
import { createSeenFiles } from '../src/seen.ts';
import { useWorkbench } from './workbench.ts';

const bench = useWorkbench();
const put = (name: string, text: string) => writeFile(join(bench.cwd, name), text);
const contents = async () => {
  const names = (await readdir(bench.cwd)).sort();
  return Promise.all(names.map((name) => readFile(join(bench.cwd, name), 'utf8')));
};

/** Applies a patch on a host with other files, after the model has read all there are. */
async function patchWith(changed: (local: Files) => Partial<Files>, ...lines: string[]) {
  const local = localHost({ cwd: bench.cwd });
  const host: Host = { ...local, files: { ...local.files, pinned: () => host.files, ...changed(local.files) } };
  const seen = createSeenFiles();
  for (const name of await local.files.names('.')) {
    const found = await local.files.stat(name);
    if (found) seen.note(join(bench.cwd, name), found, await local.files.read(name));
  }
  const ask = async () => ({ unattended: true }) as const;
  const context = { toolCallId: 'c', cwd: bench.cwd, signal: new AbortController().signal, onUpdate() {}, ask };
  const input = ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
  return applyPatchTool(host, seen).run({ input }, context);
}

test('every file that a patch deletes is removed, also when one of them stays', async () => {
  for (const name of ['a', 'b', 'c']) await put(name, name);
  let removals = 0;
  const changed = (local: Files): Partial<Files> => ({
    async remove(path) {
      removals += 1;
      if (removals === 1) throw new TauError('file', `Cannot remove ${path}: the system does not permit it`);
      await local.remove(path);
    },
  });
  const run = patchWith(changed, '*** Delete File: a', '*** Delete File: b', '*** Delete File: c');
  await expect(run).rejects.toThrow('The patch is applied, but a file it deletes is still there: Cannot remove');
  expect(await contents()).toEqual(['a']);
});

test.each([
  ['a', ['theirs', 'one']],
  ['new', ['one', 'one', 'theirs']],
])('a patch is not written when a file it is about changes meanwhile, or comes to be: %s', async (name, after) => {
  for (const one of ['a', 'b']) await put(one, 'one');
  const meanwhile = (local: Files): Partial<Files> => ({
    async stat(path) {
      const found = await local.stat(path);
      // Someone saves the other file while the plan looks at its last one.
      if (path === 'b') await put(name, 'theirs');
      return found;
    },
  });
  const sections = ['*** Add File: new', '+x', '*** Update File: a', '-one', '+1', '*** Update File: b', '-one', '+1'];
  const run = patchWith(meanwhile, ...sections);
  await expect(run).rejects.toThrow(`${name} was changed by someone else during the patch`);
  expect(await contents()).toEqual(after);
});
