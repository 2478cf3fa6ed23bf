import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createSession,
  deleteSession,
  findSession,
  listSessions,
  openSession,
  type Session,
  sessionExists,
  sessionInfo,
} from '../src/index.ts';
import { answered, failure, freshFolder, pathOf, said } from './entries.ts';

let time = 1_000_000;

/** A session that was used after all those before it. */
function used(dir: string, options: { cwd?: string; id?: string; name?: string; prompt?: string } = {}): Session {
  const { cwd = '/a', prompt = 'hi', ...rest } = options;
  const session = createSession({ dir, cwd, ...rest });
  session.append({ type: 'model_change', provider: 'p', modelId: 'm' });
  session.append(said(prompt));
  session.close();
  time += 10;
  utimesSync(pathOf(session), time, time);
  return session;
}

const uuid = (start: string) => `${start}${'01936f2e-1c3a-7def-8abc-000000000000'.slice(start.length)}`;

describe('listing', () => {
  test('gives what a person needs to choose, the one used last first', async () => {
    const dir = freshFolder();
    const first = used(dir, { name: 'older', prompt: ' fix\n\n the   bug ' });
    const second = used(dir);
    const other = used(dir, { cwd: '/b' });
    const { sessions, more, problems } = await listSessions({ dir, cwd: '/a' });
    expect([more, problems]).toEqual([0, []]);
    expect(sessions.map(({ id }) => id)).toEqual([second.header.id, first.header.id]);
    expect(sessions[1]).toEqual({
      id: first.header.id,
      path: pathOf(first),
      cwd: '/a',
      name: 'older',
      created: first.header.timestamp,
      modified: new Date((time - 20) * 1000).toISOString(),
      firstPrompt: 'fix the bug',
      model: 'p/m',
      size: readFileSync(pathOf(first)).length,
    });
    const all = await listSessions({ dir });
    expect(all.sessions.map(({ id }) => id)).toEqual([other.header.id, second.header.id, first.header.id]);
  });

  test('a limit stops the reading, and says how many there are besides', async () => {
    const dir = freshFolder();
    for (let count = 0; count < 5; count++) used(dir);
    const seen: [number, number][] = [];
    const { sessions, more } = await listSessions({ dir, limit: 2, onProgress: (...at) => void seen.push(at) });
    expect([sessions.length, more, seen]).toEqual([2, 3, [[2, 5]]]);
  });

  test('a file that is no session is reported and stops nothing', async () => {
    const dir = freshFolder();
    const good = used(dir);
    const folder = dirname(pathOf(good));
    writeFileSync(join(folder, 'bad.jsonl'), 'not a session\n');
    writeFileSync(join(folder, 'empty.jsonl'), '');
    writeFileSync(join(folder, 'notes.txt'), 'x');
    mkdirSync(join(folder, 'folder.jsonl'));
    const { sessions, problems } = await listSessions({ dir });
    expect(sessions.map(({ id }) => id)).toEqual([good.header.id]);
    expect(problems.toSorted()).toEqual([
      expect.stringContaining('bad.jsonl is not a session'),
      expect.stringContaining('empty.jsonl is not a session'),
    ]);
  });

  test('no folder is no session', async () => {
    expect(await listSessions({ dir: join(freshFolder(), 'none') })).toEqual({ sessions: [], more: 0, problems: [] });
  });

  test('whoever gives up is heard', async () => {
    const dir = freshFolder();
    const one = used(dir);
    for (let count = 0; count < 250; count++) {
      writeFileSync(join(dirname(pathOf(one)), `${count}.jsonl`), readFileSync(pathOf(one)));
    }
    await expect(listSessions({ dir, signal: AbortSignal.abort() })).rejects.toThrow();
  });

  test('of a long session only the head and the tail are read', () => {
    const dir = freshFolder();
    const session = createSession({ dir, cwd: '/a' });
    session.append(said(`${'long prompt with "quotes" and \\ é\n'.repeat(4000)}`));
    session.append({ type: 'session_info', name: 'hidden in the middle' });
    for (let count = 0; count < 20; count++) session.append(answered('x'.repeat(1500)));
    session.append({ type: 'model_change', provider: 'new', modelId: 'one' });
    const info = sessionInfo(pathOf(session));
    expect(info.firstPrompt).toMatch(/^long prompt with "quotes" and \\ é long prompt .*…$/);
    expect(info.firstPrompt?.length).toBeLessThanOrEqual(200);
    expect(info.model).toBe('anthropic/m-1');
    expect(info.name).toBeUndefined();
    session.close();
    expect(sessionInfo(pathOf(session)).name).toBe('hidden in the middle');
  });

  test.each([1500, 3000, 5000, 7000, 9000])('a name with %i bytes behind it is found after closing', (behind) => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    session.append(said('x'.repeat(6000)));
    session.setName('given on the way');
    session.append(said('y'.repeat(behind)));
    session.close();
    expect(sessionInfo(pathOf(session)).name).toBe('given on the way');
  });

  test('the first prompt may have images, or come late', () => {
    const dir = freshFolder();
    const session = createSession({ dir, cwd: '/a' });
    session.append({ type: 'custom', customType: 'x', data: 'y'.repeat(10_000) });
    const image = { type: 'image' as const, data: 'A'.repeat(100_000), mimeType: 'image/png' };
    const content = [{ type: 'text' as const, text: 'look' }, image];
    session.append({ type: 'message', message: { role: 'user', content, timestamp: 1 } });
    session.close();
    expect(sessionInfo(pathOf(session)).firstPrompt).toBe('look');
  });
});

