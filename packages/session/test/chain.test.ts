import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BashExecutionMessage, EntryBody, SessionEntry } from '@tau/core';
import { textOf, toolCallsOf } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Session } from '../src/index.ts';
import { memorySession, openSession } from '../src/index.ts';
import { answered, freshFolder, intent, result, said, toolCall } from './entries.ts';

/** A session from `id parentId body` rows, as another program may have written them. */
function fileOf(...rows: [id: string, parentId: string | null, body: object][]): Session {
  const path = join(freshFolder(), 's.jsonl');
  const timestamp = '2025-01-01T00:00:00.000Z';
  const lines: object[] = [{ type: 'session', version: 3, id: 'x', timestamp, cwd: '/a' }];
  for (const [id, parentId, body] of rows) lines.push({ id, parentId, timestamp, ...body });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return openSession(path).session;
}

function filled(...bodies: EntryBody[]): Session {
  const session = memorySession({ cwd: '/a' });
  for (const body of bodies) session.append(body);
  return session;
}

const command: BashExecutionMessage = {
  role: 'bashExecution',
  command: 'make it',
  output: 'built',
  exitCode: 2,
  cancelled: false,
  truncated: false,
  timestamp: 1,
};

function texts(session: Session): string[] {
  return session.messages().map(textOf);
}

describe('the active chain', () => {
  test('leads to the last entry and leaves side branches out', () => {
    const session = fileOf(
      ['1', null, said('root')],
      ['2', '1', said('left')],
      ['3', '2', said('left leaf')],
      ['4', '1', said('right')],
      ['5', '4', said('right leaf')],
    );
    expect(texts(session)).toEqual(['root', 'right', 'right leaf']);
    expect(session.append(said('next')).parentId).toBe('5');
    expect(texts(session)).toEqual(['root', 'right', 'right leaf', 'next']);
  });

  test('moves with a custom entry below its target', () => {
    const session = fileOf(
      ['1', null, said('one')],
      ['2', '1', said('two')],
      ['3', '1', { type: 'custom', customType: 'tau.move' }],
    );
    expect(texts(session)).toEqual(['one']);
  });

  test('a second root starts afresh, and parents that cannot be are not followed for ever', () => {
    expect(texts(fileOf(['1', null, said('old')], ['2', null, said('new')]))).toEqual(['new']);
    expect(texts(fileOf(['1', '1', said('self')], ['2', '3', said('forward')], ['3', '2', said('back')]))).toEqual([
      'self',
      'forward',
      'back',
    ]);
  });
});

describe('the context', () => {
  test('a compaction is its summary, then what it kept, then what followed', () => {
    const session = fileOf(
      ['1', null, said('forgotten')],
      ['2', '1', { type: 'compaction', summary: 'OLD', firstKeptEntryId: '1', tokensBefore: 1 }],
      ['3', '2', said('kept')],
      ['4', '3', { type: 'custom', customType: 'tau.note' }],
      ['5', '4', { type: 'compaction', summary: 'NEW', firstKeptEntryId: '3', tokensBefore: 1 }],
      ['6', '5', said('after')],
    );
    expect(texts(session)).toEqual([expect.stringContaining('NEW'), 'kept', 'after']);
    expect(session.messages()[0]?.role).toBe('user');
  });

  test('a compaction whose kept entry is missing keeps its summary only', () => {
    const session = fileOf(
      ['1', null, said('forgotten')],
      ['2', '1', { type: 'compaction', summary: 'SUM', firstKeptEntryId: 'none', tokensBefore: 1 }],
    );
    expect(texts(session)).toEqual([expect.stringContaining('SUM')]);
  });

  test('branch summaries and custom messages are user messages, the rest is silent', () => {
    const session = filled(
      { type: 'branch_summary', fromId: 'x', summary: 'BRANCH' },
      { type: 'custom_message', customType: 'x', content: 'plain', display: true },
      { type: 'custom_message', customType: 'x', content: [{ type: 'text', text: 'blocks' }], display: false },
      { type: 'custom', customType: 'x', data: 'hidden' },
      { type: 'label', targetId: 'x', label: 'hidden' },
      { type: 'session_info', name: 'hidden' },
      { type: 'thinking_level_change', thinkingLevel: 'high' },
    );
    expect(texts(session)).toEqual([expect.stringContaining('BRANCH'), 'plain', 'blocks']);
    expect(session.messages().every((message) => message.role === 'user')).toBe(true);
  });

  test("a user's own command is told as text, unless it was kept from the model", () => {
    const told = (message: BashExecutionMessage) => texts(filled({ type: 'message', message }));
    expect(told(command)).toEqual(['I ran this command myself: make it\nIts output:\nbuilt\n(exit code 2)']);
    expect(told({ ...command, output: '', truncated: true, cancelled: true })).toEqual([
      'I ran this command myself: make it\n(the output was cut)\n(it was cancelled)',
    ]);
    expect(told({ ...command, excludeFromContext: true })).toEqual([]);
    expect(filled({ type: 'message', message: command }).messages()[0]?.role).toBe('user');
  });

  test('roles that other programs write are told as text where they have any', () => {
    const session = fileOf(
      ['1', null, { type: 'message', message: command }],
      ['2', '1', { type: 'message', message: { role: 'custom', content: 'from an extension', timestamp: 1 } }],
      ['3', '2', { type: 'message', message: { role: 'branchSummary', summary: 'left behind', timestamp: 1 } }],
      ['4', '3', { type: 'message', message: { role: 'hologram', timestamp: 1 } }],
    );
    expect(session.messages().map((message) => message.role)).toEqual(['user', 'user', 'user']);
    expect(texts(session).slice(1)).toEqual(['from an extension', 'left behind']);
  });
});

