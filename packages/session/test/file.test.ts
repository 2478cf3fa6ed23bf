/** Session files that were cut, damaged, grown by others or are long: what is read, and what is not. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntryBody, SessionEntry } from '@tau/core';
import { TauError, textOf } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHeadReader, headOf } from '../src/head.ts';
import { createSession, memorySession, openSession, type Session } from '../src/index.ts';
import { answered, freshFolder, intent, pathOf, result, said, toolCall } from './entries.ts';

const id = fc.constantFrom('a', 'b');
/** What can be done to a session, as functions of where it stands. */
const step: fc.Arbitrary<(session: Session) => void> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => add(said(text))) },
  {
    weight: 3,
    arbitrary: fc.array(id, { maxLength: 2 }).map((ids) => add(answered('é}\n"', ...ids.map(toolCall)))),
  },
  { weight: 3, arbitrary: id.map((one) => add(result(one))) },
  { weight: 1, arbitrary: id.map((one) => add(intent(one))) },
  { weight: 1, arbitrary: fc.constant(add({ type: 'thinking_level_change', thinkingLevel: 'high' })) },
  { weight: 1, arbitrary: fc.constant((session: Session) => session.setActiveTools(['read'])) },
  { weight: 1, arbitrary: fc.constant((session: Session) => session.setName('x')) },
  { weight: 2, arbitrary: fc.constant((session: Session) => void session.shorten()) },
  { weight: 2, arbitrary: fc.nat(30).map((place) => (session: Session) => session.moveTo(at(session, place))) },
  {
    weight: 1,
    arbitrary: fc.nat(30).map((place) => (session: Session) => {
      session.append({
        type: 'compaction',
        summary: 'SUM',
        firstKeptEntryId: at(session, place) ?? 'x',
        tokensBefore: 1,
      });
    }),
  },
);

function add(body: EntryBody): (session: Session) => void {
  return (session) => void session.append(body);
}

/** The entry at this place of the chain, or null for one behind its end. */
function at(session: Session, place: number): string | null {
  return session.entries()[place]?.id ?? null;
}

/** Everything a session says of itself, without ids and times, which differ from one to the next. */
function state(session: Session): unknown {
  const bare = session.messages().map(({ role, content }) => ({ role, content }));
  return {
    messages: bare,
    chain: session.entries().map(({ type }) => type),
    tools: session.activeTools(),
    thinking: session.lastThinking(),
    model: session.lastModel(),
    name: session.name(),
    unanswered: session.unanswered(),
  };
}

