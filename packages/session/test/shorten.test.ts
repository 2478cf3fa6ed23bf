import type { EntryBody, Message } from '@tau/core';
import { textOf, toolCallsOf, userMessage } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSession, memorySession, openSession, type Session } from '../src/index.ts';
import { planCut } from '../src/shorten.ts';
import { answered, freshFolder, intent, pathOf, result, said, toolCall } from './entries.ts';

function filled(...bodies: EntryBody[]): Session {
  const session = memorySession({ cwd: '/a' });
  for (const body of bodies) session.append(body);
  return session;
}

/** The note as `…`, calls as `a!`, results as `a=`. */
function outline(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    if (message.role === 'toolResult') return `${message.toolCallId}=`;
    const calls = message.role === 'assistant' ? toolCallsOf(message).map((call) => `${call.id}!`) : [];
    const text = textOf(message);
    return text.startsWith('The oldest part of this conversation was left out') ? '…' : calls.join('') || text;
  });
}

const pieces = (text: string) =>
  text.split(' ').map((word, index) => ({
    id: `${index}`,
    kind: word.startsWith('u') ? 'message:user' : word.startsWith('a') ? 'message:assistant' : 'message:toolResult',
    size: Number(word.slice(1)),
  }));

describe('the plan', () => {
  test.each([
    ['the oldest group, if that is a quarter', 'u5 a5 u5 a5 u5 a5', '2'],
    ['as many groups as make a quarter', 'u1 a1 u1 a1 u5 a5 u2 a2', '6'],
    ['a group that is nearly all of it', 'u50 a50 u1', '2'],
    ['all but the last group, where the others are small', 'u1 a1 u1 a1 u50', '4'],
    ['of one group its oldest turns', 'u1 a5 r5 a5 r5 a5 r5', '3'],
    ['all but the last turn, where the others are small', 'u1 a1 r1 a1 r1 a9 r90', '5'],
    ['what an earlier cut left of a group', 'a1 r1 u1 a1', '2'],
    ['nothing of a single turn', 'u9 a9 r9 r9', undefined],
    ['nothing of a prompt alone', 'u9', undefined],
  ])('takes %s', (_name, given, expected) => {
    expect(planCut(pieces(given))).toBe(expected);
  });

  test('of nothing is nothing', () => {
    expect(planCut([])).toBeUndefined();
  });
});

