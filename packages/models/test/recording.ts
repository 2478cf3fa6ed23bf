/** A recording kept in memory, so that a test can record a conversation and replay it in one breath. */
import type { Message, Model, ToolSpec } from '@tau/core';
import { userMessage } from '@tau/core';
import { scrub } from '../src/credentials/scrub.ts';
import { type Exchange, headLine, parseRecording } from '../src/recording/format.ts';
import type { RecordingSink, RecordOptions } from '../src/recording/record.ts';
import { record } from '../src/recording/record.ts';
import { replay } from '../src/recording/replay.ts';
import { httpTransport, type Transport } from '../src/transport.ts';
import { result, text } from './conversation.ts';
import { type Answer, type Api, askAt, modelAt, type Question } from './wire.ts';

export const tool: ToolSpec = { name: 'read', description: 'reads', parameters: { type: 'object' } };

export function startTape(options: Partial<RecordOptions> = {}) {
  const lines: string[] = [];
  const stops: string[] = [];
  let count = 0;
  const sink: RecordingSink = {
    next() {
      count += 1;
      return count;
    },
    write: (line) => void lines.push(line),
    stop: (why) => void stops.push(why),
  };
  const content = () => headLine + lines.join('');
  return {
    sink,
    stops,
    content,
    exchanges: (): Exchange[] => parseRecording('tape', content()).exchanges,
    replay: (strict?: (text: string) => string) => replay('tape', content(), strict ? { strict } : {}),
    to: ({ api, provider, id }: Model, transport: Transport = httpTransport()) =>
      record(transport, sink, { api, provider, model: id, scrub, ...options }),
  };
}

/** Where the same model is replayed: nobody is there. */
export function replayedModel(api: Api): Model {
  return modelAt('http://replay.invalid', api);
}

/** Two turns with a call between them. */
export async function converse(model: Model, transport: Transport, question: Question = {}): Promise<Answer[]> {
  const messages: Message[] = [userMessage('look', 1)];
  const ask = () =>
    askAt(model, transport, { system: 'Be brief.', tools: [tool], ...question, messages: [...messages] });
  const first = await ask();
  const [id = ''] = first.message.content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : []));
  messages.push(first.message, result(id, [text('what it held')]));
  return [first, await ask()];
}

export const script = [
  {
    blocks: [
      { thinking: 'Hmm, 世界' },
      { text: 'I look — naïvely 👋.' },
      { call: 'read', id: 'c1', input: { path: 'ü' } },
    ],
  },
  { blocks: [{ text: 'Done: "fine".' }] },
];
