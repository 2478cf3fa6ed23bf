/** Request bytes are money: what was sent once is sent again byte for byte, with the new entries after it. */
import { type Message, type Model, userMessage } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { call, png, result, said, text, thought } from './conversation.ts';
import { type Api, apis, askAt, bodyOf, modelAt, startModel } from './wire.ts';

/** Every protocol keeps the messages last, so a request ends with these two characters. */
const closing = ']}';

const providers = fc.constantFrom(
  { api: 'anthropic-messages', provider: 'scripted' },
  { api: 'openai-completions', provider: 'scripted' },
  { api: 'openai-responses', provider: 'scripted' },
  { api: 'google-generative-ai', provider: 'scripted' },
  { api: 'openai-completions', provider: 'elsewhere' },
);
const words = fc.constantFrom('', ' ', 'yes', 'zwei\n"drei"', '世界 👋', '\ud800');

/** What one turn adds to the conversation: what the model says, the results, perhaps a word of the user. */
const turn = fc
  .record({
    from: providers,
    signature: fc.constantFrom(undefined, 'reasoning'),
    thinking: words,
    spoken: words,
    results: fc.array(fc.record({ said: words, image: fc.boolean(), failed: fc.boolean() }), { maxLength: 3 }),
    steering: fc.option(words, { nil: undefined }),
  })
  .map(({ from, signature, thinking, spoken, results, steering }) => (number: number): Message[] => {
    const id = (at: number) => `call|${number}/${at}`;
    const calls = results.map((_, at) => call(id(at), 'read', { at }));
    return [
      said(from, thought(thinking, signature), text(spoken), ...calls),
      ...results.map((one, at) => result(id(at), one.image ? [text(one.said), png] : [text(one.said)], one.failed)),
      ...(steering === undefined ? [] : [userMessage(steering, 4)]),
    ];
  });

/** How thinking goes back: under the name or the signature it came with. */
const thinkingOf: Record<Api, string> = {
  'anthropic-messages': '"signature":"sig_scripted_0_0"',
  'openai-completions': '"reasoning_content":"hm"',
  'openai-responses': '"encrypted_content":"gAAAA_scripted_0_0"',
  'google-generative-ai': '"text":"hm","thought":true,"thoughtSignature":"sig_scripted_0_0"',
};

/** Servers with ways of their own, and models that lack something: the same must hold. */
const ways: Partial<Model>[] = [
  { images: false },
  { tools: false },
  { id: 'claude-sonnet-4-5', compat: { thinking: 'budget' } },
  { provider: 'mistral' },
  { compat: { requiresAssistantAfterToolResult: true, requiresToolResultName: true, emptyContent: 'omit' } },
  { reasoning: true, compat: { requiresReasoningContentOnAssistantMessages: true } },
];

describe.each(apis)('%s', (api) => {
  test.each([{}, ...ways])(
    'every request of a conversation begins with the whole of the one before: %j',
    async (facts) => {
      const model = modelAt('http://x.invalid', api, facts);
      const tools = [{ name: 'read', description: 'Reads', parameters: {} }];
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), async (turns) => {
          const messages: Message[] = [userMessage('begin', 1)];
          let before = await bodyOf(model, { messages, tools, system: 's' });
          for (const [number, add] of turns.entries()) {
            messages.push(...add(number));
            const now = await bodyOf(model, { messages, tools, system: 's' });
            expect(before.endsWith(closing)).toBe(true);
            expect(now.startsWith(before.slice(0, -closing.length))).toBe(true);
            before = now;
          }
        }),
        { numRuns: Object.keys(facts).length === 0 ? 100 : 20, seed: 4 },
      );
    },
  );

  test('what a model said over the wire goes back in the same form from then on', async () => {
    const blocks = [
      { thinking: 'hm' },
      { text: 'so' },
      { call: 'read', input: { path: 'a' } },
      { call: 'ls', input: {} },
    ];
    const server = await startModel({ blocks }, { blocks }, { blocks: [{ text: 'done' }] });
    const model = modelAt(server.url, api);
    const messages: Message[] = [userMessage('begin', 1)];
    for (let number = 0; number < 3; number += 1) {
      const { message } = await askAt(model, httpTransport(), { messages });
      messages.push(message);
      for (const block of message.content) if (block.type === 'toolCall') messages.push(result(block.id, [text('ok')]));
    }
    const [first, second, third] = server.requests.map(({ raw }) => raw.slice(0, -closing.length));
    expect(second?.startsWith(`${first},`)).toBe(true);
    expect(third?.startsWith(`${second},`)).toBe(true);
    expect(third).toContain(thinkingOf[api]);
  });
});
