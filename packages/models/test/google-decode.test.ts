/** What only Gemini's stream can say. */
import { malformedArguments, toolCallsOf } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { ask, askAt, canned, modelAt, saying, sse } from './wire.ts';

const api = 'google-generative-ai';
const chunk = (parts: unknown[], more: Record<string, unknown> = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, ...more }],
});
const stop = { finishReason: 'STOP' };

async function contentOf(...parts: unknown[]) {
  const chunks = [...parts.map((part) => chunk([part])), chunk([], stop)];
  return (await ask(api, saying(...chunks))).message.content;
}

describe('the finish reason', () => {
  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['FINISH_REASON_UNSPECIFIED', 'stop'],
    ['A_REASON_OF_NEXT_YEAR', 'stop'],
  ])('%s is %s', async (finishReason, expected) => {
    const { message } = await ask(api, saying(chunk([{ text: 'x' }], { finishReason })));
    expect(message.stopReason).toBe(expected);
  });

  test.each(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY', 'LANGUAGE'])(
    '%s is a refusal that names it and keeps what had arrived',
    async (finishReason) => {
      const { error, message } = await ask(api, saying(chunk([{ text: 'I' }]), { candidates: [{ finishReason }] }));
      expect(error).toEqual({
        class: 'refused',
        message: expect.stringMatching(new RegExp(`^scripted refused to answer: ${finishReason}\\. Say it`)),
      });
      expect(message.content).toEqual([{ type: 'text', text: 'I' }]);
    },
  );

  test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'OTHER'])(
    '%s is a failure of the model, with its own words in one bounded line',
    async (finishReason) => {
      const finishMessage = `Malformed\ncall: ${'x'.repeat(1000)}`;
      const { error } = await ask(api, saying(chunk([], { finishReason, finishMessage })));
      expect(error?.class).toBe('unknown');
      expect(error?.message).toMatch(
        new RegExp(`^scripted could not finish its answer: ${finishReason} \\(Malformed call: x+\\)\\. Try again$`),
      );
      expect(error?.message.length).toBeLessThan(450);
    },
  );

  test('that comes with every chunk does not end the message before its stream', async () => {
    const { message } = await ask(api, saying(chunk([{ text: 'a' }], stop), chunk([{ text: 'b' }], stop)));
    expect(message.content).toEqual([{ type: 'text', text: 'ab' }]);
  });
});

test('a prompt that was blocked is a refusal that names the reason', async () => {
  const { error } = await ask(api, saying({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }));
  expect(error).toEqual({
    class: 'refused',
    message: expect.stringMatching(/^scripted refused the request: PROHIBITED_CONTENT\. Say it/),
  });
});

