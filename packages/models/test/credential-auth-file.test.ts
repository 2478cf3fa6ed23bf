/** `auth.json`: what is kept, who can read it, and what happens to a file that is broken, locked or half written. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError, TauError } from '@tau/core';
import { expect, onTestFinished, test } from 'vitest';
import { lockFile } from '../src/credentials/lock.ts';
import { createCredentials, readAuthFile, removeEntry, storeKey } from '../src/index.ts';

function makeFile(content?: string | object, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'tau-auth-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'auth.json');
  if (content !== undefined) {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    chmodSync(file, mode);
  }
  return file;
}

const modeOf = (path: string) => statSync(path).mode & 0o777;
const valueIn = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const namesBeside = (path: string) => readdirSync(join(path, '..')).sort();

async function refusal(from: () => unknown): Promise<TauError> {
  const error = await Promise.resolve()
    .then(from)
    .catch((reason: unknown) => reason);
  if (error instanceof TauError) return error;
  throw new Error(`it was not refused: ${String(error)}`);
}

/** Where nobody's mask helps. */
function withMask(mask: number): void {
  const old = process.umask(mask);
  onTestFinished(() => void process.umask(old));
}

test.each([0o000, 0o777])('with the mask %o a new file and its folder are for their owner alone', async (mask) => {
  const file = join(makeFile(), '..', 'home', 'auth.json');
  if (mask === 0) {
    withMask(mask);
    expect(await storeKey(file, 'mine', 'a-key')).toBe('nothing');
    expect(modeOf(join(file, '..'))).toBe(0o700);
  } else {
    mkdirSync(join(file, '..'));
    withMask(mask);
    await storeKey(file, 'mine', 'a-key');
  }
  expect(modeOf(file)).toBe(0o600);
  expect(valueIn(file)).toEqual({ mine: { type: 'api_key', key: 'a-key' } });
  expect(namesBeside(file)).toEqual(['auth.json']);
});

test('a file that others could read is narrowed, with a warning, and used', async () => {
  const file = makeFile({ mine: { type: 'api_key', key: 'a-key' } }, 0o644);
  const credentials = createCredentials({ env: {}, authFile: file });
  const mine = { name: 'mine', baseUrl: 'https://x.invalid', keyVariables: ['MINE_KEY'] };
  expect(await credentials.find(mine)).toBe('a-key');
  expect(modeOf(file)).toBe(0o600);
  expect(credentials.warnings()).toEqual([
    expect.stringContaining('could be read by others (mode 0644); it is 0600 now'),
  ]);
  expect(readAuthFile(file).warnings).toEqual([]);
});

test('entries and fields that are not ours stay as they are, in their order', async () => {
  const other = { type: 'oauth', access: 'a', refresh: 'r', expires: 7, enterprise_url: 'https://x' };
  const file = makeFile({
    other,
    future: { type: 'passkey', deep: [1, { two: 2 }] },
    mine: { type: 'api_key', key: 'old', note: 'kept' },
  });
  expect(await storeKey(file, 'mine', 'new')).toBe('key');
  await storeKey(file, 'added', 'k');
  expect(readFileSync(file, 'utf8')).toBe(
    `${JSON.stringify(
      {
        other,
        future: { type: 'passkey', deep: [1, { two: 2 }] },
        mine: { type: 'api_key', key: 'new', note: 'kept' },
        added: { type: 'api_key', key: 'k' },
      },
      null,
      2,
    )}\n`,
  );
});

test('a key in place of a login leaves nothing of the login', async () => {
  const file = makeFile({ mine: { type: 'oauth', access: 'a', refresh: 'r' } });
  expect(await storeKey(file, 'mine', 'new')).toBe('login');
  expect(valueIn(file)).toEqual({ mine: { type: 'api_key', key: 'new' } });
});

test('removing takes out that entry alone; when there is none the file is not touched', async () => {
  const file = makeFile({ a: { type: 'api_key', key: '1' }, b: { type: 'api_key', key: '2' } });
  const before = statSync(file).ino;
  expect(await removeEntry(file, 'c')).toBe(false);
  expect(statSync(file).ino).toBe(before);
  expect(await removeEntry(file, 'a')).toBe(true);
  expect(valueIn(file)).toEqual({ b: { type: 'api_key', key: '2' } });
});

test('a name that every object has is an entry like any other', async () => {
  const file = makeFile();
  await storeKey(file, '__proto__', 'k');
  expect(readAuthFile(file).entries.get('__proto__')).toEqual({ type: 'api_key', key: 'k' });
  expect(await removeEntry(file, '__proto__')).toBe(true);
  expect(readAuthFile(file).entries.size).toBe(0);
});

