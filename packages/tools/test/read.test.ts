import { appendFile, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TauError } from '@tau/core';
import { type Host, localHost } from '@tau/host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTool } from '../src/read/read.ts';
import { createSeenFiles } from '../src/seen.ts';
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
  expect(textOf(await bench.call('read', { path: 'src' }))).toBe(
    'src is a folder. It is empty. Look into it with ls or glob.',
  );
  for (const number of Array(25).keys()) await writeFile(join(bench.cwd, 'src', `f${10 + number}`), '');
  const held = Array.from({ length: 20 }, (_, number) => `f${10 + number}`).join(', ');
  expect(textOf(await bench.call('read', { path: 'src' }))).toBe(
    `src is a folder. It holds: ${held} and 5 more. Look into it with ls or glob.`,
  );
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
    'There is no file x.ts. Look with ls ., or with glob.',
  );
  expect(textOf(await bench.call('read', { path: 'no/x.ts' }))).toContain('There is no file no/x.ts, and no folder no');
});

test('a negative offset counts from the end, with the numbers the lines have', async () => {
  const content = Array.from({ length: 10 }, (_, at) => `l${at + 1}\n`).join('');
  const result = await readFrom(content, { offset: -2 });
  expect(textOf(result)).toBe('9\tl9\n10\tl10');
  expect(result.details).toMatchObject({ totalLines: 10, firstLine: 9, lastLine: 10, truncated: false });
  expect(textOf(await readFrom(content.trimEnd(), { offset: -1 }))).toBe('10\tl10');
  expect(textOf(await readFrom('a\nb\n', { offset: -5 }))).toBe('1\ta\n2\tb');
  expect(textOf(await readFrom('', { offset: -5 }))).toBe('file.txt is empty.');
  expect(textOf(await readFrom(content, { offset: -4, limit: 2 }))).toContain('showing 7-8');
});

test('lines are whole wherever the pieces of a long file end', async () => {
  const lines = Array.from({ length: 60_000 }, (_, at) => `${at + 1} ${'é'.repeat(at % 13)}`);
  const content = `${lines.join('\n')}\n`;
  for (const offset of [1, 25_000, 59_990, -20_000, -3]) {
    const result = await readFrom(content, { offset, limit: 700 });
    const first = offset < 0 ? lines.length + offset : offset - 1;
    const expected = lines.slice(first, first + 700).map((line, at) => `${first + at + 1}\t${line}`);
    const shown = textOf(result)
      .split('\n')
      .filter((line) => !line.startsWith('WARNING'));
    expect(shown).toEqual(expected);
    expect(result.details).toMatchObject({ totalLines: 60_000 });
  }
});

/** A host whose files say how many bytes were read of them, and into how much memory. */
function watchedHost() {
  const { files, ...rest } = localHost({ cwd: bench.cwd });
  const seen = { bytes: 0, largest: 0 };
  const host: Host = {
    ...rest,
    files: {
      ...files,
      read: () => Promise.reject(new Error('the whole file was wanted')),
      async open(path) {
        const file = await files.open(path);
        return {
          ...file,
          async read(buffer, position) {
            seen.largest = Math.max(seen.largest, buffer.length);
            const filled = await file.read(buffer, position);
            seen.bytes += filled;
            return filled;
          },
        };
      },
    },
  };
  return { host, seen };
}

async function sparse(name: string, size: number, end: string) {
  const path = join(bench.cwd, name);
  await writeFile(path, 'first\nsecond\n'.padEnd(8192, '.'));
  await truncate(path, size);
  await appendFile(path, end);
}

const context = () => ({
  toolCallId: 'call',
  cwd: bench.cwd,
  signal: new AbortController().signal,
  onUpdate() {},
  ask: async () => ({ unattended: true }) as const,
});

