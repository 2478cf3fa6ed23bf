import { readFileSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { type Collected, outputCollector } from '../src/bash/collector.ts';

const made: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of made.splice(0)) rmSync(dirname(path), { recursive: true, force: true });
});

function collect(chunks: Iterable<string>, logLimit?: number): Collected {
  const collector = outputCollector(logLimit);
  for (const chunk of chunks) collector.push(chunk);
  const collected = collector.finish();
  if (collected.fullOutputPath) made.push(collected.fullOutputPath);
  return collected;
}

function logOf(collected: Collected): string {
  if (collected.fullOutputPath === undefined) throw new Error('no log was kept');
  return collected.fullOutputPath;
}

/** The notice, and what follows it. */
function parts(collected: Collected): [string, string] {
  const end = collected.text.indexOf('\n');
  return [collected.text.slice(0, end), collected.text.slice(end + 1)];
}

test('what fits is returned as it is, without a file', () => {
  expect(collect(['a\n', 'b'])).toEqual({ text: 'a\nb', truncated: false });
  expect(collect([])).toEqual({ text: '', truncated: false });
  expect(collect(['x\n'.repeat(2000)]).truncated).toBe(false);
  expect(collect(['x'.repeat(50 * 1024)]).truncated).toBe(false);
});

test('more lines than the limit: the last 2000, and the whole in a private file', () => {
  const lines = Array.from({ length: 2500 }, (_, index) => `line ${index + 1}\n`);
  const collected = collect(lines);
  const log = logOf(collected);
  const [notice, shown] = parts(collected);
  expect(notice).toBe(`[output cut: showing the last 2000 lines of 2500; whole output in ${log}]`);
  expect(shown).toBe(lines.slice(-2000).join(''));
  expect(readFileSync(log, 'utf8')).toBe(lines.join(''));
  expect(statSync(log).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(log)).mode & 0o777).toBe(0o700);
  expect(basename(dirname(log))).toMatch(/^tau-out-/);
});

test('one line more than the limit is already cut, also without its newline', () => {
  const collected = collect(['x\n'.repeat(2000), 'last']);
  expect(parts(collected)[0]).toContain('the last 2000 lines of 2001;');
});

test('more bytes than the limit: whole lines from the end', () => {
  const line = `${'z'.repeat(999)}\n`;
  for (const chunks of [Array.from({ length: 300 }, () => line), [line.repeat(300)]]) {
    const [notice, shown] = parts(collect(chunks));
    expect(notice).toContain('showing the last 51 lines of 300;');
    expect(shown).toBe(line.repeat(51));
  }
});

test('one endless line is cut between characters, and says that it is the end of a line', () => {
  const collected = collect(Array.from({ length: 300 }, () => '€'.repeat(1000)));
  const [notice, shown] = parts(collected);
  expect(notice).toContain('showing the end of the last line of 1;');
  expect(shown).toBe('€'.repeat(Math.floor((50 * 1024) / 3)));
  expect(readFileSync(logOf(collected), 'utf8')).toBe('€'.repeat(300_000));
});

test('characters of two units are never halved, wherever the cut falls', () => {
  for (let shift = 0; shift < 4; shift += 1) {
    const collected = collect(['a'.repeat(shift), ...Array.from({ length: 120 }, () => '😀'.repeat(1000))]);
    const [, shown] = parts(collected);
    expect(shown).toBe('😀'.repeat((50 * 1024) / 4));
  }
});

test('100 MB of output is all in the file, and not in memory', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage: unknown = runInNewContext('gc');
  if (typeof collectGarbage !== 'function') throw new Error('the collector of garbage is not available');
  const chunkBytes = 64 * 1024;
  const chunks = 1600;
  const collector = outputCollector();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < chunks; index += 1) {
    const line = `${String(index).padStart(chunkBytes / 64 - 1, '.')}\n`;
    collector.push(Buffer.from(line.repeat(64)).toString());
  }
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1024 * 1024);
  const collected = collector.finish();
  made.push(logOf(collected));
  expect(parts(collected)[0]).toContain(`showing the last 50 lines of ${chunks * 64};`);
  expect(statSync(logOf(collected)).size).toBe(chunks * chunkBytes);
});

test('a file that cannot be made is said, and the end is still there', () => {
  vi.stubEnv('TMPDIR', '/nonexistent/folder');
  const collected = collect(['x\n'.repeat(3000)]);
  expect(collected.truncated).toBe(true);
  expect(collected.fullOutputPath).toBeUndefined();
  expect(parts(collected)[0]).toContain(
    'whole output could not be kept (Cannot make a folder in /nonexistent/folder: there is no such file), it was not kept',
  );
  expect(parts(collected)[1]).toBe('x\n'.repeat(2000));
});

test('an output without end stops filling the disk, and says how much was kept', async () => {
  const collected = collect(
    Array.from({ length: 20 }, () => 'x'.repeat(10_000)),
    125_000,
  );
  expect(parts(collected)[0]).toContain('(the limit is 125000 bytes), only its first 120000 bytes are in');
  expect((await readFile(logOf(collected))).length).toBe(120_000);
});