test.each([
  ['not JSON', '{ "mine": { "key": "sk-hunter2-secret" ', 'it is not valid JSON'],
  ['only a beginning of JSON', '', 'it is not valid JSON'],
  ['a list', '["sk-hunter2-secret"]', 'it must be an object'],
  ['endless', `{"a": "${'x'.repeat(1_100_000)}"}`, 'it is larger than 1 MB'],
])('a file that is %s is an error with its path, never quoted and never written over', async (_, text, why) => {
  const file = makeFile(text);
  const credentials = createCredentials({ env: {}, authFile: file });
  const mine = { name: 'mine', baseUrl: 'https://x.invalid', keyVariables: ['MINE_KEY'] };
  for (const attempt of [
    () => storeKey(file, 'mine', 'k'),
    () => removeEntry(file, 'mine'),
    () => credentials.find(mine),
    () => credentials.ready(mine),
  ]) {
    const error = await refusal(attempt);
    expect(error.code).toBe('configuration');
    expect(error.message).toContain(`${file} cannot be used: ${why}`);
    expect(error.remedy).toContain('tau auth set');
    expect(describeError(error) + String(error.cause)).not.toContain('hunter2');
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(namesBeside(file)).toEqual(['auth.json']);
});

test('a broken file does not matter to who has a key from elsewhere', async () => {
  const credentials = createCredentials({ env: { MINE_KEY: 'k' }, authFile: makeFile('{') });
  expect(await credentials.find({ name: 'mine', baseUrl: '', keyVariables: ['MINE_KEY'] })).toBe('k');
});

test('a pipe in its place is refused at once instead of waited for', async () => {
  const file = makeFile();
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  expect((await refusal(() => readAuthFile(file))).message).toContain('it is not a regular file');
});

test('a folder in its place, or a file in place of its folder, is an error of the file', async () => {
  const file = makeFile('x');
  const below = join(file, 'auth.json');
  expect(readAuthFile(below).entries.size).toBe(0);
  expect(await refusal(() => storeKey(below, 'mine', 'k'))).toMatchObject({
    code: 'file',
    message: expect.stringContaining('a part of the path is a file'),
  });
});

test('a link to a file that is kept elsewhere stays a link', async () => {
  const file = makeFile({ a: { type: 'api_key', key: '1' } });
  const link = join(makeFile(), '..', 'linked.json');
  symlinkSync(file, link);
  await storeKey(link, 'b', '2');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(Object.keys(Object(valueIn(file)))).toEqual(['a', 'b']);
});

test('what a killed process left beside the file is removed with the next change', async () => {
  const file = makeFile({});
  writeFileSync(`${file}.1234.tmp`, 'half a file with a key');
  await storeKey(file, 'mine', 'k');
  expect(namesBeside(file)).toEqual(['auth.json']);
});

test('changes at the same time all happen', async () => {
  const file = makeFile();
  const names = Array.from({ length: 12 }, (_, at) => `p${at}`);
  await Promise.all(names.map((name) => storeKey(file, name, `key-${name}`)));
  expect([...readAuthFile(file).entries.keys()].sort()).toEqual([...names].sort());
  expect(namesBeside(file)).toEqual(['auth.json']);
});

/** A process that is surely gone. */
function deadPid(): number {
  return spawnSync('true').pid;
}

const lockText = (pid: number, host = hostname()) => JSON.stringify({ pid, host, time: Date.now(), token: 'x' });

test('a lock of a living process is waited for, and the error names it', async () => {
  const file = makeFile({});
  writeFileSync(`${file}.lock`, lockText(process.pid));
  const error = await refusal(() => storeKey(file, 'mine', 'k', { waitMs: 60 }));
  expect(error.code).toBe('file');
  expect(error.message).toBe(`${file} is being changed by process ${process.pid}`);
  expect(error.remedy).toContain(`remove ${file}.lock`);
  expect(valueIn(file)).toEqual({});
  expect(existsSync(`${file}.lock`)).toBe(true);
});

test('who waits for a lock goes on when it is released', async () => {
  const file = makeFile({});
  const lock = await lockFile(file);
  const stored = storeKey(file, 'mine', 'k');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(valueIn(file)).toEqual({});
  lock.release();
  await stored;
  expect(valueIn(file)).toEqual({ mine: { type: 'api_key', key: 'k' } });
});

test.each([
  ['whose process is gone', () => lockText(deadPid()), 0],
  ['older than any change takes', () => lockText(process.pid), 31],
  ['that is empty and old', () => '', 31],
  ['from another machine that is old', () => lockText(1, 'elsewhere.invalid'), 31],
])('a lock %s is broken', async (_, text, ageSecs) => {
  const file = makeFile({});
  writeFileSync(`${file}.lock`, text());
  const then = Date.now() / 1000 - ageSecs;
  utimesSync(`${file}.lock`, then, then);
  await storeKey(file, 'mine', 'k', { waitMs: 2000 });
  expect(namesBeside(file)).toEqual(['auth.json']);
});

test.each([
  ['that is empty and new: its maker may be about to write', () => ''],
  ['of another machine: its processes cannot be seen from here', () => lockText(deadPid(), 'elsewhere.invalid')],
])('a lock %s is not broken', async (_, text) => {
  const file = makeFile({});
  writeFileSync(`${file}.lock`, text());
  expect((await refusal(() => storeKey(file, 'mine', 'k', { waitMs: 60 }))).code).toBe('file');
  expect(existsSync(`${file}.lock`)).toBe(true);
});

test('while somebody breaks a lock nobody else does; a breaker that died is not waited for', async () => {
  const file = makeFile({});
  const gone = lockText(deadPid());
  writeFileSync(`${file}.lock`, gone);
  writeFileSync(`${file}.lock.break`, gone);
  await refusal(() => storeKey(file, 'mine', 'k', { waitMs: 60 }));
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe(gone);
  const then = Date.now() / 1000 - 31;
  utimesSync(`${file}.lock.break`, then, then);
  await storeKey(file, 'mine', 'k', { waitMs: 2000 });
  expect(namesBeside(file)).toEqual(['auth.json']);
});

test('who lost the lock meanwhile knows it, and does not release what is now another’s', async () => {
  const file = makeFile({});
  const lock = await lockFile(file);
  expect(lock.held()).toBe(true);
  writeFileSync(`${file}.lock`, lockText(process.pid));
  expect(lock.held()).toBe(false);
  lock.release();
  expect(existsSync(`${file}.lock`)).toBe(true);
});
