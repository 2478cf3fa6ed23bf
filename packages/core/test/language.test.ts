/** The few functions of the core. */
import { expect, test } from 'vitest';
import {
  type AssistantMessage,
  describeError,
  type Effect,
  emptyUsage,
  errorResult,
  isReadOnly,
  TauError,
  textOf,
  textResult,
  toolCallsOf,
  userMessage,
} from '../src/index.ts';

const call = { type: 'toolCall' as const, id: 'a', name: 'read', arguments: {} };
const message: AssistantMessage = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'hidden' },
    { type: 'text', text: 'one ' },
    call,
    { type: 'text', text: 'two' },
    { ...call, id: 'b' },
  ],
  api: 'anthropic-messages',
  provider: 'p',
  model: 'm',
  usage: emptyUsage(),
  stopReason: 'toolUse',
  timestamp: 1,
};

test('the visible text of a message leaves out thinking, calls and images', () => {
  expect(textOf(message)).toBe('one two');
  expect(textOf(userMessage('hi', 1))).toBe('hi');
  const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' };
  expect(textOf({ role: 'user', content: [image, { type: 'text', text: 'see' }], timestamp: 1 })).toBe('see');
});

test('the calls of a message come in its order', () => {
  expect(toolCallsOf(message).map(({ id }) => id)).toEqual(['a', 'b']);
});

test('usage is never shared between messages', () => {
  const one = emptyUsage();
  one.input = 5;
  one.cost.total = 1;
  expect(emptyUsage()).toMatchObject({ input: 0, cost: { total: 0 } });
});

test.each<[Effect, boolean]>([
  [{ kind: 'read', path: 'a' }, true],
  [{ kind: 'exec', command: 'ls', readOnly: true }, true],
  [{ kind: 'exec', command: 'rm', readOnly: false }, false],
  [{ kind: 'write', path: 'a' }, false],
  [{ kind: 'net', host: 'a' }, false],
  [{ kind: 'spawn', agent: 'a' }, false],
  [{ kind: 'mcp', server: 'a', tool: 'b' }, false],
  [{ kind: 'config', key: 'a' }, false],
  [{ kind: 'other', what: 'a' }, false],
])('%j only looks: %s', (effect, expected) => {
  expect(isReadOnly(effect)).toBe(expected);
});

test('whatever was thrown is one line for a person', () => {
  expect(describeError(new TauError('file', 'It is gone', { remedy: 'Look elsewhere' }))).toBe(
    'It is gone. Look elsewhere',
  );
  expect(describeError(new TauError('file', 'It is gone'))).toBe('It is gone');
  expect(describeError(new RangeError('too far'))).toBe('too far');
  expect(describeError('a text')).toBe('a text');
  expect(describeError(undefined)).toBe('undefined');
});

test('a tau error keeps its code and its cause, and is an error', () => {
  const cause = new Error('deeper');
  const error = new TauError('file', 'It is gone', { cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'TauError', code: 'file', cause });
  expect(new TauError('file', 'x')).not.toHaveProperty('cause');
});

test('results hold details only when there are some, and an error says so', () => {
  expect(textResult('x')).toEqual({ content: [{ type: 'text', text: 'x' }] });
  expect(Object.keys(textResult('x'))).toEqual(['content']);
  expect(textResult('x', { lines: 0 })).toEqual({ content: [{ type: 'text', text: 'x' }], details: { lines: 0 } });
  expect(errorResult('x')).toEqual({ content: [{ type: 'text', text: 'x' }], isError: true });
});