describe('parts', () => {
  test('of one kind are one block, across chunks, until another kind comes', async () => {
    expect(
      await contentOf(
        { text: 'let ', thought: true },
        { text: 'me see', thought: true },
        { text: 'it ' },
        { text: 'is' },
        { text: 'or', thought: true },
        { text: ' not' },
      ),
    ).toEqual([
      { type: 'thinking', thinking: 'let me see' },
      { type: 'text', text: 'it is' },
      { type: 'thinking', thinking: 'or' },
      { type: 'text', text: ' not' },
    ]);
  });

  test('with a signature end their block, so that it stays with what it signs', async () => {
    expect(
      await contentOf(
        { text: 'one', thought: true, thoughtSignature: 's1' },
        { text: 'two', thought: true },
        { text: '', thought: true, thoughtSignature: 's2' },
        { text: 'three', thoughtSignature: 's3' },
        { text: 'four' },
      ),
    ).toEqual([
      { type: 'thinking', thinking: 'one', thinkingSignature: 's1' },
      { type: 'thinking', thinking: 'two', thinkingSignature: 's2' },
      { type: 'text', text: 'three', textSignature: 's3' },
      { type: 'text', text: 'four' },
    ]);
  });

  test('that are empty but signed, as the last one often is, sign the text before them', async () => {
    const signed = [{ type: 'text', text: 'done', textSignature: 's' }];
    expect(await contentOf({ text: 'done' }, { text: '', thoughtSignature: 's' })).toEqual(signed);
    expect(await contentOf({ text: 'done' }, { thoughtSignature: 's' })).toEqual(signed);
  });

  test('that are empty but signed stand alone after a call, and as redacted thinking', async () => {
    const functionCall = { id: 'c', name: 'read', args: {} };
    expect(
      await contentOf(
        { text: '', thought: true, thoughtSignature: 's1' },
        { functionCall, thoughtSignature: 's2' },
        { text: '', thoughtSignature: 's3' },
      ),
    ).toEqual([
      { type: 'thinking', thinking: '', thinkingSignature: 's1', redacted: true },
      { type: 'toolCall', id: 'c', name: 'read', arguments: {}, thoughtSignature: 's2' },
      { type: 'text', text: '', textSignature: 's3' },
    ]);
  });

  test('that are empty, or of a kind tau does not know, are passed over', async () => {
    expect(
      await contentOf(
        { text: '' },
        { executableCode: { code: '1' }, thoughtSignature: 's' },
        { text: 'a' },
        {},
        { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
        { text: 'b' },
      ),
    ).toEqual([{ type: 'text', text: 'ab' }]);
  });
});

describe('calls', () => {
  test('are told as soon as their chunk is there, each with its id, and the message stops for them', async () => {
    const one = { functionCall: { id: 'x', name: 'read', args: { path: 'ä' } }, thoughtSignature: 's' };
    const two = { functionCall: { id: 'y', name: 'ls' } };
    const { message, events } = await ask(api, saying(chunk([{ text: 'so' }, one, two]), chunk([{ text: '' }], stop)));
    expect(message).toMatchObject({ stopReason: 'toolUse' });
    expect(message.content).toEqual([
      { type: 'text', text: 'so' },
      { type: 'toolCall', id: 'x', name: 'read', arguments: { path: 'ä' }, thoughtSignature: 's' },
      { type: 'toolCall', id: 'y', name: 'ls', arguments: {} },
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      'start',
      'text',
      'toolCallStart',
      'toolCallDelta',
      'toolCallEnd',
      'toolCallStart',
      'toolCallEnd',
      'usage',
      'end',
    ]);
  });

  test('without an id, or with one that was used before, get one of their own', async () => {
    const ids = [undefined, '', 'same', 'same'];
    const parts = ids.map((id) => ({ functionCall: { name: 'read', args: {}, ...(id !== undefined && { id }) } }));
    const { message } = await ask(api, saying(chunk(parts, stop)));
    const given = toolCallsOf(message).map(({ id }) => id);
    expect(given).toHaveLength(4);
    expect(new Set(given).size).toBe(4);
    expect(given[2]).toBe('same');
    for (const id of [given[0], given[1], given[3]]) expect(id).toMatch(/^tau-call-[0-9a-f-]{36}$/);
  });

  test('come back under the name the tool has here', async () => {
    const tools = ['mcp/fs.read', '7zip'].map((name) => ({ name, description: '', parameters: {} }));
    const { message } = await ask(
      api,
      ({ raw }) => {
        const body: { tools: { functionDeclarations: { name: string }[] }[] } = JSON.parse(raw);
        const names = body.tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name));
        return { blocks: [...names, 'invented'].map((name) => ({ call: name, input: {} })) };
      },
      { tools },
    );
    expect(toolCallsOf(message).map(({ name }) => name)).toEqual(['mcp/fs.read', '7zip', 'invented']);
  });

  test.each([['[1,2]'], ['"text"'], ['null']])('with arguments that are no object keep them: %s', async (json) => {
    const content = await contentOf({ functionCall: { id: 'c', name: 'read', args: JSON.parse(json) } });
    expect(content).toEqual([{ type: 'toolCall', id: 'c', name: 'read', arguments: { [malformedArguments]: json } }]);
  });
});

