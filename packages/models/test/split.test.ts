/** However the network cuts a response into pieces, the stream says the same. */
import type { StreamEvent } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Api, apis, askAt, canned, modelAt, sse } from './wire.ts';

const text = 'naïve 世界 👩🏽‍💻 \u2028 "quoted"\\n';
const json = JSON.stringify({ path: 'ü/世.ts', text: '👋 a\r\nb' });
const halves = [json.slice(0, 9), json.slice(9)];

const gemini = (part: unknown, finishReason?: string) => ({
  candidates: [{ content: { parts: [part], role: 'model' }, finishReason }],
});

const item = (event: string, output_index: number, body: object) => ({
  type: `response.output_item.${event}`,
  output_index,
  item: body,
});

const payloads: Record<Api, unknown[]> = {
  'anthropic-messages': [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: text } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'write' } },
    ...halves.map((partial_json) => ({
      type: 'content_block_delta',
      index: 2,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
  'openai-completions': [
    { choices: [{ delta: { reasoning_content: text } }] },
    { choices: [{ delta: { content: text } }] },
    ...halves.map((args, at) => ({
      choices: [
        {
          delta: { tool_calls: [{ index: 0, id: at ? undefined : 't', function: { name: 'write', arguments: args } }] },
        },
      ],
    })),
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } },
    '[DONE]',
  ],
  'openai-responses': [
    { type: 'response.created', response: { id: 'r' } },
    item('added', 0, { id: 'rs', type: 'reasoning', summary: [] }),
    { type: 'response.reasoning_summary_text.delta', item_id: 'rs', output_index: 0, summary_index: 0, delta: text },
    item('done', 0, { id: 'rs', type: 'reasoning', encrypted_content: text, summary: [{ text }] }),
    item('added', 1, { id: 'msg', type: 'message', content: [] }),
    { type: 'response.output_text.delta', item_id: 'msg', output_index: 1, content_index: 0, delta: text },
    item('done', 1, { id: 'msg', type: 'message', content: [{ type: 'output_text', text }] }),
    item('added', 2, { id: 'fc', type: 'function_call', call_id: 't', name: 'write', arguments: '' }),
    ...halves.map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id: 'fc',
      output_index: 2,
      delta,
    })),
    item('done', 2, { id: 'fc', type: 'function_call', call_id: 't', name: 'write', arguments: json }),
    { type: 'response.completed', response: { status: 'completed', usage: { input_tokens: 3, output_tokens: 9 } } },
  ],
  'google-generative-ai': [
    gemini({ text, thought: true, thoughtSignature: 'sig' }),
    ...[text.slice(0, 9), text.slice(9)].map((piece) => gemini({ text: piece })),
    gemini({ functionCall: { id: 't', name: 'write', args: JSON.parse(json) }, thoughtSignature: 'sig' }),
    gemini({ text: '' }, 'STOP'),
  ],
};

/** What begins the event without which the message is not complete. */
const closing: Record<Api, string> = {
  'anthropic-messages': '{"type":"message_delta"',
  'openai-completions': '{"choices":[{"delta":{},"finish',
  'openai-responses': '{"type":"response.completed"',
  'google-generative-ai': '{"candidates"',
};

const lineEnds = { LF: '\n', CRLF: '\r\n' };

describe.each(apis)('%s', (api) => {
  const model = modelAt('http://canned.invalid', api);
  const play = async (pieces: readonly Uint8Array[]): Promise<StreamEvent[]> =>
    (await askAt(model, canned(pieces))).events;

  test.each(Object.entries(lineEnds))(
    'any split of a response with %s line ends gives the same events',
    async (_, end) => {
      const bytes = Buffer.from(`\ufeff: hello\n\n${sse(payloads[api])}`.replaceAll('\n', end));
      const expected = await play([Buffer.from(sse(payloads[api]))]);
      expect(expected.at(-1)).toMatchObject({
        type: 'end',
        message: {
          stopReason: 'toolUse',
          content: [{ thinking: text }, { text }, { type: 'toolCall', arguments: JSON.parse(json) }],
        },
      });
      const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(cuts, async (places) => {
          expect(await play(split(bytes, places))).toEqual(expected);
        }),
        { numRuns: 60, seed: 2 },
      );
      expect(await play(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
    },
  );

  test('a response that ends anywhere before its end is an error with a part of the message', async () => {
    const bytes = Buffer.from(sse(payloads[api]));
    const last = bytes.lastIndexOf(closing[api]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: last }), async (length) => {
        const { error, message } = await askAt(model, canned([bytes.subarray(0, length)]));
        expect(error?.class).toBe('network');
        for (const block of message.content) if (block.type === 'text') expect(text.startsWith(block.text)).toBe(true);
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});

function split(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}
