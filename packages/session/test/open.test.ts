import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOf } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { sessionFolder } from '../src/folder.ts';
import { createSession, latestSession, openSession } from '../src/index.ts';
import { answered, failure, freshFolder, intent, pathOf, said, toolCall } from './entries.ts';

describe('opening', () => {
  test('a file cut at any byte of its last two entries loses nothing before the cut and goes on', () => {
    const folder = freshFolder();
    const session = createSession({ dir: folder, cwd: '/a' });
    session.append(said('first'));
    session.append(answered('sécond 🌍', toolCall('t1')));
    const safe = statSync(pathOf(session)).size;
    session.append(intent('t1'));
    session.append(said('fourth 🌍 é'));
    session.close();
    const bytes = readFileSync(pathOf(session));
    const whole = session.entries();
    const lineEnds = [...bytes.keys()].filter((index) => bytes[index] === 0x0a);
    const path = join(folder, 'cut.jsonl');
    for (let cut = safe - 1; cut <= bytes.length; cut++) {
      writeFileSync(path, bytes.subarray(0, cut));
      // A line is whole when all of its JSON is there, with or without its newline.
      const kept = lineEnds.filter((end) => end <= cut).length - 1;
      const torn = !lineEnds.some((end) => end === cut || end + 1 === cut);

      const opened = openSession(path);
      expect(opened.session.entries()).toEqual(whole.slice(0, kept));
      expect(opened.problems).toHaveLength(torn ? 1 : 0);
      if (torn) expect(opened.problems[0]).toContain(`line ${kept + 2} `);
      const added = opened.session.append(said('after the crash'));
      opened.session.append(said('and on'));
      opened.session.close();
      expect(added.parentId).toBe(whole[kept - 1]?.id);

      const again = openSession(path);
      expect(again.session.entries()).toEqual(opened.session.entries());
      expect(again.problems).toEqual(opened.problems);
      expect(readFileSync(path).subarray(0, cut)).toEqual(bytes.subarray(0, cut));
    }
  });

  test.each([
    { role: 'user', content: [{ type: 'text' }] },
    { role: 'user', content: [{ type: 'image', data: 'A' }] },
    { role: 'user', content: [{ type: 'text', text: 'a' }, 'b'] },
    { role: 'assistant', content: [], api: 'a', provider: 'p', model: 'm' },
    { role: 'assistant', content: [], provider: 'p', model: 'm', usage: {} },
    { role: 'assistant', content: [{ type: 'thinking' }], api: 'a', provider: 'p', model: 'm', usage: {} },
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'a', arguments: {} }],
      provider: 'p',
      model: 'm',
      usage: {},
    },
    { role: 'toolResult', toolCallId: 'a', content: [{ type: 'text', text: 5 }] },
  ])('a message that no provider could be sent is damage: %j', (message) => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    session.append(said('one'));
    session.close();
    const line = { type: 'message', id: 'aaaaaaaa', parentId: session.entries()[0]?.id, timestamp: 'x', message };
    appendFileSync(pathOf(session), `${JSON.stringify(line)}\n`);
    const { session: opened, problems } = openSession(pathOf(session));
    expect(problems).toEqual([expect.stringContaining('line 3 ')]);
    expect(opened.messages().map(textOf)).toEqual(['one']);
    expect(opened.shorten()).toBe(false);
  });

  test('blocks of types that tau does not know stay in the file and are not told', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    session.append(said('one'));
    session.close();
    const odd = { type: 'hologram', data: 'x' };
    const text = (words: string) => ({ type: 'text', text: words });
    const bodies = [
      { type: 'message', message: { role: 'user', content: [odd, text('two')] } },
      {
        type: 'message',
        message: { role: 'assistant', content: [text('three'), odd], api: 'a', provider: 'p', model: 'm', usage: {} },
      },
      { type: 'custom_message', customType: 'x', display: true, content: [text('four'), odd] },
    ];
    let parentId = session.entries()[0]?.id;
    for (const [at, body] of bodies.entries()) {
      const id = `0000000${at}`;
      appendFileSync(pathOf(session), `${JSON.stringify({ ...body, id, parentId, timestamp: 'x' })}\n`);
      parentId = id;
    }
    const { session: opened, problems } = openSession(pathOf(session));
    expect(problems).toEqual([]);
    expect(JSON.stringify(opened.entries())).toContain('hologram');
    expect(JSON.stringify(opened.messages())).not.toContain('hologram');
    expect(opened.messages().map(textOf)).toEqual(['one', 'two', 'three', 'four']);
  });

  test('a long last entry that was torn, but looks whole, is not what the next one hangs on', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    session.append(said('one'));
    session.append({ type: 'custom', customType: 'x', data: '}'.repeat(3 << 20) });
    session.close();
    truncateSync(pathOf(session), statSync(pathOf(session)).size - 1000);
    const { session: opened, problems } = openSession(pathOf(session));
    expect(problems).toEqual([expect.stringContaining('line 3 ')]);
    expect(opened.append(said('two')).parentId).toBe(opened.entries()[0]?.id);
    opened.close();
  });

  test.each([
    ['to themselves', ['a', 'b', 'c'], ['a', 'b', 'c'], ['1', '2', '3']],
    ['in a circle', ['a', 'b', 'c'], ['c', 'a', 'b'], ['1', '2', '3']],
    ['forward', ['a', 'b', 'c'], [null, 'c', 'b'], ['1', '2', '3']],
    ['to an id that is there twice', ['a', 'b', 'a', 'c'], [null, 'a', 'a', 'b'], ['1', '2', '4']],
    ['to nobody', ['a', 'b', 'c'], ['x', 'y', 'z'], ['1', '2', '3']],
  ])('entries that point %s make a chain that ends', (_name, ids, parents, told) => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    const path = pathOf(session);
    const lines = ids.map((id, at) => {
      const message = { role: 'user', content: `${at + 1}`, timestamp: 1 };
      return { type: 'message', id, parentId: parents[at], timestamp: 'x', message };
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, [session.header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { session: opened, problems } = openSession(path);
    expect(problems).toEqual([]);
    expect(opened.messages().map(textOf)).toEqual(told);
  });

  test('a damaged line in the middle costs that line only', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    for (const text of ['one', 'two', 'three', 'four']) session.append(said(text));
    session.close();
    const path = pathOf(session);
    const lines = readFileSync(path, 'utf8').split('\n');
    for (const damage of [
      '{"type":"mess',
      '[]',
      'null',
      '{"type":"message","id":"aaaaaaaa","parentId":null,"timestamp":"x"}',
    ]) {
      writeFileSync(path, lines.with(2, damage).join('\n'));
      const { session: opened, problems } = openSession(path);
      expect(opened.messages().map(textOf)).toEqual(['one', 'three', 'four']);
      expect(problems).toEqual([expect.stringContaining('line 3 ')]);
    }
  });

  test('entries of types nobody knows stay in the chain', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    const first = session.append(said('one'));
    session.close();
    const path = pathOf(session);
    appendFileSync(
      path,
      `{"type":"hologram","id":"00000001","parentId":"${first.id}","timestamp":"2025-01-01T00:00:00Z","beam":3}\n`,
    );
    const before = readFileSync(path, 'utf8');
    const { session: opened, problems } = openSession(path);
    opened.append(said('two'));
    opened.close();
    expect(problems).toEqual([]);
    expect(opened.messages().map(textOf)).toEqual(['one', 'two']);
    expect(opened.entries()[2]?.parentId).toBe('00000001');
    expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true);
    expect(openSession(path).session.entries()).toMatchObject([{}, { type: 'hologram', beam: 3 }, {}]);
  });

  test.each([
    ['an empty file', '', 'no session header'],
    ['text', 'hello\n', 'no session header'],
    ['a torn header', '{"type":"session","version":3,"id":"x"', 'no session header'],
    ['a header without a folder', '{"type":"session","version":3,"id":"x","timestamp":"t"}\n', 'no session header'],
    ['a newer version', '{"type":"session","version":4,"id":"x","timestamp":"t","cwd":"/"}\n', 'version 4'],
    ['an older version', '{"type":"session","version":2,"id":"x","timestamp":"t","cwd":"/"}\n', 'older format'],
  ])('%s is refused with a way out, and not touched', (_name, text, why) => {
    const path = join(freshFolder(), 's.jsonl');
    writeFileSync(path, text);
    const error = failure(() => openSession(path));
    expect(error).toMatchObject({ code: 'session', remedy: expect.any(String) });
    expect(error.message).toContain(why);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('a file that is not there is refused with a way out', () => {
    expect(failure(() => openSession(join(freshFolder(), 'none.jsonl')))).toMatchObject({
      code: 'session',
      remedy: expect.any(String),
    });
  });
});