describe('usage', () => {
  const counted = async (...usages: Record<string, number>[]) => {
    const chunks = usages.map((usageMetadata) => ({ ...chunk([{ text: 'x' }], stop), usageMetadata }));
    return (await ask(api, saying(...chunks))).message.usage;
  };

  test('takes the cache out of the prompt and adds the thoughts to the answer; the last word wins', async () => {
    expect(
      await counted(
        { promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 1, totalTokenCount: 101 },
        {
          promptTokenCount: 100,
          cachedContentTokenCount: 60,
          candidatesTokenCount: 7,
          thoughtsTokenCount: 20,
          totalTokenCount: 127,
        },
      ),
    ).toMatchObject({ input: 40, output: 27, cacheRead: 60, cacheWrite: 0, totalTokens: 127 });
  });

  test('that leaves out what it does not know leaves what was known', async () => {
    expect(await counted({ promptTokenCount: 10, thoughtsTokenCount: 5 }, { promptTokenCount: 10 }, {})).toMatchObject({
      input: 10,
      output: 5,
      totalTokens: 15,
    });
  });

  test('is kept of a request that was blocked', async () => {
    const { message } = await ask(
      api,
      saying({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 8 } }),
    );
    expect(message.usage.input).toBe(8);
  });
});

test('the response is known by its id, and by its model when that is another than asked for', async () => {
  const { message } = await ask(
    api,
    saying({ ...chunk([{ text: 'x' }], stop), responseId: 'r-1', modelVersion: 'model-1-002' }),
  );
  expect(message).toMatchObject({ responseId: 'r-1', responseModel: 'model-1-002' });
});

test.each([
  [{ code: 503, status: 'UNAVAILABLE' }, 'overloaded'],
  [{ code: 429, status: 'RESOURCE_EXHAUSTED' }, 'rateLimited'],
  [{ code: 403, status: 'PERMISSION_DENIED' }, 'auth'],
  [{ code: 400, status: 'INVALID_ARGUMENT' }, 'badRequest'],
  [{ code: 504, status: 'DEADLINE_EXCEEDED' }, 'timeout'],
])(
  'a stream that breaks off with %j is %s, alone or in an array, and keeps what had arrived',
  async (words, expected) => {
    const failure = { error: { message: 'Sorry', ...words } };
    for (const form of [failure, [failure]]) {
      const { error, message } = await ask(
        api,
        saying(chunk([{ text: 'so far' }]), form, chunk([{ text: 'late' }], stop)),
      );
      expect(error).toMatchObject({ class: expected, message: expect.stringMatching(/^scripted broke off: Sorry/) });
      expect(message.content).toEqual([{ type: 'text', text: 'so far' }]);
    }
  },
);

test.each(['[]', '[null]', '7', '"x"'])('what is no chunk makes no message: %s', async (data) => {
  const { error, message } = await ask(api, saying(data));
  expect(error?.message).toMatch(/^scripted /);
  expect(message).toMatchObject({ stopReason: 'error', content: [] });
});

test('a stream that ends without a finish reason was cut, however much it said', async () => {
  const { error } = await ask(api, saying(chunk([{ text: 'x' }])));
  expect(error?.class).toBe('network');
});

test('a stream is the same in whatever pieces it comes', async () => {
  const bytes = Buffer.from(
    sse([chunk([{ text: 'wh' }]), chunk([{ text: 'ole' }]), chunk([{ text: '', thoughtSignature: 's' }], stop)]),
  );
  const model = modelAt('http://canned.invalid', api);
  const one = await askAt(model, canned([bytes]));
  const many = await askAt(model, canned(Array.from(bytes, (byte) => Uint8Array.of(byte))));
  expect(many.message.content).toEqual([{ type: 'text', text: 'whole', textSignature: 's' }]);
  expect(one).toEqual(many);
});
