/** What a model may say, as scripts: the same list for every protocol, and a generator for what nobody thought of. */
import fc from 'fast-check';
import { anthropicMessages } from '../../packages/testkit/src/anthropic-messages.ts';
import { googleGenerativeAi } from '../../packages/testkit/src/google-generative-ai.ts';
import type { ScriptBlock, ScriptedReply, ScriptStep, WireApi } from '../../packages/testkit/src/index.ts';
import { openaiCompletions } from '../../packages/testkit/src/openai-completions.ts';
import { openaiResponses } from '../../packages/testkit/src/openai-responses.ts';
import type { Protocol } from '../../packages/testkit/src/protocol.ts';

/** The scripted server's side of each protocol. */
export const scriptedProtocols: Record<WireApi, Protocol> = {
  'anthropic-messages': anthropicMessages,
  'openai-completions': openaiCompletions,
  'openai-responses': openaiResponses,
  'google-generative-ai': googleGenerativeAi,
};

export interface Script {
  name: string;
  reply: ScriptedReply;
}

/** Several units a character, several characters a letter, and what JSON and lines have to escape. */
export const manyLetters =
  'naïve café e\u0301 日本語 👩‍👩‍👧‍👦🇩🇪 "quoted" \\n \u2028\u2029\u0085 tab\t line\r\nend \u0000\u001f';

export const scripts: readonly Script[] = [
  { name: 'plain text', reply: { blocks: [{ text: 'The answer is 42, as everybody knows by now.' }] } },
  { name: 'text of many letters', reply: { blocks: [{ text: manyLetters }], chunk: 3 } },
  { name: 'pieces of one character', reply: { blocks: [{ thinking: manyLetters }, { text: manyLetters }], chunk: 1 } },
  { name: 'one piece alone', reply: { blocks: [{ text: manyLetters.repeat(20) }], chunk: 1e6 } },
  { name: 'thinking, then text', reply: { blocks: [{ thinking: 'Let me see. It is so.' }, { text: 'It is so.' }] } },
  {
    name: 'redacted thinking, then text',
    reply: { blocks: [{ thinking: '', redacted: true }, { text: 'It is so.' }] },
  },
  {
    name: 'thinking between texts',
    reply: { blocks: [{ text: 'First. ' }, { thinking: 'Or is it?' }, { text: 'It is.' }] },
  },
  { name: 'one call', reply: { blocks: [{ call: 'read', input: { path: 'src/a.ts', limit: 10, all: false } }] } },
  { name: 'a call without arguments', reply: { blocks: [{ call: 'list', input: {} }] } },
  { name: 'a call with an id of its own', reply: { blocks: [{ call: 'list', input: {}, id: 'its_own-1' }] } },
  {
    name: 'parallel calls of one tool',
    reply: { blocks: ['a', 'b', 'c'].map((path) => ({ call: 'read', input: { path } })) },
  },
  {
    name: 'text, then calls',
    reply: {
      blocks: [
        { text: 'I look at both.' },
        { call: 'read', input: { path: 'a' } },
        { call: 'grep', input: { pattern: manyLetters, in: ['x', null, { deep: [1.5, -2e-7, 1e21, true] }] } },
      ],
      chunk: 5,
    },
  },
  {
    name: 'thinking, text and calls',
    reply: {
      blocks: [
        { thinking: 'Both at once.' },
        { text: 'Now.' },
        { call: 'a', input: { n: 1 } },
        { call: 'b', input: {} },
      ],
    },
  },
  { name: 'empty text', reply: { blocks: [{ text: '' }] } },
  { name: 'nothing at all', reply: { blocks: [] } },
  {
    name: 'long arguments',
    reply: { blocks: [{ call: 'write', input: { path: 'a', content: manyLetters.repeat(1000) } }], chunk: 400 },
  },
  { name: 'a stop by length', reply: { blocks: [{ text: 'It goes on and' }], stopReason: 'length' } },
  {
    name: 'usage with a cache',
    reply: { blocks: [{ text: 'Known.' }], usage: { input: 7, output: 1234, cacheRead: 90_000, cacheWrite: 512 } },
  },
  {
    name: 'usage of nothing',
    reply: { blocks: [{ text: 'Free.' }], usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
  },
];

const said = fc.string({ unit: 'grapheme', maxLength: 60 });
const block: fc.Arbitrary<ScriptBlock> = fc.oneof(
  said.map((text) => ({ text })),
  said.map((thinking) => ({ thinking })),
  fc.constant({ thinking: '', redacted: true }),
  fc.record({
    call: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,20}$/),
    input: fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 10 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
  }),
);

export const anyReply: fc.Arbitrary<ScriptedReply> = fc.record(
  {
    blocks: fc.array(block, { maxLength: 6 }),
    usage: fc.record({ input: fc.nat(), output: fc.nat(), cacheRead: fc.nat(), cacheWrite: fc.nat() }),
    chunk: fc.integer({ min: 1, max: 30 }),
    stopReason: fc.constantFrom('stop' as const, 'length' as const),
  },
  { requiredKeys: ['blocks'] },
);

/** The same scripts in every run, so that a failure today is one tomorrow. */
export const generated = { seed: 20_260, numRuns: 50 };

/** Where in a protocol's event the next piece of a block is. */
export interface PieceLens<Payload extends object> {
  /** Undefined, or empty, when the event adds no piece. */
  get(payload: Payload): string | undefined;
  /** The same event with other words. What marks the end of a block stays on the last of several only. */
  with(payload: Payload, piece: string, isLast: boolean): Payload;
}

/** Before every piece one of length zero. */
export function withEmptyPieces<Payload extends object>(
  protocol: Protocol,
  lens: PieceLens<Payload>,
  reply: ScriptedReply,
): ScriptStep {
  return reshaped<Payload>(protocol, reply, (payload) =>
    lens.get(payload) ? [lens.with(payload, '', false), payload] : [payload],
  );
}

/** Every piece is one UTF-16 unit, so that half of a pair comes alone. */
export function inHalves<Payload extends object>(
  protocol: Protocol,
  lens: PieceLens<Payload>,
  reply: ScriptedReply,
): ScriptStep {
  return reshaped<Payload>(protocol, reply, (payload) => {
    const units = lens.get(payload)?.split('') ?? [];
    return units.length === 0 ? [payload] : units.map((unit, at) => lens.with(payload, unit, at === units.length - 1));
  });
}

function reshaped<Payload extends object>(
  protocol: Protocol,
  reply: ScriptedReply,
  change: (payload: Payload) => Payload[],
): ScriptStep {
  return ({ path, body }) => {
    let number = 0;
    const events = protocol.stream(reply, { number: 0, path, body }).flatMap((event) => {
      const [, head = '', data = ''] = /^(.*?)data: (.*)\n\n$/s.exec(event) ?? [];
      if (data === '[DONE]') return [event];
      return change(JSON.parse(data)).map((payload) => {
        const numbered = 'sequence_number' in payload ? { ...payload, sequence_number: number++ } : payload;
        return `${head}data: ${JSON.stringify(numbered)}\n\n`;
      });
    });
    return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: events.join('') };
  };
}