describe('finding', () => {
  test('the folder of a working folder has the name pi gives it', () => {
    expect(sessionFolder('/s', '/home/me/app')).toBe('/s/--home-me-app--');
    expect(sessionFolder('/s', 'C:\\me\\app')).toBe('/s/--C--me-app--');
  });

  test('the latest session is the one written last', () => {
    const dir = freshFolder();
    const paths = [1, 2, 3].map((day) => {
      const session = createSession({ dir, cwd: '/a', now: () => new Date(Date.UTC(2025, 0, day)) });
      session.append(said('hi'));
      session.close();
      utimesSync(pathOf(session), 1000, 1000);
      return pathOf(session);
    });
    expect(latestSession({ dir, cwd: '/a' })).toBe(paths[2]);
    utimesSync(paths[0] ?? '', 2000, 2000);
    expect(latestSession({ dir, cwd: '/a' })).toBe(paths[0]);
  });

  test('a session of another folder with the same name, and what is no session, are passed over', () => {
    const dir = freshFolder();
    expect(latestSession({ dir, cwd: '/a/b' })).toBeUndefined();
    const mine = createSession({ dir, cwd: '/a/b' });
    mine.append(said('hi'));
    mine.close();
    utimesSync(pathOf(mine), 1000, 1000);
    const other = createSession({ dir, cwd: '/a-b' });
    other.append(said('hi'));
    other.close();
    const folder = sessionFolder(dir, '/a/b');
    expect(dirname(pathOf(other))).toBe(folder);
    writeFileSync(join(folder, 'zz.jsonl'), 'not a session');
    writeFileSync(join(folder, 'zz.txt'), readFileSync(pathOf(mine)));
    mkdirSync(join(folder, 'zzz.jsonl'));
    expect(latestSession({ dir, cwd: '/a/b' })).toBe(pathOf(mine));
    expect(latestSession({ dir, cwd: '/a-b' })).toBe(pathOf(other));
  });

  test('a session in which nothing was said does not hide the one before it', () => {
    const dir = freshFolder();
    const spoken = createSession({ dir, cwd: '/a' });
    spoken.append(said('hi'));
    spoken.close();
    utimesSync(pathOf(spoken), 1000, 1000);
    const [header = ''] = readFileSync(pathOf(spoken), 'utf8').split('\n');
    writeFileSync(join(dirname(pathOf(spoken)), 'zz.jsonl'), `${header}\n`);
    expect(latestSession({ dir, cwd: '/a' })).toBe(pathOf(spoken));
  });

  test('a header longer than one read is still found', () => {
    const dir = freshFolder();
    const folder = sessionFolder(dir, '/a');
    mkdirSync(folder);
    const header = {
      type: 'session',
      version: 3,
      id: 'x',
      timestamp: 't',
      parentSession: '/p'.repeat(4000),
      cwd: '/a',
    };
    writeFileSync(join(folder, 's.jsonl'), `${JSON.stringify(header)}\n{}\n`);
    expect(latestSession({ dir, cwd: '/a' })).toBe(join(folder, 's.jsonl'));
  });
});
