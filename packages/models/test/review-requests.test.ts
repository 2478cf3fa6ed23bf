/** Requests that a vendor would have refused: what one model cannot take, or another one signed. */
import { type Message, type Model, type ThinkingLevel, userMessage } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { call, png, result, said, text, thought } from './conversation.ts';
import { type Api, apis, ask, bodyOf, modelAt, type Question } from './wire.ts';

async function bodyFor(api: Api, question: Question, model: Partial<Model> = {}): Promise<Record<string, unknown>> {
  return JSON.parse(await bodyOf(modelAt('http://x.invalid', api, model), question));
}

describe.each(apis)('%s', (api) => {
  const self = { api, provider: 'scripted' };
  const shown: Message[] = [
    { role: 'user', content: [text('look'), png], timestamp: 1 },
    said(self, call('c1', 'read')),
    result('c1', [text('seen'), png]),
  ];

  test('a model that does not see is told of images in words', async () => {
    const raw = JSON.stringify(await bodyFor(api, { messages: shown }, { images: false }));
    expect(raw).not.toContain(png.data);
    expect(raw.match(/an image, image\/png, which this model cannot see/g)).toHaveLength(2);
    expect(JSON.stringify(await bodyFor(api, { messages: shown }))).toContain(png.data);
  });

  test('a model without tools is offered none and told of calls in words', async () => {
    const tools = [{ name: 'read', description: 'Reads', parameters: { type: 'object' as const } }];
    const body = await bodyFor(api, { messages: shown, tools }, { tools: false });
    expect(body).not.toHaveProperty('tools');
    expect(JSON.stringify(body)).toContain('I called the tool read');
    expect(JSON.stringify(body)).not.toMatch(/function_?call|tool_use|tool_result|tool_calls/i);
  });

  test('a key goes into the header that the user named', async () => {
    const named = await ask(api, { blocks: [] }, { key: 'k-1', model: { compat: { authHeader: 'x-lab-key' } } });
    expect(named.request.headers).toMatchObject({ 'x-lab-key': 'k-1' });
    expect(named.request.headers).not.toHaveProperty('authorization');
    const bearer = await ask(api, { blocks: [] }, { key: 'k-1', model: { compat: { authHeader: 'bearer' } } });
    expect(bearer.request.headers).toMatchObject({ authorization: 'Bearer k-1' });
  });
});

describe('what another model of the same provider sealed', () => {
  const sealed = JSON.stringify({ id: 'rs_1', type: 'reasoning', encrypted_content: 'gAAAA=', summary: [] });
  const ofAnother = (api: Api) => ({ api, provider: 'scripted', model: 'another' });

  test('stays out of a Responses request, and what it led to goes without its id', async () => {
    const answer = said(ofAnother('openai-responses'), thought('', sealed), call('call_1|fc_1', 'read'));
    const { input } = await bodyFor('openai-responses', { messages: [answer, result('call_1|fc_1', [text('one')])] });
    expect(input).toEqual([
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'one' },
    ]);
  });

  test('stays out of a Gemini request, and a call has the signature that stands for a foreign one', async () => {
    const api = 'google-generative-ai';
    const answer = said(
      ofAnother(api),
      thought('hm', 'sealed-thought'),
      { ...text('So'), textSignature: 'sealed-text' },
      { ...call('c1', 'read'), thoughtSignature: 'sealed-call' },
    );
    const messages = [userMessage('look', 1), answer, result('c1', [text('one')])];
    const raw = JSON.stringify(await bodyFor(api, { messages }, { id: 'gemini-3-pro-preview' }));
    expect(raw).not.toContain('sealed');
    expect(raw).toContain('skip_thought_signature_validator');
  });
});

describe('a level that a model does not take is the nearest that it takes', () => {
  type Row = [Api, string, ThinkingLevel, ThinkingLevel[] | undefined, Record<string, unknown>];
  const effort = (level: string) => ({ reasoning: { effort: level } });
  test.each<Row>([
    ['openai-responses', 'gpt-5.4', 'minimal', ['off', 'low', 'medium', 'high', 'max'], effort('low')],
    ['openai-responses', 'gpt-5-pro', 'low', ['high'], effort('high')],
    ['openai-responses', 'gpt-5.4', 'max', ['low', 'high'], effort('high')],
    // Lists that name what the model's family does not know.
    ['openai-responses', 'gpt-5.4', 'minimal', ['minimal', 'low', 'high'], effort('low')],
    ['openai-responses', 'gpt-5.4', 'off', ['minimal', 'low', 'high'], effort('low')],
    // Models too new for a list.
    ['openai-responses', 'gpt-5.9-new', 'off', undefined, effort('none')],
    ['openai-responses', 'gpt-5.9-new', 'minimal', undefined, effort('low')],
    ['openai-responses', 'gpt-5', 'minimal', undefined, effort('minimal')],
    ['openai-responses', 'gpt-5', 'off', undefined, effort('minimal')],
    [
      'anthropic-messages',
      'claude-opus-4-6',
      'max',
      ['off', 'low', 'medium', 'high'],
      { output_config: { effort: 'high' } },
    ],
    ['openai-completions', 'lab-1', 'low', ['high'], { reasoning_effort: 'high' }],
    ['openai-completions', 'lab-1', 'off', ['low', 'high'], { reasoning_effort: 'low' }],
  ])('%s %s: %s of %j', async (api, id, thinking, thinkingLevels, expected) => {
    const model = { id, reasoning: true, ...(thinkingLevels && { thinkingLevels }) };
    expect(await bodyFor(api, { thinking }, model)).toMatchObject(expected);
  });
});

test('an unlisted model of a family that does not reason is not asked to seal its reasoning', async () => {
  expect(await bodyFor('openai-responses', {}, { id: 'ft:gpt-4.1:acme' })).not.toHaveProperty('include');
  expect(await bodyFor('openai-responses', {}, { id: 'ft:gpt-5.4:acme' })).toHaveProperty('include');
  expect(await bodyFor('openai-responses', {}, { id: 'gpt-4.1', reasoning: true })).toHaveProperty('include');
});

test('a limit of the request does not lift that of the model', async () => {
  const body = await bodyFor('openai-responses', { maxTokens: 99 }, { maxTokens: 9 });
  expect(body).toMatchObject({ max_output_tokens: 9 });
});

test('reasoning does not go back to a model of the provider that does not reason', async () => {
  const api = 'openai-completions';
  const messages = [said({ api, provider: 'scripted' }, thought('hm', 'reasoning'), text('So'))];
  const raw = async (reasoning: boolean) => JSON.stringify(await bodyFor(api, { messages }, { reasoning }));
  expect(await raw(true)).toContain('hm');
  expect(await raw(false)).not.toContain('hm');
});
