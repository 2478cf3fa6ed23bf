/** How much to think, said so that each Claude takes it, and what a demanded tool does to it. */
import { type Model, type ModelRequest, type ThinkingLevel, userMessage } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../src/anthropic-messages/protocol.ts';
import { call, result, said, text, thought } from './conversation.ts';

const tool = { name: 'read', description: 'Reads', parameters: {} };
const here = { api: 'anthropic-messages', provider: 'anthropic' };

function encode(id: string, request: Partial<ModelRequest> = {}, facts: Partial<Model> = {}) {
  const model = { ...here, id, baseUrl: 'https://api.anthropic.com', ...facts };
  const wire = anthropicMessages.encode(
    { model, system: '', messages: [userMessage('x', 1)], tools: [tool], ...request },
    'key',
  );
  const body: Record<string, unknown> = JSON.parse(wire.body);
  return { body, beta: wire.headers['anthropic-beta'] };
}

const adaptive = { type: 'adaptive', display: 'summarized' };
const bound = { ...adaptive, block_binding: { prefix_mismatch_behavior: 'drop_block' } };

/** What thinking is when nothing is said, when it is off, and when it is medium. */
test.each([
  ['claude-3-5-haiku-20241022', undefined, undefined, undefined],
  ['claude-3-7-sonnet-20250219', undefined, undefined, { type: 'enabled', budget_tokens: 10_240 }],
  ['claude-sonnet-4-20250514', undefined, undefined, { type: 'enabled', budget_tokens: 10_240 }],
  ['claude-opus-4-5-20251101', undefined, undefined, { type: 'enabled', budget_tokens: 10_240 }],
  ['claude-haiku-4-5', undefined, undefined, { type: 'enabled', budget_tokens: 10_240 }],
  ['claude-opus-4-6', undefined, undefined, adaptive],
  ['anthropic/claude-sonnet-4.6', undefined, undefined, adaptive],
  ['claude-opus-4-8', undefined, undefined, adaptive],
  ['claude-sonnet-5', adaptive, { type: 'disabled' }, adaptive],
  ['us.anthropic.claude-opus-5-20260724-v1:0', adaptive, { type: 'disabled' }, adaptive],
  ['claude-haiku-5-5', bound, { type: 'disabled' }, bound],
  ['claude-sonnet-5-5', bound, { type: 'between_tools' }, bound],
  ['claude-opus-5-5', bound, bound, bound],
  ['claude-fable-5', adaptive, adaptive, adaptive],
  ['claude-mythos-5-1', bound, bound, bound],
  ['claude-mythos-preview', bound, bound, bound],
  ['kimi-k2', undefined, undefined, { type: 'enabled', budget_tokens: 10_240 }],
])('%s is told in its own words', (id, unasked, off, medium) => {
  expect(encode(id).body.thinking).toEqual(unasked);
  expect(encode(id, { thinking: 'off' }).body.thinking).toEqual(off);
  expect(encode(id, { thinking: 'medium' }).body.thinking).toEqual(medium);
});

test.each([
  ['off', undefined],
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['max', 'max'],
] as const)('the level %s is the effort %s of a model that thinks as it sees fit', (thinking, effort) => {
  const expected = effort === undefined ? undefined : { effort };
  expect(encode('claude-opus-4-6', { thinking }).body.output_config).toEqual(expected);
});

test('a model that cannot stop thinking is asked for the least of it', () => {
  expect(encode('claude-opus-5-5', { thinking: 'off' }).body.output_config).toEqual({ effort: 'low' });
});

test('a budget is always less than the limit, the limit never above that of the model', () => {
  const levels = fc.constantFrom<ThinkingLevel>('minimal', 'low', 'medium', 'high', 'max');
  const limits = fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined });
  fc.assert(
    fc.property(levels, limits, limits, (thinking, asked, limit) => {
      const { body } = encode(
        'claude-sonnet-4-5',
        { thinking, ...(asked && { maxTokens: asked }) },
        limit ? { maxTokens: limit } : {},
      );
      const budget = JSON.stringify(body.thinking)?.match(/"budget_tokens":(\d+)/)?.[1];
      expect(body.max_tokens).toBeLessThanOrEqual(limit ?? asked ?? 16_384);
      expect(body.max_tokens).toBe(Math.min(asked ?? Number.POSITIVE_INFINITY, limit ?? asked ?? 16_384));
      if (budget === undefined) expect(body.max_tokens).toBeLessThan(1366);
      else expect(Number(budget)).toBeLessThan(Number(body.max_tokens));
      if (budget !== undefined) expect(Number(budget)).toBeGreaterThanOrEqual(1024);
    }),
    { numRuns: 300, seed: 7 },
  );
});

