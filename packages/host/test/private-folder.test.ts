import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { privateFolder } from '../src/index.ts';

const dayMs = 24 * 60 * 60 * 1000;
let base: string;
let temp: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'tau-host-'));
  temp = join(base, 'tmp');
  mkdirSync(temp);
  vi.stubEnv('TMPDIR', temp);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

function folder(name: string, ageMs: number): string {
  const path = join(temp, name);
  mkdirSync(path);
  writeFileSync(join(path, 'output.log'), 'x');
  age(path, ageMs);
  return path;
}

function age(path: string, ageMs: number): void {
  const time = new Date(Date.now() - ageMs);
  utimesSync(path, time, time);
}

test('each is new, in the temporary folder, and for nobody else', () => {
  const first = privateFolder();
  const second = privateFolder();
  expect(first).not.toBe(second);
  for (const path of [first, second]) {
    expect(dirname(path)).toBe(temp);
    expect(basename(path)).toMatch(/^tau-out-./);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(readdirSync(path)).toEqual([]);
  }
});

test('those of yesterday are swept away, and nothing else is', () => {
  const old = [folder('tau-out-old1', dayMs + 60_000), folder('tau-out-old2', 30 * dayMs)];
  const kept = [
    folder('tau-out-new', dayMs - 60_000),
    folder('other-old', 30 * dayMs),
    folder('my-tau-out-x', 30 * dayMs),
  ];
  const target = join(base, 'target');
  mkdirSync(target);
  writeFileSync(join(target, 'file'), 'x');
  age(target, 30 * dayMs);
  symlinkSync(target, join(temp, 'tau-out-link'));
  writeFileSync(join(temp, 'tau-out-file'), 'x');
  age(join(temp, 'tau-out-file'), 30 * dayMs);

  const made = privateFolder();
  for (const path of old) expect(existsSync(path)).toBe(false);
  for (const path of kept) expect(readdirSync(path)).toEqual(['output.log']);
  expect(readdirSync(target)).toEqual(['file']);
  expect(readdirSync(temp).sort()).toEqual(
    [...kept.map((path) => basename(path)), basename(made), 'tau-out-file', 'tau-out-link'].sort(),
  );
});

// Only root can make a folder somebody else's.
test.runIf(process.getuid?.() === 0)("somebody else's is left alone", () => {
  const foreign = folder('tau-out-foreign', 30 * dayMs);
  chownSync(foreign, 12_345, 12_345);
  privateFolder();
  expect(existsSync(foreign)).toBe(true);
});

test('one sweep takes a bounded number, the next ones the rest', () => {
  for (let count = 0; count < 150; count++) folder(`tau-out-old${count}`, 2 * dayMs);
  const left = () => readdirSync(temp).filter((name) => name.startsWith('tau-out-old')).length;
  privateFolder();
  expect(left()).toBe(50);
  privateFolder();
  expect(left()).toBe(0);
});

test('a temporary folder that is not there is one plain sentence', () => {
  vi.stubEnv('TMPDIR', join(base, 'none'));
  expect(() => privateFolder()).toThrow(`Cannot make a folder in ${join(base, 'none')}: there is no such file`);
});
