/** The Gemini stream, chunk by chunk. */
import { expect, test } from 'vitest';
import { type ScriptStep, startScriptedModel } from '../src/index.ts';
import { parseEvents, post } from './sse.ts';

const path = '/v1beta/models/gemini-x:streamGenerateContent';

async function ask(step: ScriptStep, query = '?alt=sse') {
  const model = await startScriptedModel([step]);
  try {
    return await post(model.url + path + query, { contents: [] });
  } finally {
    await model.close();
  }
}

async function payloads(step: ScriptStep): Promise<unknown[]> {
  const events = parseEvents((await ask(step)).text);
  for (const event of events) expect(event).not.toHaveProperty('event');
  return events.map(({ data }) => data);
}

async function parts(step: ScriptStep): Promise<unknown[]> {
  const chunks: { candidates: { content: { parts: unknown[] } }[] }[] = JSON.parse(
    JSON.stringify(await payloads(step)),
  );
  return chunks.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts));
}

test('a text reply is chunks with a growing usage, the model from the path, and the finish reason in the last', async () => {
  const usage = { input: 100, output: 7, cacheRead: 40, cacheWrite: 3 };
  const identity = { modelVersion: 'gemini-x', responseId: 'scripted-0' };
  expect(await payloads({ blocks: [{ text: 'Hello, world' }], usage })).toEqual([
    {
      candidates: [{ content: { parts: [{ text: 'Hello, w' }], role: 'model' }, index: 0 }],
      usageMetadata: {
        promptTokenCount: 143,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 4,
        totalTokenCount: 147,
      },
      ...identity,
    },
    {
      candidates: [{ content: { parts: [{ text: 'orld' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 143,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 7,
        totalTokenCount: 150,
      },
      ...identity,
    },
  ]);
});

test('thinking comes in pieces whose last is signed, redacted thinking is a signature alone, and both are counted', async () => {
  const step = { blocks: [{ thinking: 'abcd' }, { thinking: 'no', redacted: true }, { text: 'x' }], chunk: 3 };
  expect(await parts(step)).toEqual([
    { text: 'abc', thought: true },
    { text: 'd', thought: true, thoughtSignature: 'sig_scripted_0_0' },
    { text: '', thought: true, thoughtSignature: 'sig_scripted_0_1' },
    { text: 'x' },
  ]);
  expect((await payloads(step)).at(-1)).toMatchObject({
    usageMetadata: { candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 15 },
  });
});

test('calls come whole, and of those made together only the first is signed', async () => {
  const input = { path: 'src/ä€😀.ts', lines: [1, 2] };
  const blocks = [{ text: 'so' }, { call: 'read', input, id: 'mine' }, { call: 'ls', input: {} }];
  expect(await parts({ blocks, chunk: 1 })).toEqual([
    { text: 's' },
    { text: 'o' },
    { functionCall: { name: 'read', args: input, id: 'mine' }, thoughtSignature: 'sig_scripted_0_1' },
    { functionCall: { name: 'ls', args: {}, id: 'call_scripted_0_2' } },
  ]);
});

test('a reply cut by the output limit says so, and an empty one is still a chunk', async () => {
  const cut = await payloads({ blocks: [{ call: 'ls', input: {} }], stopReason: 'length' });
  expect(cut.at(-1)).toMatchObject({ candidates: [{ finishReason: 'MAX_TOKENS' }] });
  expect(await payloads({ blocks: [] })).toMatchObject([
    { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] },
  ]);
});

test.each([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
])('an error %i without a body gets the vendor shape with %s', async (code, status) => {
  const answer = await ask({ status: code });
  expect(answer.status).toBe(code);
  expect(JSON.parse(answer.text)).toEqual({ error: { code, message: `scripted error ${code}`, status } });
});

test('a request that does not ask for events is refused in the vendor shape', async () => {
  for (const query of ['', '?alt=json']) {
    const answer = await ask({ blocks: [{ text: 'x' }] }, query);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
  }
});