describe('calls and results in the context', () => {
  const missing = 'No result was recorded for this call.';
  /** One word per message: `a!` is a call of a, `a=text` its result. */
  function outline(session: Session): string[] {
    return session.messages().map((message) => {
      if (message.role === 'toolResult') return `${message.toolCallId}=${textOf(message)}`;
      const calls = message.role === 'assistant' ? toolCallsOf(message).map((call) => `${call.id}!`) : [];
      return calls.join('') || textOf(message);
    });
  }

  test('a call without a result gets one that says so', () => {
    const session = filled(answered('', toolCall('a'), toolCall('b')), result('b'), said('next'));
    expect(outline(session)).toEqual(['a!b!', `a=${missing}`, 'b=done', 'next']);
    expect(session.messages()[1]).toMatchObject({ role: 'toolResult', toolName: 'write', isError: true });
    expect(session.entries()).toHaveLength(3);
  });

  test('a result is told right after its call, wherever it was recorded', () => {
    const late = filled(answered('', toolCall('a')), said('hey'), result('a'));
    expect(outline(late)).toEqual(['a!', 'a=done', 'hey']);
    const later = filled(answered('', toolCall('a')), said('hey'), answered('yes?', toolCall('b')), result('a'));
    expect(outline(later)).toEqual(['a!', 'a=done', 'hey', 'b!', `b=${missing}`]);
    const mixed = filled(answered('', toolCall('a'), toolCall('b')), result('b'), result('a'));
    expect(outline(mixed)).toEqual(['a!b!', 'a=done', 'b=done']);
  });

  test('a result that belongs to no call, or comes twice, is left out', () => {
    const session = filled(result('x'), said('hi'), answered('', toolCall('a')), result('a'), result('a'), result('y'));
    expect(outline(session)).toEqual(['hi', 'a!', 'a=done']);
  });

  test('an id used again has the result that came after it', () => {
    const session = filled(answered('', toolCall('a')), said('on'), answered('', toolCall('a')), result('a'));
    expect(outline(session)).toEqual(['a!', `a=${missing}`, 'on', 'a!', 'a=done']);
    const twice = filled(answered('', toolCall('a'), toolCall('a')), result('a'));
    expect(outline(twice)).toEqual(['a!a!', 'a=done', `a=${missing}`]);
  });

  test('a compaction that forgets a call forgets its result', () => {
    const session = fileOf(
      ['1', null, answered('', toolCall('a'), toolCall('b'))],
      ['2', '1', result('a')],
      ['3', '2', said('kept')],
      ['4', '3', { type: 'compaction', summary: 'SUM', firstKeptEntryId: '2', tokensBefore: 1 }],
      ['5', '4', result('b')],
    );
    expect(outline(session)).toEqual([expect.stringContaining('SUM'), 'kept']);
  });

  test('a call without an id, a name or arguments is damage, and so is a command without its text', () => {
    const { id, name, arguments: given } = toolCall('a');
    const calls = [
      { id, name },
      { id, arguments: given },
      { name, arguments: given },
    ];
    const damaged = [
      ...calls.map((call) => ({
        role: 'assistant',
        content: [{ type: 'toolCall', ...call }],
        provider: 'p',
        model: 'm',
      })),
      { role: 'bashExecution', output: 'x' },
      { role: 'bashExecution', command: 'x' },
    ];
    for (const message of damaged) {
      expect(outline(fileOf(['1', null, said('hi')], ['2', '1', { type: 'message', message }]))).toEqual(['hi']);
    }
  });

  test('whatever a chain holds, each call has one result right after it, and each result a call', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.array(id, { maxLength: 3 }).map((ids) => () => answered('', ...ids.map(toolCall))) },
      { weight: 4, arbitrary: id.map((one) => () => result(one)) },
      { weight: 1, arbitrary: fc.constantFrom(said('hi'), intent('a')).map((body) => () => body) },
      { weight: 1, arbitrary: fc.constant(() => ({ type: 'message', message: command }) satisfies EntryBody) },
      {
        weight: 1,
        arbitrary: fc.nat(20).map((place) => (entries: readonly SessionEntry[]): EntryBody => {
          const firstKeptEntryId = entries[place]?.id ?? 'none';
          return { type: 'compaction', summary: 'SUM', firstKeptEntryId, tokensBefore: 1 };
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const session = filled();
        for (const make of steps) session.append(make(session.entries()));
        const expected: string[] = [];
        for (const message of session.messages()) {
          if (message.role === 'toolResult') {
            expect(message.toolCallId).toBe(expected.shift());
            continue;
          }
          expect(expected).toEqual([]);
          if (message.role === 'assistant') expected.push(...toolCallsOf(message).map((call) => call.id));
        }
        expect(expected).toEqual([]);
      }),
      { seed: 9, numRuns: 2000 },
    );
  });

  test('what was recorded is never replaced: as many results are told as can belong to a call', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdef'.split('')), { minLength: 1 });
    fc.assert(
      fc.property(ids, fc.infiniteStream(fc.boolean()), (calls, coin) => {
        const flip = () => coin.next().value;
        const waiting: string[] = [];
        const session = filled();
        for (const one of calls) {
          session.append(answered('', toolCall(one)));
          waiting.push(one);
          while (waiting.length > 0 && flip()) session.append(result(waiting.pop() ?? ''));
        }
        const told = session.messages().flatMap((message) => (message.role === 'toolResult' ? [message] : []));
        expect(
          told
            .filter(({ isError }) => isError)
            .map(({ toolCallId }) => toolCallId)
            .sort(),
        ).toEqual(waiting.sort());
      }),
      { seed: 9, numRuns: 300 },
    );
  });
});

