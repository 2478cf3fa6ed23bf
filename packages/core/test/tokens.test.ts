import { expect, test } from 'vitest';
import { type AssistantMessage, emptyUsage, estimateTokens, messageTokens, userMessage } from '../src/index.ts';

const said = (totalTokens: number): AssistantMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'x'.repeat(4000) }],
  api: 'script',
  provider: 'p',
  model: 'm',
  usage: { ...emptyUsage(), totalTokens },
  stopReason: 'stop',
  timestamp: 0,
});
const ask = (...messages: Parameters<typeof estimateTokens>[0]['messages']) =>
  estimateTokens({ messages, system: 's'.repeat(400), tools: [] });

test('four characters are a token, and a message costs a little by itself', () => {
  expect(messageTokens(userMessage('x'.repeat(400), 0))).toBe(104);
  expect(ask(userMessage('x'.repeat(400), 0))).toBe(204);
});

test('characters that are words count as tokens', () => {
  expect(messageTokens(userMessage('漢'.repeat(100), 0))).toBe(104);
});

test('what the vendor counted is believed, and only what came after it is estimated', () => {
  expect(ask(userMessage('x'.repeat(40_000), 0), said(700), userMessage('x'.repeat(384), 0))).toBe(800);
});

test('an answer without a count is estimated like the rest', () => {
  expect(ask(said(0))).toBe(1104);
});

test('an image costs the same whatever its bytes', () => {
  const image = (data: string) => messageTokens({ content: [{ type: 'image', data, mimeType: 'image/png' }] });
  expect(image('a')).toBe(image('a'.repeat(100_000)));
  expect(image('a')).toBeGreaterThan(1000);
});