describe('finding', () => {
  const ids = [uuid('01936f2e-1c3a-7aaa'), uuid('01936f2e-1c3a-7aab'), uuid('01936f2f'), uuid('11111111')] as const;

  function folder(): { dir: string; cwd: string; paths: string[] } {
    const dir = freshFolder();
    const paths = ids.map((id, at) =>
      pathOf(used(dir, { id, cwd: at === 3 ? '/elsewhere' : '/a', name: `n${at % 3}` })),
    );
    return { dir, cwd: '/a', paths };
  }

  test('by path, by id, by a part of one that only one has, by name, and the last', () => {
    const { paths, ...where } = folder();
    expect(findSession(paths[0] ?? '', where)).toBe(paths[0]);
    expect(findSession(basename(paths[1] ?? ''), { ...where, cwd: dirname(paths[1] ?? '') })).toBe(paths[1]);
    expect(findSession(ids[1], where)).toBe(paths[1]);
    expect(findSession(ids[3].toUpperCase(), where)).toBe(paths[3]);
    expect(findSession('01936f2f', where)).toBe(paths[2]);
    expect(findSession('1111', where)).toBe(paths[3]);
    expect(findSession(ids[2].slice(-30), where)).toBe(paths[2]);
    expect(findSession('n1', where)).toBe(paths[1]);
    expect(findSession('last', where)).toBe(paths[2]);
  });

  test.each(['', ' ', '0', '019'])('"%s" is too little to mean a session, also where there is only one', (wanted) => {
    const dir = freshFolder();
    used(dir, { id: ids[0] });
    expect(failure(() => findSession(wanted, { dir, cwd: '/a' })).message).toBe(`No session fits "${wanted}"`);
  });

  test('a name may look like a path, or like the end of an id', () => {
    const dir = freshFolder();
    const where = { dir, cwd: '/a' };
    used(dir, { id: uuid('01936f2e').replace(/0000$/, 'cafe') });
    const branch = pathOf(used(dir, { id: ids[1], name: 'fix/login' }));
    const coffee = pathOf(used(dir, { id: ids[2], name: 'cafe' }));
    expect(findSession('fix/login', where)).toBe(branch);
    expect(findSession('cafe', where)).toBe(coffee);
    expect(failure(() => findSession('fix/logout', where)).message).toContain('/a/fix/logout');
  });

  test('more than one is an error that names them', () => {
    const error = failure(() => findSession('01936f2e', folder()));
    expect(error.message).toBe(`2 sessions fit "01936f2e": ${ids[1]}, ${ids[0]}`);
    expect(failure(() => findSession('n0', folder())).message).toContain('2 sessions fit');
  });

  test('none is an error that names what is near', () => {
    const { paths: _, ...where } = folder();
    const error = failure(() => findSession(ids[3].replace('1', '2'), where));
    expect(error).toMatchObject({ code: 'session', remedy: expect.stringContaining(ids[3]) });
    expect(failure(() => findSession('zzz', where)).remedy).toContain('tau sessions');
    expect(failure(() => findSession('./none.jsonl', where)).message).toContain('/a/none.jsonl');
    expect(failure(() => findSession('last', { ...where, cwd: '/empty' })).message).toContain('/empty');
  });

  test('a file that another program named is found by the id in its header', () => {
    const { dir, cwd, paths } = folder();
    const [, second = ''] = paths;
    const id = 'abcdef00-0000-7000-8000-000000000000';
    const path = join(dirname(second), 'mine.jsonl');
    writeFileSync(path, readFileSync(second, 'utf8').replace(ids[1], id));
    expect(findSession('abcdef', { dir, cwd })).toBe(path);
    expect(sessionExists(dir, id.toUpperCase())).toBe(true);
    expect(sessionExists(dir, uuid('ff'))).toBe(false);
  });
});

describe('deleting', () => {
  test('removes the file and leaves no lock', () => {
    const dir = freshFolder();
    const path = pathOf(used(dir));
    deleteSession(path);
    expect([existsSync(path), existsSync(`${path}.lock`)]).toEqual([false, false]);
    expect(failure(() => deleteSession(path)).code).toBe('file');
  });

  test('refuses what is no session, and one in use', () => {
    const dir = freshFolder();
    const text = join(dir, 'precious.jsonl');
    writeFileSync(text, 'precious\n');
    expect(failure(() => deleteSession(text)).code).toBe('session');
    const path = pathOf(used(dir));
    const { session } = openSession(path, { claim: true });
    expect(failure(() => deleteSession(path)).message).toContain('in use by this process');
    session.close();
    expect([existsSync(text), existsSync(path)]).toEqual([true, true]);
  });
});