describe('the last model', () => {
  test('is the one chosen or heard last on the chain', () => {
    expect(filled(said('hi')).lastModel()).toBeUndefined();
    const session = filled(answered('hello'), said('hi'));
    expect(session.lastModel()).toEqual({ provider: 'anthropic', modelId: 'm-1' });
    session.append({ type: 'model_change', provider: 'openai', modelId: 'm-2' });
    expect(session.lastModel()).toEqual({ provider: 'openai', modelId: 'm-2' });
  });
});

describe('unanswered calls', () => {
  test('are those without a result, begun when an intent says so', () => {
    const session = filled(
      answered('', toolCall('a'), toolCall('b'), toolCall('c')),
      intent('a'),
      intent('b'),
      result('a'),
    );
    expect(session.unanswered()).toEqual([
      { call: toolCall('b'), begun: true },
      { call: toolCall('c'), begun: false },
    ]);
    session.append(result('b'));
    session.append(result('c'));
    expect(session.unanswered()).toEqual([]);
  });

  test('an id used again is a new call', () => {
    const session = filled(answered('', toolCall('a')), intent('a'), result('a'), answered('', toolCall('a')));
    expect(session.unanswered()).toEqual([{ call: toolCall('a'), begun: false }]);
  });

  test('two open calls of one id each have their intent', () => {
    const session = filled(answered('', toolCall('a'), toolCall('a')), intent('a'), intent('a'));
    expect(session.unanswered().map(({ begun }) => begun)).toEqual([true, true]);
  });

  test('only the calls of the last answer count, and only what came after it', () => {
    const session = filled(
      answered('', toolCall('a'), toolCall('b')),
      intent('a'),
      said('on'),
      answered('', toolCall('b'), toolCall('c')),
      result('a'),
      intent('c'),
    );
    expect(session.unanswered()).toEqual([
      { call: toolCall('b'), begun: false },
      { call: toolCall('c'), begun: true },
    ]);
    session.append(answered('that is all'));
    expect(session.unanswered()).toEqual([]);
  });

  test('calls on another branch do not count', () => {
    const session = fileOf(['1', null, said('x')], ['2', '1', answered('', toolCall('a'))], ['3', '1', said('y')]);
    expect(session.unanswered()).toEqual([]);
  });
});