test('the beginning of a file of 2 GB costs a piece of memory, and counting its lines has an end', async () => {
  await sparse('huge.log', 2 * 1024 ** 3, '\nlast\n');
  const { host, seen } = watchedHost();
  const result = await readTool(host, createSeenFiles()).run({ path: 'huge.log', limit: 2 }, context());
  expect(textOf(result)).toBe(
    'WARNING: huge.log has at least 2 lines (2048 MB), showing 1-2. Use offset and limit to read more.\n1\tfirst\n2\tsecond',
  );
  expect(result.details).toMatchObject({ totalLines: 2, uncounted: true, truncated: true });
  expect(seen.largest).toBeLessThanOrEqual(256 * 1024);
  expect(seen.bytes).toBeLessThan(260 * 1024 ** 2);
});

test('the end of a file of 2 GB is found from the end', async () => {
  await sparse('huge.log', 2 * 1024 ** 3, '\nlast but one\nlast\n');
  const { host, seen } = watchedHost();
  const result = await readTool(host, createSeenFiles()).run({ path: 'huge.log', offset: -2 }, context());
  expect(textOf(result)).toBe(
    'NOTE: huge.log has 2048 MB, so its lines are numbered from the end (-1 is the last).\n-2\tlast but one\n-1\tlast',
  );
  expect(result.details).toEqual({ path: 'huge.log', firstLine: -2, lastLine: -1, truncated: false });
  expect(seen.bytes).toBeLessThan(1024 ** 2);
  expect(seen.largest).toBeLessThanOrEqual(256 * 1024);
});

test('an interruption ends the reading of a long file', async () => {
  await sparse('huge.log', 2 * 1024 ** 3, 'last\n');
  const signal = AbortSignal.abort();
  expect(textOf(await bench.call('read', { path: 'huge.log' }, { signal }))).toBe('Not read: the user interrupted');
});

test('what was read of a file is noted as it was when it was opened, wherever a link led', async () => {
  await writeFile(join(bench.cwd, 'file.txt'), 'a\n');
  await symlink('file.txt', join(bench.cwd, 'link'));
  const seen = createSeenFiles();
  const { files } = localHost({ cwd: bench.cwd });
  await readTool(localHost({ cwd: bench.cwd }), seen).run({ path: 'link' }, context());
  const before = await files.stat('file.txt');
  if (!before) throw new Error('it is gone');
  expect(seen.state(join(bench.cwd, 'file.txt'), before)).toBe('same');
  await writeFile(join(bench.cwd, 'file.txt'), 'other\n');
  expect(seen.state(join(bench.cwd, 'file.txt'), (await files.stat('file.txt')) ?? before)).toBe('changed');
});

test('what could not be read is not noted', async () => {
  await writeFile(join(bench.cwd, 'a.bin'), Buffer.from([1, 0, 2]));
  const seen = createSeenFiles();
  const host = localHost({ cwd: bench.cwd });
  await expect(readTool(host, seen).run({ path: 'a.bin' }, context())).rejects.toThrow(TauError);
  const stat = await host.files.stat('a.bin');
  expect(stat && seen.state(join(bench.cwd, 'a.bin'), stat)).toBe('never');
});

test('whatever a file holds, read answers or fails with a reason', async () => {
  const tool = readTool(localHost({ cwd: bench.cwd }), createSeenFiles());
  const starts = [
    '',
    '%PDF-1.4\n',
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff',
    'GIF89a',
    'RIFF1234WEBPVP8 ',
    'BM',
    'II*\0',
    '\0\0\x01\0\x01\0',
  ];
  const content = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }));
  const names = fc.constantFrom('a.txt', 'a.ipynb');
  await fc.assert(
    fc.asyncProperty(names, content, fc.integer({ min: -5, max: 5 }), async (name, [start, bytes], offset) => {
      await writeFile(join(bench.cwd, name), Buffer.concat([Buffer.from(start, 'latin1'), bytes]));
      const outcome = await tool.run({ path: name, offset }, context()).catch((error: unknown) => error);
      if (outcome instanceof TauError) return;
      expect(outcome).toMatchObject({ content: [{ type: 'text' }] });
    }),
    { seed: 7, numRuns: 150 },
  );
});
