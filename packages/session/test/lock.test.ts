import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOf } from '@tau/core';
import { buildSync } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSession, deleteSession, findSession, forkSession, openSession, sessionInfo } from '../src/index.ts';
import { takeLock } from '../src/lock.ts';
import { failure, freshFolder, pathOf, said } from './entries.ts';

function written(...texts: string[]): string {
  const session = createSession({ dir: freshFolder(), cwd: '/a' });
  for (const text of texts) session.append(said(text));
  session.close();
  return pathOf(session);
}

/** A process id that was one and is none any more. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

function lockOf(path: string, owner: object, ageMs = 0): string {
  const name = `${path}.lock`;
  writeFileSync(name, JSON.stringify({ host: hostname(), since: '2025-01-02T03:04:05.678Z', token: 't', ...owner }));
  const time = (Date.now() - ageMs) / 1000;
  utimesSync(name, time, time);
  return name;
}

describe('the lock', () => {
  test('is there from the first entry to the end, private, with its owner in it', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    const lock = `${pathOf(session)}.lock`;
    expect(existsSync(lock)).toBe(false);
    session.append(said('hi'));
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    expect(statSync(lock).mode & 0o777).toBe(0o600);
    expect(sessionInfo(pathOf(session)).owner).toMatchObject({ pid: process.pid });
    session.close();
    expect(existsSync(lock)).toBe(false);
    expect(sessionInfo(pathOf(session)).owner).toBeUndefined();
  });

  test('that is being taken over by one who was killed then keeps nobody out', () => {
    const path = written('one');
    lockOf(path, { pid: deadPid() });
    writeFileSync(`${path}.lock.break`, readFileSync(`${path}.lock`));
    const { session } = openSession(path, { claim: true });
    session.append(said('two'));
    session.close();
    expect(existsSync(`${path}.lock.break`)).toBe(false);
  });

  test('has its name only with its owner in it, and leaves nothing else behind', () => {
    const path = written('one');
    const lock = takeLock(path);
    expect(() => takeLock(path)).toThrow('in use');
    lock.release();
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  test('reading takes none, going on takes it', () => {
    const path = written('one');
    const { session } = openSession(path);
    expect(existsSync(`${path}.lock`)).toBe(false);
    session.append(said('two'));
    expect(existsSync(`${path}.lock`)).toBe(true);
    session.close();
    const { session: claimed } = openSession(path, { claim: true });
    expect(existsSync(`${path}.lock`)).toBe(true);
    claimed.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('of another keeps everyone from writing, tells who has it, and lets everyone read and copy', () => {
    const path = written('one');
    // Whoever started this test runs, and is not this process.
    const lock = lockOf(path, { pid: process.ppid });
    for (const go of [
      () => openSession(path, { claim: true }),
      () => openSession(path).session.append(said('two')),
      () => deleteSession(path),
    ]) {
      const error = failure(go);
      expect(error.code).toBe('session');
      expect(error.message).toContain(`process ${process.ppid}, since 2025-01-02 03:04:05 UTC`);
      expect(error.remedy).toContain('--fork');
    }
    expect(openSession(path).session.messages().map(textOf)).toEqual(['one']);
    const { session: copy } = forkSession(path, { dir: freshFolder(), cwd: '/b' });
    copy.append(said('in the copy'));
    copy.close();
    expect(openSession(pathOf(copy)).session.messages().map(textOf)).toEqual(['one', 'in the copy']);
    expect(existsSync(lock)).toBe(true);
  });

  test('of a process on another machine counts while its heart beats', () => {
    const path = written('one');
    lockOf(path, { pid: deadPid(), host: 'elsewhere' }, 10_000);
    expect(failure(() => openSession(path, { claim: true })).message).toContain('on elsewhere');
    lockOf(path, { pid: process.ppid, host: 'elsewhere' }, 60_000);
    openSession(path, { claim: true }).session.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test.each([
    ['whose owner is dead', () => ({ pid: deadPid() }), 0],
    ['whose heart stopped', () => ({ pid: process.ppid }), 60_000],
    ['from the future', () => ({ pid: process.ppid }), -60_000],
    ['that nobody ever finished', () => ({ pid: 'none' }), 60_000],
  ])('%s is taken over', (_name, owner, age) => {
    const path = written('one');
    lockOf(path, owner(), age);
    const { session } = openSession(path, { claim: true });
    session.append(said('two'));
    session.close();
    expect(openSession(path).session.messages().map(textOf)).toEqual(['one', 'two']);
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(existsSync(`${path}.lock.break`)).toBe(false);
  });

  test('that is fresh and has no owner yet belongs to whoever is making it', () => {
    const path = written('one');
    writeFileSync(`${path}.lock`, '');
    expect(failure(() => openSession(path, { claim: true })).message).toContain('another process');
  });

  test.each([
    ['that slept', 3_600_000],
    ['whose clock was set back', -3_600_000],
  ])('an owner %s finds out before it writes again', (_name, passed) => {
    const path = written('one');
    const realNow = Date.now;
    onTestFinished(() => {
      Date.now = realNow;
    });
    const lock = takeLock(path);
    lock.check();
    lockOf(path, { pid: process.ppid });
    Date.now = () => realNow() + passed;
    expect(failure(() => lock.check()).message).toContain(`taken over by process ${process.ppid}`);
    lock.release();
    expect(readFileSync(`${path}.lock`, 'utf8')).toContain(String(process.ppid));
  });

  test('a session that grew after it was read is not written to from an old end', () => {
    const path = written('one');
    const { session: early } = openSession(path);
    const { session: late } = openSession(path);
    late.append(said('two'));
    late.close();
    expect(failure(() => early.append(said('lost?')))).toMatchObject({ code: 'session' });
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(openSession(path).session.messages().map(textOf)).toEqual(['one', 'two']);
  });

  test('is one for a file, whichever link leads to it', () => {
    const path = written('one');
    const link = join(freshFolder(), 'link.jsonl');
    symlinkSync(path, link);
    const { session } = openSession(path, { claim: true });
    onTestFinished(() => session.close());
    const found = findSession(link, { dir: freshFolder(), cwd: '/a' });
    expect(failure(() => openSession(found, { claim: true })).message).toContain('in use by this process');
  });

  test('goes with its process, and is taken over after kill -9', async () => {
    const folder = freshFolder();
    const script = join(folder, 'hold.mjs');
    buildSync({
      stdin: {
        contents: `
          import { createSession } from './src/index.ts';
          const session = createSession({ dir: process.argv[2], cwd: '/a' });
          session.append({ type: 'message', message: { role: 'user', content: 'held', timestamp: 1 } });
          process.stdout.write(session.path + '\\n');
          process.stdin.once('data', () => process.exit(0));`,
        resolveDir: fileURLToPath(new URL('..', import.meta.url)),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    const hold = async () => {
      const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const path = await new Promise<string>((resolve) =>
        child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim())),
      );
      return { child, path, gone: new Promise((resolve) => child.once('close', resolve)) };
    };
    const leaving = await hold();
    expect(failure(() => openSession(leaving.path, { claim: true })).message).toContain(`process ${leaving.child.pid}`);
    leaving.child.stdin.write('bye\n');
    await leaving.gone;
    expect(existsSync(`${leaving.path}.lock`)).toBe(false);

    const killed = await hold();
    killed.child.kill('SIGKILL');
    await killed.gone;
    expect(existsSync(`${killed.path}.lock`)).toBe(true);
    expect(sessionInfo(killed.path).owner).toBeUndefined();
    const { session } = openSession(killed.path, { claim: true });
    session.append(said('mine'));
    session.close();
    expect(openSession(killed.path).session.messages().map(textOf)).toEqual(['held', 'mine']);
  });
});
