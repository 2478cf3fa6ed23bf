import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOf } from '@tau/core';
import { buildSync } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSession, latestSession, listSessions, memorySession, openSession } from '../src/index.ts';
import { lineStore } from '../src/store.ts';
import { answered, failure, freshFolder, intent, pathOf, result, said, toolCall } from './entries.ts';

describe('writing', () => {
  test('a session comes back from disk as it was', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/home/me/app' });
    session.append({ type: 'model_change', provider: 'anthropic', modelId: 'm-1' });
    session.append(said('héllo 🌍\nline two\u2028'));
    session.append(answered('on it', toolCall('t1')));
    session.append(intent('t1'));
    session.append(result('t1'));
    session.close();
    const { session: again, problems } = openSession(pathOf(session));
    expect(problems).toEqual([]);
    expect(again.header).toEqual(session.header);
    expect(again.entries()).toEqual(session.entries());
    expect(again.messages()).toEqual(session.messages());
    expect(again.messages().map((message) => message.role)).toEqual(['user', 'assistant', 'toolResult']);
  });

  test('the file is made with the first entry, private, header and entry in it', () => {
    const dir = join(freshFolder(), 'deep', 'sessions');
    const session = createSession({ dir, cwd: '/home/me/app', now: () => new Date('2025-01-02T03:04:05.678Z') });
    const path = pathOf(session);
    expect(existsSync(dir)).toBe(false);
    session.append(said('hi'));
    expect(dirname(path)).toBe(join(dir, '--home-me-app--'));
    expect(basename(path)).toBe(`2025-01-02T03-04-05-678Z_${session.header.id}.jsonl`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const folder of [dirname(path), dir, dirname(dir)]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      `{"type":"session","version":3,"id":"${session.header.id}","timestamp":"2025-01-02T03:04:05.678Z","cwd":"/home/me/app"}`,
    );
    expect(lines[1]).toMatch(
      /^\{"type":"message","id":"[0-9a-f]{8}","parentId":null,"timestamp":"2025-01-02T03:04:05.678Z"/,
    );
    session.close();
  });

  test('ids are UUIDv7 by time, entry ids are unique, and each entry points at the one before', () => {
    const first = createSession({ dir: 'x', cwd: '/a', now: () => new Date(1_700_000_000_000) });
    const second = createSession({ dir: 'x', cwd: '/a', now: () => new Date(1_700_000_000_001) });
    for (const { header } of [first, second]) {
      expect(header.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(first.header.id.replaceAll('-', '').slice(0, 12)).toBe((1_700_000_000_000).toString(16).padStart(12, '0'));
    expect(second.header.id > first.header.id).toBe(true);

    const session = memorySession({ cwd: '/a' });
    for (let count = 0; count < 1000; count++) session.append(said(`${count}`));
    const entries = session.entries();
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(1000);
    expect(entries.map((entry) => entry.parentId)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.id)]);
  });

  test('a session in memory has no file', () => {
    const session = memorySession({ cwd: '/a' });
    expect(session.path).toBeUndefined();
    expect(session.append(said('hi')).parentId).toBeNull();
    expect(session.messages().map(textOf)).toEqual(['hi']);
  });

  test('a working folder with a long path has its sessions too, and only its own', async () => {
    const dir = freshFolder();
    const deep = `/${'größe/'.repeat(60)}end`;
    for (const cwd of [deep, `/other${deep}`]) {
      const session = createSession({ dir, cwd });
      session.append(said(cwd));
      session.close();
    }
    expect((await listSessions({ dir, cwd: deep })).sessions.map(({ cwd }) => cwd)).toEqual([deep]);
    expect(
      openSession(latestSession({ dir, cwd: deep }) ?? '')
        .session.messages()
        .map(textOf),
    ).toEqual([deep]);
  });

  test('a closed session refuses entries', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    session.append(said('hi'));
    session.close();
    expect(failure(() => session.append(said('more')))).toMatchObject({ code: 'file' });
    expect(session.entries()).toHaveLength(1);
  });

  test('what JSON cannot express is refused, and memory and file stay as they were', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    session.append(said('hi'));
    expect(failure(() => session.append({ type: 'custom', customType: 'x', data: 1n })).code).toBe('file');
    session.append(said('more'));
    session.close();
    expect(openSession(pathOf(session)).session.messages().map(textOf)).toEqual(['hi', 'more']);
  });
});

