import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { textOf } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { createSession, forkSession, memorySession, openSession, type Session, sessionInfo } from '../src/index.ts';
import { answered, failure, freshFolder, pathOf, said } from './entries.ts';

function texts(session: Session): string[] {
  return session.messages().map(textOf);
}

/** The same steps on a session in memory and on one on disk; the latter also as it is when opened again. */
function everywhere(steps: (session: Session) => void): Session[] {
  const memory = memorySession({ cwd: '/a' });
  const disk = createSession({ dir: freshFolder(), cwd: '/a' });
  for (const session of [memory, disk]) steps(session);
  disk.close();
  return [memory, disk, openSession(pathOf(disk)).session];
}

describe('moving', () => {
  test('goes on elsewhere, survives reopening, and loses nothing', () => {
    for (const session of everywhere((one) => {
      const first = one.append(said('one'));
      one.append(said('left'));
      one.moveTo(first.id);
      one.append(said('right'));
    })) {
      expect(texts(session)).toEqual(['one', 'right']);
      const [first] = session.entries();
      const [left, move] = session.children(first?.id ?? '');
      expect(session.entry(left ?? '')).toMatchObject({ message: { content: 'left' } });
      expect(session.entry(move ?? '')).toMatchObject({ type: 'custom', customType: 'tau.move' });
      expect(session.pathTo(left ?? '').map((entry) => entry.id)).toEqual([first?.id, left]);
      expect(session.children(null)).toEqual([first?.id]);
    }
  });

  test('to nothing begins afresh in the same file', () => {
    for (const session of everywhere((one) => {
      one.append(said('old'));
      one.moveTo(null);
      one.append(said('new'));
    })) {
      expect(texts(session)).toEqual(['new']);
      expect(session.children(null)).toHaveLength(2);
    }
  });

  test('can leave a summary of what was left', () => {
    for (const session of everywhere((one) => {
      const first = one.append(said('one'));
      one.append(said('left'));
      one.moveTo(first.id, { summary: 'WE TRIED' });
    })) {
      expect(texts(session)).toEqual(['one', expect.stringContaining('WE TRIED')]);
      expect(session.find('branch_summary')).toMatchObject([{ fromId: session.entries()[0]?.id }]);
    }
  });

  test('to where it is already adds nothing, and to nowhere is an error', () => {
    const session = memorySession({ cwd: '/a' });
    const entry = session.append(said('one'));
    session.moveTo(entry.id);
    expect(session.entries()).toHaveLength(1);
    expect(failure(() => session.moveTo('deadbeef'))).toMatchObject({ code: 'session', remedy: expect.any(String) });
    expect(session.pathTo('deadbeef')).toEqual([]);
    expect(session.entry('deadbeef')).toBeUndefined();
  });
});

describe('names, labels and tools', () => {
  test('the last name wins, wherever in the tree it was given, and an empty one takes it away', () => {
    for (const session of everywhere((one) => {
      const first = one.append(said('one'));
      one.setName('  first  ');
      one.setName('second');
      one.setName('second');
      one.moveTo(first.id);
    })) {
      expect(session.name()).toBe('second');
      expect(session.find('session_info').map(({ name }) => name)).toEqual(['first', 'second']);
    }
    const session = memorySession({ cwd: '/a', name: 'x' });
    expect(session.name()).toBe('x');
    session.setName('');
    expect(session.name()).toBeUndefined();
  });

  test('a label belongs to an entry; the last one counts, and it can be taken away', () => {
    for (const session of everywhere((one) => {
      const first = one.append(said('one'));
      const second = one.append(said('two'));
      one.setLabel(first.id, 'begin');
      one.setLabel(second.id, 'gone');
      one.setLabel(second.id, undefined);
      one.setLabel(second.id, undefined);
    })) {
      const [first, second] = session.entries();
      expect(session.label(first?.id ?? '')).toBe('begin');
      expect(session.label(second?.id ?? '')).toBeUndefined();
      expect(session.find('label')).toHaveLength(3);
      expect(failure(() => session.setLabel('nobody', 'x')).code).toBe('session');
    }
  });

  test('the offered tools are recorded when they differ, and are those of the branch', () => {
    for (const session of everywhere((one) => {
      const first = one.append(said('one'));
      one.setActiveTools(['read']);
      one.setActiveTools(['read', 'bash']);
      one.setActiveTools(['read', 'bash']);
      const leaf = one.entries().at(-1);
      one.moveTo(first.id);
      expect(one.activeTools()).toBeUndefined();
      one.moveTo(leaf?.id ?? null);
    })) {
      expect(session.activeTools()).toEqual(['read', 'bash']);
      expect(session.find('custom').filter(({ customType }) => customType === 'tau.tools')).toHaveLength(2);
    }
  });

  test('a name is in the file from its first write on, and again at its end when that has grown away from it', () => {
    const dir = freshFolder();
    const session = createSession({ dir, cwd: '/a', name: 'the big one' });
    session.append(said('hi'));
    for (let count = 0; count < 20; count++) session.append(answered('x'.repeat(2000)));
    session.close();
    expect(sessionInfo(pathOf(session))).toMatchObject({ name: 'the big one', firstPrompt: 'hi' });
    const again = openSession(pathOf(session)).session;
    expect(again.find('session_info')).toHaveLength(2);
    expect(again.entries().at(-1)?.type).toBe('session_info');
    // Opening and closing alone writes nothing.
    const { size } = statSync(pathOf(session));
    again.close();
    expect(statSync(pathOf(session)).size).toBe(size);
  });
});

describe('a fork', () => {
  test('is a new session with the chain of the other, which stays as it is', () => {
    const dir = freshFolder();
    const source = createSession({ dir, cwd: '/a' });
    const first = source.append(said('one'));
    source.append(said('side'));
    source.moveTo(first.id);
    source.append(said('two'));
    const before = readFileSync(pathOf(source));
    const { session: fork, problems } = forkSession(pathOf(source), { dir, cwd: '/b', name: 'copy' });
    expect(problems).toEqual([]);
    expect(texts(fork)).toEqual(['one', 'two']);
    fork.append(said('three'));
    fork.close();
    source.close();
    expect(readFileSync(pathOf(source))).toEqual(before);
    const { session: again } = openSession(pathOf(fork));
    expect(again.header).toMatchObject({ cwd: '/b', parentSession: pathOf(source) });
    expect(again.header.id).not.toBe(source.header.id);
    expect(dirname(pathOf(fork))).not.toBe(dirname(pathOf(source)));
    expect(texts(again)).toEqual(['one', 'two', 'three']);
    expect(again.entries()).toEqual(fork.entries());
    expect(again.name()).toBe('copy');
    expect(statSync(pathOf(fork)).mode & 0o777).toBe(0o600);
  });

  test('can end at any entry, on the chain or not, with the labels of what it copies', () => {
    const dir = freshFolder();
    const source = createSession({ dir, cwd: '/a' });
    const first = source.append(said('one'));
    const side = source.append(said('side'));
    source.moveTo(first.id);
    source.append(said('two'));
    source.setLabel(side.id, 'mark');
    source.close();
    const { session: fork } = forkSession(pathOf(source), { dir, cwd: '/a', entry: side.id });
    expect(texts(fork)).toEqual(['one', 'side']);
    expect(fork.label(side.id)).toBe('mark');
    expect(failure(() => forkSession(pathOf(source), { dir, cwd: '/a', entry: 'none' }))).toMatchObject({
      code: 'session',
    });
  });
});
