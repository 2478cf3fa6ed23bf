import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntryBody } from '@tau/core';
import { textOf } from '@tau/core';
import { describe, expect, test } from 'vitest';
import type { Session } from '../src/index.ts';
import { memorySession, openSession } from '../src/index.ts';
import { answered, freshFolder, intent, result, said, toolCall } from './helpers.ts';

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
    const command = {
      role: 'bashExecution',
      command: 'make it',
      output: 'built',
      exitCode: 2,
      cancelled: false,
      truncated: false,
      timestamp: 1,
    };
    const session = fileOf(
      ['1', null, { type: 'message', message: command }],
      ['2', '1', { type: 'message', message: { ...command, excludeFromContext: true } }],
      ['3', '2', { type: 'message', message: { role: 'custom', content: 'from an extension', timestamp: 1 } }],
      ['4', '3', { type: 'message', message: { role: 'branchSummary', summary: 'left behind', timestamp: 1 } }],
      ['5', '4', { type: 'message', message: { role: 'hologram', timestamp: 1 } }],
    );
    expect(session.messages().map((message) => message.role)).toEqual(['user', 'user', 'user']);
    const [first = '', ...others] = texts(session);
    for (const part of ['make it', 'built', 'exit code 2']) expect(first).toContain(part);
    expect(others).toEqual(['from an extension', 'left behind']);
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

  test('calls on another branch do not count', () => {
    const session = fileOf(['1', null, said('x')], ['2', '1', answered('', toolCall('a'))], ['3', '1', said('y')]);
    expect(session.unanswered()).toEqual([]);
  });
});