describe('a disk that fails', () => {
  test('a file that cannot be written is an error with a way out', () => {
    const store = lineStore(freshFolder(), { create: false });
    const error = failure(() => store.append(Buffer.from('{}\n')));
    store.close();
    expect(error).toMatchObject({
      code: 'file',
      message: expect.stringContaining('EISDIR'),
      remedy: expect.any(String),
    });
  });

  test('a folder that cannot be made is an error, and memory stays as it was', () => {
    const dir = join(freshFolder(), 'file');
    writeFileSync(dir, '');
    const session = createSession({ dir, cwd: '/a' });
    expect(failure(() => session.append(said('hi'))).code).toBe('file');
    expect(session.entries()).toEqual([]);
  });

  test('a write that stops half way is taken back, and the next entry fits again', () => {
    const folder = freshFolder();
    const script = join(folder, 'fill.mjs');
    // Runs in a process of its own, whose files may not grow past a limit: the write is short, then fails.
    buildSync({
      stdin: {
        contents: `
          import { createSession } from './src/index.ts';
          const session = createSession({ dir: process.argv[2], cwd: '/a' });
          const say = (content) => session.append({ type: 'message', message: { role: 'user', content, timestamp: 1 } });
          let failed = 0;
          const attempt = (content) => { try { say(content); } catch (error) { if (error.code !== 'file') throw error; failed++; } };
          attempt('x'.repeat(8000));
          attempt('first');
          attempt('y'.repeat(8000));
          attempt('second');
          process.stdout.write(JSON.stringify({ failed, path: session.path, entries: session.entries().length }));`,
        resolveDir: fileURLToPath(new URL('..', import.meta.url)),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    const output = execFileSync('bash', ['-c', 'ulimit -f 4; exec "$0" "$1" "$2"', process.execPath, script, folder]);
    const report: { failed: number; path: string; entries: number } = JSON.parse(output.toString());
    expect(report).toMatchObject({ failed: 2, entries: 2 });
    const { session, problems } = openSession(report.path);
    expect(problems).toEqual([]);
    expect(session.messages().map(textOf)).toEqual(['first', 'second']);
    expect(readFileSync(report.path, 'utf8').split('\n')).toHaveLength(4);
  });
});

describe('a file that somebody touches while it is in use', () => {
  function inUse(text = 'one') {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    onTestFinished(() => session.close());
    session.append(said(text));
    return { session, path: pathOf(session) };
  }

  test.each<[string, (path: string) => void, RegExp]>([
    ['deleted', (path) => rmSync(path), /deleted or replaced/],
    [
      'replaced',
      (path) => {
        writeFileSync(`${path}.new`, readFileSync(path));
        renameSync(`${path}.new`, path);
      },
      /deleted or replaced/,
    ],
    ['cut', (path) => truncateSync(path, 30), /changed by another process/],
    ['written to', (path) => appendFileSync(path, '{}\n'), /changed by another process/],
  ])('and that is %s takes no more entries, and says why', (_name, touch, why) => {
    const { session, path } = inUse();
    touch(path);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    const error = failure(() => session.append(said('two')));
    expect(error).toMatchObject({ code: 'session', message: expect.stringMatching(why), remedy: expect.any(String) });
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(before);
    expect(session.messages().map(textOf)).toEqual(['one']);
  });

  test('and that has gone since it was read is not made anew', () => {
    const { session, path } = inUse();
    session.close();
    const { session: again } = openSession(path, { claim: true });
    rmSync(path);
    expect(failure(() => again.append(said('two'))).code).toBe('file');
    expect(existsSync(path)).toBe(false);
    again.close();
  });
});
