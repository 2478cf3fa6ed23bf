import type { EntryBody, Message } from '@tau/core';
import { messageTokens, textOf } from '@tau/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSession, memorySession, openSession, type Session } from '../src/index.ts';
import { trimmed } from '../src/trim.ts';
import { answered, freshFolder, pathOf, result, said, toolCall } from './entries.ts';

const long = (mark: string) => `<${mark}${'x'.repeat(20_000)}${mark}>`;

function filled(...bodies: EntryBody[]): Session {
  const session = memorySession({ cwd: '/a' });
  for (const body of bodies) session.append(body);
  return session;
}

const turn = (id: string, text: string): EntryBody[] => [answered('', toolCall(id)), result(id, text)];
const results = (session: Session) =>
  session.messages().flatMap((message) => (message.role === 'toolResult' ? textOf(message) : []));

test('the middle of old long results goes first; what was said, short results and the newest stay', () => {
  const session = filled(said('p1'), ...turn('a', long('a')), ...turn('b', 'short'), ...turn('c', long('c')));
  for (const body of [...turn('d', long('d')), said('p2')]) session.append(body);
  expect(session.shorten()).toBe(true);
  const [a, b, c, d] = results(session);
  expect(a).toMatch(/^<ax{798}\n\[18804 characters of this result were left out.*\]\nx{398}a>$/);
  expect(b).toBe('short');
  expect(c).toContain('left out');
  expect(d).toBe(long('d'));
  expect(session.messages().filter(({ role }) => role === 'user')).toHaveLength(2);
});

test('where that frees less than a quarter, the oldest part goes instead', () => {
  const session = filled(said('p1'), ...turn('a', long('a')), said('y'.repeat(200_000)), answered('r'), said('p3'));
  expect(session.shorten()).toBe(true);
  expect(results(session)).toEqual([]);
});

test('nothing is trimmed twice: the next time the oldest part goes', () => {
  const session = filled(said('p1'), ...turn('a', long('a')), answered('r'), said('p2'), answered('z'.repeat(9000)));
  session.append(said('p3'));
  expect(session.shorten()).toBe(true);
  const short = results(session);
  expect(short).toEqual([expect.stringContaining('left out')]);
  session.append(said('p4'));
  expect(results(session)).toEqual(short);
  expect(session.shorten()).toBe(true);
  expect(results(session)).toEqual([]);
});

test('a last result that fits nowhere is told in short, when nothing else can go', () => {
  const session = filled(said('p1'), ...turn('a', long('a')));
  expect(session.shorten()).toBe(true);
  expect(results(session)).toEqual([expect.stringContaining('left out')]);
  expect(session.shorten()).toBe(false);
});

test('it stays to the byte when the session is opened again, and the file keeps all of it', () => {
  const session = createSession({ dir: freshFolder(), cwd: '/a' });
  for (const body of [said('p1'), ...turn('a', long('a')), answered('z'.repeat(40_000)), said('p2')])
    session.append(body);
  expect(session.shorten()).toBe(true);
  const told = JSON.stringify(session.messages());
  session.close();
  const again = openSession(pathOf(session)).session;
  expect(JSON.stringify(again.messages())).toBe(told);
  expect(told).not.toContain('x'.repeat(2000));
  expect(JSON.stringify(again.entries())).toContain(long('a'));
});

test('a trim that somebody else wrote wrongly changes nothing', () => {
  const session = filled(said('p1'), ...turn('a', long('a')));
  const before = session.messages();
  for (const data of [undefined, 7, {}, { entryIds: 'a' }, { entryIds: [1, 'none'] }]) {
    session.append({ type: 'custom', customType: 'tau.trim', data });
    expect(session.messages()).toEqual(before);
  }
});

test('an image goes with a word in its place', () => {
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
  const message: Message = {
    role: 'toolResult',
    toolCallId: 'a',
    toolName: 'read',
    content: [{ type: 'text', text: 'a.png' }, image],
    isError: false,
    timestamp: 0,
  };
  expect(textOf(trimmed(message))).toBe('a.png\n[An image left out here]');
  expect(messageTokens(trimmed(message))).toBeLessThan(50);
});

test('whatever the text, no half of a character is left, and it is never longer than before and a note', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 3000 });
  fc.assert(
    fc.property(text, (given) => {
      const body = result('a', given);
      if (body.type !== 'message' || body.message.role !== 'toolResult') throw new Error('no result');
      const short = textOf(trimmed({ ...body.message, content: body.message.content.filter(isText) }));
      expect(() => encodeURIComponent(short)).not.toThrow();
      expect(short.length).toBeLessThan(Math.min(given.length, 1200) + 160);
    }),
    { seed: 7, numRuns: 60 },
  );
});

function isText(block: { type: string }): block is { type: 'text'; text: string } {
  return block.type === 'text';
}