test.each([
  [{ reasoning: false }, undefined],
  [{ compat: { thinking: 'adaptive' } }, { type: 'adaptive' }],
  [{ compat: { forceAdaptiveThinking: true } }, { type: 'adaptive' }],
  [{ compat: { thinking: 'nonsense' } }, { type: 'enabled', budget_tokens: 4096 }],
])('an imitator with %j thinks as %j', (facts, expected) => {
  expect(encode('glm-x', { thinking: 'low' }, facts).body.thinking).toEqual(expected);
});

test('an imitator that is known to think is told to stop, another is not told anything', () => {
  expect(encode('glm-x', { thinking: 'off' }, { reasoning: true }).body.thinking).toEqual({ type: 'disabled' });
  expect(encode('glm-x', { thinking: 'off' }).body).not.toHaveProperty('thinking');
});

test('a map of efforts has the last word, and null says that there is none', () => {
  const compat = { reasoningEffortMap: { high: 'xhigh', low: null } };
  expect(encode('claude-opus-4-7', { thinking: 'high' }, { compat }).body.output_config).toEqual({ effort: 'xhigh' });
  expect(encode('claude-opus-4-7', { thinking: 'low' }, { compat }).body).not.toHaveProperty('output_config');
});

describe('a demanded tool', () => {
  test.each([
    ['claude-sonnet-4-5', undefined],
    ['claude-opus-4-6', undefined],
    ['claude-sonnet-5', { type: 'disabled' }],
    ['claude-haiku-5-5', { type: 'disabled' }],
  ])('turns the thinking of %s off, because both together are refused', (id, thinking) => {
    const { body } = encode(id, { thinking: 'high', toolChoice: { tool: 'read' } });
    expect(body.tool_choice).toEqual({ type: 'tool', name: 'read' });
    expect(body.thinking).toEqual(thinking);
    expect(body).not.toHaveProperty('output_config');
  });

  test.each(['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-fable-5-1'])(
    'is only offered to %s, which refuses the demand and thinks on',
    (id) => {
      const { body } = encode(id, { thinking: 'high', toolChoice: 'required' });
      expect(body.tool_choice).toEqual({ type: 'auto' });
      expect(body.thinking).toEqual(bound);
    },
  );

  test.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
  ] as const)('%s is %j, and only with tools', (toolChoice, expected) => {
    expect(encode('claude-opus-4-6', { toolChoice }).body.tool_choice).toEqual(expected);
    expect(encode('claude-opus-4-6', { toolChoice, tools: [] }).body).not.toHaveProperty('tool_choice');
  });
});

describe('a budget in the middle of a turn', () => {
  const answering = (...blocks: Parameters<typeof said>[1][]) => [
    userMessage('x', 1),
    said(here, ...blocks, call('a', 'read')),
    result('a', [text('1')]),
  ];

  test('is not given after a call without a thought, which the vendor refuses', () => {
    const { body } = encode('claude-sonnet-4-5', { thinking: 'low', messages: answering() });
    expect(body).not.toHaveProperty('thinking');
  });

  test.each([
    ['a thought', thought('hm', 'sig')],
    ['a sealed thought', { ...thought('', 'sig'), redacted: true }],
  ])('is given after %s', (_, block) => {
    const { body } = encode('claude-sonnet-4-5', { thinking: 'low', messages: answering(block) });
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: 4096 });
  });

  test('does not matter to a model that thinks as it sees fit', () => {
    const { body } = encode('claude-opus-4-6', { thinking: 'low', messages: answering() });
    expect(body.thinking).toEqual(adaptive);
  });
});

describe('betas', () => {
  test('thinking between calls is asked for where it does not come by itself', () => {
    const interleaved = 'interleaved-thinking-2025-05-14';
    expect(encode('claude-sonnet-4-5', { thinking: 'low' }).beta).toBe(interleaved);
    expect(encode('claude-sonnet-4-5', { thinking: 'low', tools: [] }).beta).toBeUndefined();
    expect(encode('claude-sonnet-4-5', { thinking: 'off' }).beta).toBeUndefined();
    expect(encode('claude-3-7-sonnet-latest', { thinking: 'low' }).beta).toBeUndefined();
    expect(encode('claude-opus-4-6', { thinking: 'low' }).beta).toBeUndefined();
  });

  test('dropping thoughts that no longer fit is asked for only where the server knows it', () => {
    expect(encode('claude-sonnet-5-5').beta).toBe('thinking-binding-controls-2026-08-01');
    const proxied = encode('claude-sonnet-5-5', {}, { baseUrl: 'https://gateway.invalid' });
    expect(proxied.beta).toBeUndefined();
    expect(proxied.body.thinking).toEqual(adaptive);
    const told = { baseUrl: 'https://gateway.invalid', compat: { bindingControls: true } };
    expect(encode('claude-sonnet-5-5', {}, told).body.thinking).toEqual(bound);
  });
});
