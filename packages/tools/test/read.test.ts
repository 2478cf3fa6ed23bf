import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

async function readFrom(content: string | Uint8Array, input: Record<string, unknown> = {}) {
  await writeFile(join(bench.cwd, 'file.txt'), content);
  return bench.call('read', { path: 'file.txt', ...input });
}

test('a small file comes whole, with numbered lines', async () => {
  const result = await readFrom('one\n\nthree\n');
  expect(textOf(result)).toBe('1\tone\n2\t\n3\tthree');
  expect(result.isError).toBeUndefined();
  const details = { path: 'file.txt', totalLines: 3, firstLine: 1, lastLine: 3, truncated: false };
  expect(result.details).toEqual(details);
});

test('a last line without a newline counts, and carriage returns are shown', async () => {
  expect(textOf(await readFrom('a\r\nb'))).toBe('1\ta\r\n2\tb');
});

test('offset and limit choose the lines, and the warning says what there is', async () => {
  const result = await readFrom('a\nb\nc\nd\n', { offset: 2, limit: 2 });
  const warning = 'WARNING: file.txt has 4 lines, showing 2-3. Use offset and limit to read more.';
  expect(textOf(result)).toBe(`${warning}\n2\tb\n3\tc`);
  expect(result.details).toMatchObject({ firstLine: 2, lastLine: 3, truncated: true });
  expect(textOf(await readFrom('a\nb\nc\n', { offset: 3 }))).toBe('3\tc');
});

test('without a limit it stops at 2000 lines, and no limit goes beyond 5000', async () => {
  const content = 'x\n'.repeat(6000);
  expect((await readFrom(content)).details).toMatchObject({ totalLines: 6000, lastLine: 2000, truncated: true });
  expect((await readFrom(content, { limit: 9000 })).details).toMatchObject({ lastLine: 5000, truncated: true });
});

test('it stops at 50 KB, on a whole line', async () => {
  const result = await readFrom(`${'y'.repeat(999)}\n`.repeat(100));
  expect(result.details).toMatchObject({ totalLines: 100, lastLine: 51, truncated: true });
  expect(Buffer.byteLength(textOf(result))).toBeLessThan(52 * 1024);
});

test('a line longer than 50 KB is cut between characters, and says so', async () => {
  const result = await readFrom(`x${'é'.repeat(40_000)}\nnext\n`);
  const [many, cut, line] = textOf(result).split('\n');
  expect(many).toBe('WARNING: file.txt has 2 lines, showing 1-1. Use offset and limit to read more.');
  expect(cut).toContain('line 1 has 80001 bytes, showing the first 51199.');
  expect(line).toBe(`1\tx${'é'.repeat(25_599)}`);
});

test('an empty file says so', async () => {
  const result = await readFrom('');
  expect(textOf(result)).toBe('file.txt is empty.');
  expect(result.details).toMatchObject({ totalLines: 0, firstLine: 0, lastLine: 0, truncated: false });
});

test('an offset beyond the end says how many lines there are', async () => {
  const result = await readFrom('a\nb\n', { offset: 3 });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('offset 3 is beyond the end of file.txt, which has 2 lines. Use an offset from 1 to 2.');
});

test('a binary file is refused with another way to look at it', async () => {
  const result = await readFrom(Buffer.from([0x7f, 0x45, 0, 1]));
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('binary');
  expect(textOf(result)).toContain('xxd file.txt | head');
});

test('a folder is refused with the way to list it', async () => {
  await mkdir(join(bench.cwd, 'src'));
  expect(textOf(await bench.call('read', { path: 'src' }))).toBe('src is a folder. List it with ls src through bash.');
});

test('a missing file names its nearest neighbours, nearest first, three at most', async () => {
  for (const name of ['parser.ts', 'parser.js', 'Parsers.ts', 'parse.ts', 'zebra.md']) {
    await writeFile(join(bench.cwd, name), '');
  }
  const result = await bench.call('read', { path: 'parsr.ts' });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('There is no file parsr.ts. Near it in .: parse.ts, parser.ts, Parsers.ts.');
});

test('a missing file without neighbours, or without a folder, still says what to do', async () => {
  expect(textOf(await bench.call('read', { path: 'x.ts' }))).toBe(
    'There is no file x.ts. Look with ls . through bash.',
  );
  expect(textOf(await bench.call('read', { path: 'no/x.ts' }))).toContain('There is no file no/x.ts, and no folder no');
});

test('a file too large for memory is refused before it is read', async () => {
  await writeFile(join(bench.cwd, 'huge.log'), '');
  await truncate(join(bench.cwd, 'huge.log'), 3 * 1024 ** 3);
  const result = await bench.call('read', { path: 'huge.log' });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('huge.log has 3072 MB');
});