describe('shortening', () => {
  test('leaves out whole groups, then old turns, and ends with the last prompt and turn', () => {
    const session = filled(said('p1'), answered('r1'), said('p2'));
    for (const id of ['a', 'b', 'c']) {
      session.append(answered('', toolCall(id)));
      session.append(intent(id));
      session.append(result(id));
    }
    const seen = [outline(session.messages())];
    while (session.shorten()) seen.push(outline(session.messages()));
    expect(seen).toEqual([
      ['p1', 'r1', 'p2', 'a!', 'a=', 'b!', 'b=', 'c!', 'c='],
      ['…', 'p2', 'a!', 'a=', 'b!', 'b=', 'c!', 'c='],
      ['…', 'p2', 'b!', 'b=', 'c!', 'c='],
      ['…', 'p2', 'c!', 'c='],
    ]);
    session.append(said('p3'));
    expect(outline(session.messages())).toEqual(['…', 'p2', 'c!', 'c=', 'p3']);
    expect(session.shorten()).toBe(true);
    expect(outline(session.messages())).toEqual(['…', 'p3']);
    expect(session.shorten()).toBe(false);
  });

  test('stays to the byte while the conversation goes on and when it is opened again', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    for (const text of ['one', 'two', 'three', 'four']) {
      session.append(said(text));
      session.append(answered(`${text}!`));
    }
    expect(session.shorten()).toBe(true);
    const before = JSON.stringify(session.messages()).slice(0, -1);
    session.append(said('five'));
    const after = JSON.stringify(session.messages());
    expect(after.startsWith(before)).toBe(true);
    session.close();
    const again = openSession(pathOf(session)).session;
    expect(JSON.stringify(again.messages())).toBe(after);
    // What was left out of the context is still in the file.
    expect(again.entries()).toHaveLength(10);
  });

  test('tells what the user said and which calls were made in the part that went, through every later cut', () => {
    const session = filled(said(`fix it\n${'x'.repeat(9000)}`), answered('', toolCall('a')), result('a'), said('p2'));
    expect(session.shorten()).toBe(true);
    const note = () => textOf(session.messages()[0] ?? userMessage('', 0));
    const [, ...lines] = note().split('\n');
    expect(lines).toEqual([`> fix it ${'x'.repeat(192)}…`, '- write a: done']);
    session.append(answered('y'.repeat(4000)));
    session.append(said('p3'));
    expect(session.shorten()).toBe(true);
    expect(note().split('\n').slice(1)).toEqual([...lines, '> p2']);
  });

  test('tells at most 2 KB of it, the first prompt longest, and counts the rest', () => {
    const session = filled(said(`the task ${'x'.repeat(9000)}`));
    for (let at = 0; at < 200; at++) {
      session.append(answered('', toolCall(`c${at}`)));
      session.append(result(`c${at}`));
    }
    for (let at = 0; at < 20; at++) session.append(said(`${at} ${'z'.repeat(9000)}`));
    session.append(answered('w'.repeat(900_000)));
    session.append(said('last'));
    expect(session.shorten()).toBe(true);
    const [, ...lines] = textOf(session.messages()[0] ?? userMessage('', 0)).split('\n');
    expect(Buffer.byteLength(lines.join('\n'))).toBeLessThan(2100);
    expect(lines[0]).toMatch(/^> the task x/);
    expect(lines.at(-2)).toMatch(/^> 19 z/);
    const [, more] = /^\((\d+) more\)$/.exec(lines.at(-1) ?? '') ?? [];
    expect(Number(more) + lines.length - 1).toBe(221);
  });

  test('of a part that is short nothing is told but that it went', () => {
    const session = filled(said('a prompt of some thirty letters'), answered('r1'), said('p2'));
    expect(session.shorten()).toBe(true);
    expect(textOf(session.messages()[0] ?? userMessage('', 0))).not.toContain('thirty');
  });

  test('the summary of a compaction stays in front, and a later compaction ends the cut', () => {
    const session = filled(said('p1'), answered('r1'));
    const kept = session.append(said('p2'));
    session.append(answered('r2'));
    session.append({ type: 'compaction', summary: 'SUM', firstKeptEntryId: kept.id, tokensBefore: 1 });
    const p3 = session.append(said('p3'));
    expect(session.shorten()).toBe(true);
    expect(outline(session.messages())).toEqual([expect.stringContaining('SUM'), '…', 'p3']);
    session.append({ type: 'compaction', summary: 'NEW', firstKeptEntryId: p3.id, tokensBefore: 1 });
    expect(outline(session.messages())).toEqual([expect.stringContaining('NEW'), 'p3']);
  });

  test('a cut whose kept entry is missing leaves nothing out', () => {
    const session = filled(said('p1'), answered('r1'));
    for (const data of [{ firstKeptEntryId: 'none' }, {}, undefined, 7]) {
      session.append({ type: 'custom', customType: 'tau.cut', data });
      expect(outline(session.messages())).toEqual(['p1', 'r1']);
    }
  });

  test('a cut belongs to its branch', () => {
    const session = filled(said('p1'), answered('r1'), said('p2'));
    const leaf = session.entries().at(-1)?.id ?? '';
    expect(session.shorten()).toBe(true);
    session.moveTo(leaf);
    expect(outline(session.messages())).toEqual(['p1', 'r1', 'p2']);
  });
});

test('whatever is cut, the context begins with a user message, keeps the last prompt, and every call has its result', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.nat(400).map((length) => () => said(`p${'x'.repeat(length)}`)) },
    { weight: 4, arbitrary: fc.array(id, { maxLength: 3 }).map((ids) => () => answered('', ...ids.map(toolCall))) },
    { weight: 4, arbitrary: id.map((one) => () => result(one)) },
    { weight: 1, arbitrary: id.map((one) => () => intent(one)) },
    {
      weight: 1,
      arbitrary: fc.constant(
        (): EntryBody => ({ type: 'custom_message', customType: 'x', content: 'note', display: false }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.nat(20).map((place) => (session: Session): EntryBody => {
        const firstKeptEntryId = session.entries()[place]?.id ?? 'none';
        return { type: 'compaction', summary: 'SUM', firstKeptEntryId, tokensBefore: 1 };
      }),
    },
    { weight: 3, arbitrary: fc.constant('shorten' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const session = filled(said('first'));
      for (const make of steps) {
        if (make !== 'shorten') {
          session.append(make(session));
          continue;
        }
        const before = session.messages();
        const size = JSON.stringify(before).length;
        if (!session.shorten()) {
          expect(session.messages()).toEqual(before);
          continue;
        }
        const after = session.messages();
        // The note is all that is ever added.
        expect(JSON.stringify(after).length).toBeLessThan(size + 200);
        expect(after[0]?.role).toBe('user');
        expect(after.at(-1)).toEqual(before.at(-1));
        const prompt = (messages: readonly Message[]) =>
          messages.findLast((message) => textOf(message).startsWith('p'));
        expect(prompt(after)).toEqual(prompt(before));
        const expected: string[] = [];
        for (const message of after) {
          if (message.role === 'toolResult') {
            expect(message.toolCallId).toBe(expected.shift());
            continue;
          }
          expect(expected).toEqual([]);
          if (message.role === 'assistant') expected.push(...toolCallsOf(message).map((call) => call.id));
        }
        expect(expected).toEqual([]);
      }
      // It ends: each time something goes.
      let left = session.entries().length + 1;
      while (session.shorten()) expect(--left).toBeGreaterThan(0);
    }),
    { seed: 9, numRuns: 500 },
  );
});
