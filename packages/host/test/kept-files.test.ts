import { mkdtempSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepFiles } from '../src/local/kept-files.ts';

function place(maxBytes?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tau-kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const made: string[] = [];
  const files = keepFiles({
    make(content) {
      made.push(content.toString());
      return content.toString().toUpperCase();
    },
    maxFileBytes: 1000,
    ...(maxBytes !== undefined && { maxBytes }),
  });
  return { files, made, at: (name: string) => join(folder, name) };
}

/** The time of the last change of a node cannot be set; it can be waited for. */
const settled = () => new Promise((done) => setTimeout(done, 1100));

test('a file is read once while it is the same, whatever way leads to it, and again when it is another', async () => {
  const { files, made, at } = place();
  writeFileSync(at('a'), 'one');
  symlinkSync(at('a'), at('way'));
  await settled();
  expect([await files.at(at('a')), await files.at(at('a')), await files.at(at('way'))]).toEqual(['ONE', 'ONE', 'ONE']);
  expect(made).toEqual(['one']);
  // As long, and with the times of the old one: the system still knows that the node changed.
  const then = new Date(1_700_000_000_000);
  utimesSync(at('a'), then, then);
  writeFileSync(at('a'), 'two');
  utimesSync(at('a'), then, then);
  expect(await files.at(at('a'))).toBe('TWO');
  writeFileSync(at('b'), 'six');
  utimesSync(at('b'), then, then);
  renameSync(at('b'), at('a'));
  expect(await files.at(at('a'))).toBe('SIX');
});

test('what has just been written is not kept', async () => {
  const { files, made, at } = place();
  writeFileSync(at('a'), 'one');
  // Just now, however long it takes until it is asked for.
  const now = vi.spyOn(Date, 'now').mockReturnValue(statSync(at('a')).ctimeMs + 900);
  onTestFinished(() => now.mockRestore());
  await files.at(at('a'));
  await files.at(at('a'));
  expect(made).toEqual(['one', 'one']);
});

test('the one asked for longest ago goes first when there is no more room', async () => {
  const { files, made, at } = place(600);
  for (const name of ['a', 'b', 'c']) writeFileSync(at(name), name);
  await settled();
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await files.at(at(name));
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('what is missing, too large or no file is nothing', async () => {
  const { files, at } = place();
  writeFileSync(at('large'), 'x'.repeat(1001));
  expect([await files.at(at('none')), await files.at(at('large')), await files.at(tmpdir())]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
