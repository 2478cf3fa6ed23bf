/** Which session a run belongs to, by what the user asked for. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TauError, textOf, userMessage } from '@tau/core';
import { expect, onTestFinished, test } from 'vitest';
import { openOrCreate, type SessionChoice, type SessionWishes } from '../src/sessions.ts';

function workplace() {
  const dir = mkdtempSync(join(tmpdir(), 'tau-agent-sessions-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return {
    dir,
    open(choice: SessionChoice, wishes: SessionWishes = {}, cwd = '/a') {
      const opened = openOrCreate(choice, dir, cwd, wishes);
      onTestFinished(() => opened.session.close());
      const say = (text: string) => opened.session.append({ type: 'message', message: userMessage(text, 1) });
      return { ...opened, say, texts: () => opened.session.messages().map(textOf) };
    },
  };
}

function failure(run: () => unknown): TauError {
  try {
    run();
  } catch (error) {
    if (error instanceof TauError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const id = '01936f2e-1c3a-7def-8abc-000000000001';

test('a new session can have its id and name given, and both are there with the first entry', () => {
  const { open } = workplace();
  const made = open('new', { id: id.toUpperCase(), name: 'mine' });
  expect(existsSync(made.session.path ?? '')).toBe(false);
  made.say('hi');
  made.session.close();
  const again = open({ open: id });
  expect(again.session.header.id).toBe(id);
  expect(again.session.name()).toBe('mine');
  expect(again.texts()).toEqual(['hi']);
});

test('an id that is taken, is none, or is for a session that has one is refused', () => {
  const { open } = workplace();
  const made = open('new', { id });
  made.say('hi');
  made.session.close();
  expect(failure(() => open('new', { id }))).toMatchObject({ code: 'session', message: expect.stringContaining(id) });
  expect(failure(() => open({ fork: id }, { id }))).toMatchObject({ code: 'session' });
  expect(failure(() => open('new', { id: '../../etc' }))).toMatchObject({ code: 'usage' });
  expect(failure(() => open('continue', { id }))).toMatchObject({ code: 'usage' });
  expect(failure(() => open({ open: id }, { id }))).toMatchObject({ code: 'usage' });
});

test('open takes a path, a part of an id or a name, and locks', () => {
  const { open } = workplace();
  const made = open('new', { id, name: 'mine' });
  made.say('hi');
  const path = made.session.path ?? '';
  expect(failure(() => open({ open: 'mine' })).message).toContain('in use by this process');
  made.session.close();
  for (const wanted of [path, id, id.slice(0, 6), 'mine', 'last']) {
    const { session, problems } = open({ open: wanted });
    expect([session.path, problems]).toEqual([path, []]);
    expect(existsSync(`${path}.lock`)).toBe(true);
    session.close();
  }
  expect(open({ open: id }, {}, '/b').problems).toEqual([expect.stringContaining('begun in /a')]);
});

test('a name for a session that is taken up is recorded once', () => {
  const { open } = workplace();
  const made = open('new');
  made.say('hi');
  made.session.close();
  for (let count = 0; count < 2; count++) {
    const again = open('continue', { name: 'later' });
    expect(again.session.name()).toBe('later');
    expect(again.session.entries()).toHaveLength(2);
    again.session.close();
  }
});

test('a fork goes on in a copy, from its end or from an entry, while the other is in use', () => {
  const { open } = workplace();
  const source = open('new', { id });
  const first = source.say('one');
  source.say('two');
  const copy = open({ fork: id });
  copy.say('three');
  expect(copy.texts()).toEqual(['one', 'two', 'three']);
  expect(copy.session.header).toMatchObject({ cwd: '/a', parentSession: source.session.path });
  const early = open({ fork: id, entry: first.id }, { name: 'early' }, '/b');
  expect([early.texts(), early.session.name(), early.session.header.cwd]).toEqual([['one'], 'early', '/b']);
  expect(source.texts()).toEqual(['one', 'two']);
});

test('without a session nothing is written', () => {
  const { open } = workplace();
  const made = open('none', { name: 'x', id });
  made.say('hi');
  expect([made.session.path, made.session.name(), made.session.header.id]).toEqual([undefined, 'x', id]);
});