describe('whatever was done', () => {
  test('a session is the same in memory, on disk, and opened again, also half way', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.nat(25), (steps, half) => {
        const memory = memorySession({ cwd: '/a' });
        let disk = createSession({ dir: freshFolder(), cwd: '/a' });
        for (const [index, act] of steps.entries()) {
          if (index === half && disk.entries().length > 0) {
            disk.close();
            disk = openSession(pathOf(disk), { claim: true }).session;
          }
          act(memory);
          act(disk);
          expect(state(disk)).toEqual(state(memory));
        }
        disk.close();
        if (disk.entries().length === 0) return;
        const opened = openSession(pathOf(disk));
        expect(opened.problems).toEqual([]);
        expect(state(opened.session)).toEqual(state(memory));
        expect(opened.session.messages()).toEqual(disk.messages());
        expect(opened.session.entries()).toEqual(disk.entries());
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  test('a file cut at any byte opens or says that it has no header, loses nothing before the cut, and goes on', () => {
    const folder = freshFolder();
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 10 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (steps, cut) => {
          const session = createSession({ dir: folder, cwd: '/a' });
          session.append(said('first'));
          for (const act of steps) act(session);
          session.close();
          const bytes = readFileSync(pathOf(session));
          const left = bytes.subarray(0, Math.floor(bytes.length * cut));
          const path = join(folder, 'cut.jsonl');
          writeFileSync(path, left);
          const whole = left.toString().split('\n').flatMap(entryIn);
          if (!left.includes(0x0a) && !isWholeHeader(left)) {
            expect(() => openSession(path)).toThrow(TauError);
            return;
          }
          const { session: opened } = openSession(path);
          for (const entry of whole) expect(opened.entry(entry.id)).toEqual(entry);
          expect(opened.entries().at(-1)).toEqual(whole.at(-1));
          const added = opened.append(said('on'));
          opened.close();
          expect(added.parentId).toBe(whole.at(-1)?.id ?? null);
          expect(readFileSync(path).subarray(0, left.length)).toEqual(left);
          const again = openSession(path).session;
          for (const entry of [...whole, added]) expect(again.entry(entry.id)).toEqual(entry);
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });

  test('garbage between the lines is reported by its number and hurts nothing', () => {
    const folder = freshFolder();
    const garbage = fc.oneof(
      fc.string({ maxLength: 30 }).map((text) => `?${text.replaceAll(/[\r\n]/g, ' ')}`),
      fc.constantFrom('{', '}', '[]', 'null', '{"type":"message"}', '\u0000\u0001', 'x'.repeat(5000)),
      fc.constantFrom('{"type":"message","id":"abc","parentId":null,"timestamp":"t","message":{"role":"user"}}'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(8), garbage), { minLength: 1, maxLength: 5 }), (damage) => {
        const session = createSession({ dir: folder, cwd: '/a' });
        for (let count = 0; count < 8; count++) session.append(said(`${count}`));
        session.close();
        const lines = readFileSync(pathOf(session), 'utf8').trimEnd().split('\n');
        for (const [place, text] of damage) lines.splice(place + 1, 0, text);
        const path = join(folder, 'damaged.jsonl');
        writeFileSync(path, `${lines.join('\n')}\n`);
        const opened = openSession(path);
        expect(opened.session.messages().map(textOf)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
        expect(opened.problems).toHaveLength(damage.length);
        const numbers = lines.flatMap((line, index) => (damage.some(([, text]) => text === line) ? [index + 1] : []));
        for (const [index, number] of numbers.entries()) {
          expect(opened.problems.toSorted(byLine)[index]).toContain(`line ${number} `);
        }
      }),
      { seed: 7, numRuns: 100 },
    );
  });
});

function byLine(a: string, b: string): number {
  const line = (text: string) => Number(/line (\d+) /.exec(text)?.[1]);
  return line(a) - line(b);
}

function entryIn(line: string): SessionEntry[] {
  try {
    const value: SessionEntry | { type: 'session' } = JSON.parse(line);
    return value.type === 'session' ? [] : [value];
  } catch {
    return [];
  }
}

function isWholeHeader(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

describe('reading', () => {
  test('the front of a line tells what the whole line tells, or nothing', () => {
    const bodies: fc.Arbitrary<EntryBody> = fc.oneof(
      fc.string().map((text) => said(text)),
      fc.string().map((text) => answered(text)),
      fc.string().map((customType) => ({ type: 'custom' as const, customType, data: 1 })),
      fc.constant({ type: 'label' as const, targetId: 'x' }),
      fc.constant({ type: 'model_change' as const, provider: 'p', modelId: 'm' }),
      fc.string().map((customType) => ({ type: 'custom_message' as const, customType, content: '', display: true })),
    );
    const read = createHeadReader();
    const name = fc.oneof(fc.string(), fc.constantFrom('0000abcd', 'x"y', 'a\\b'));
    let told = 0;
    fc.assert(
      fc.property(bodies, name, fc.option(name), fc.nat(200), (body, own, parentId, length) => {
        const entry = Object.assign(
          { type: body.type, id: own, parentId, timestamp: '2025-01-01T00:00:00.000Z' },
          body,
        );
        const line = Buffer.from(JSON.stringify(entry)).toString('latin1');
        for (const text of [line, line.slice(0, length)]) {
          const head = read(text);
          if (head === undefined) continue;
          told++;
          expect(head).toEqual(headOf(entry));
        }
      }),
      { seed: 7, numRuns: 1000 },
    );
    expect(told).toBeGreaterThan(500);
  });

  test('another order of keys and other line ends are read all the same', () => {
    const path = join(freshFolder(), 's.jsonl');
    const timestamp = '2025-01-01T00:00:00.000Z';
    const rows = [
      { cwd: '/a', id: 'x', timestamp, type: 'session', version: 3 },
      { message: { content: 'one', timestamp: 1, role: 'user' }, timestamp, parentId: null, id: '1', type: 'message' },
      { customType: 'x', type: 'custom', id: '2', parentId: '1', timestamp },
      { type: 'message', message: { role: 'user', content: 'two' }, id: '3', parentId: '2', timestamp },
    ];
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\r\n`).join(''));
    const { session, problems } = openSession(path);
    expect(problems).toEqual([]);
    expect(session.messages().map(textOf)).toEqual(['one', 'two']);
  });

  test('lines longer than one piece of reading are whole, wherever the pieces end', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    const sizes = [5, 1 << 20, (1 << 20) - 200, 3 << 20, 10];
    for (const [index, size] of sizes.entries()) session.append(said(`${index}${'é'.repeat(size / 2)}`));
    session.close();
    const { session: opened, problems } = openSession(pathOf(session));
    expect(problems).toEqual([]);
    expect(opened.messages().map((message) => textOf(message).length)).toEqual(
      sizes.map((size) => 1 + Math.floor(size / 2)),
    );
    expect(opened.entries()).toEqual(session.entries());
  });

  test('only what the active chain needs is read: damage elsewhere is found when it is looked at', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    session.append(said('first'));
    const broken = session.append(said('broken'));
    session.append(said('before'));
    const kept = session.append(said('kept'));
    session.append({ type: 'compaction', summary: 'SUM', firstKeptEntryId: kept.id, tokensBefore: 1 });
    session.close();
    const path = pathOf(session);
    // Its front and its last letter are as they should be.
    writeFileSync(path, readFileSync(path, 'utf8').replace('"content":"broken"', '"content":"bro"en"'));
    const { session: opened, problems } = openSession(path);
    expect(problems).toEqual([]);
    expect(opened.messages().map(textOf)).toEqual([expect.stringContaining('SUM'), 'kept']);
    expect(opened.entries().map(({ type }) => type)).toEqual(['message', 'message', 'message', 'compaction']);
    expect(opened.entry(broken.id)).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining('line 3 ')]);
  });

  test('a line of the chain that only looks whole is passed over, and the entry before it stands in', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    for (const text of ['one', 'broken', 'three', 'broken', 'five']) session.append(said(text));
    session.close();
    const path = pathOf(session);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"broken"', '"bro"en"'));
    const { session: opened, problems } = openSession(path);
    expect(opened.messages().map(textOf)).toEqual(['one', 'three', 'five']);
    expect(problems).toHaveLength(2);
  });

  test('of very many damaged lines the first are named and the rest are counted', () => {
    const session = createSession({ dir: freshFolder(), cwd: '/a' });
    session.append(said('one'));
    session.close();
    appendFileSync(pathOf(session), 'no entry\n'.repeat(100));
    const { session: opened, problems } = openSession(pathOf(session));
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toContain('80 more lines');
    expect(opened.messages().map(textOf)).toEqual(['one']);
  });
});
