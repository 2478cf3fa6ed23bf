/** OpenAI's own SDK as the judge of what tau hears over `openai-completions`. */
import type OpenAI from 'openai';
import type { AssistantBlock, ThinkingBlock } from '../../packages/core/src/index.ts';
import { modelId, type Said, tokens } from './answers.ts';
import { openaiFaults } from './openai-faults.ts';
import { answersAgree, faultsAgree } from './oracle.ts';
import { openaiAt } from './sdks.ts';

const api = 'openai-completions';

/** OpenAI itself never tells its thinking here; these fields are its imitators', and the SDK hands them on unread. */
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string; reasoning_details?: object[] };

async function says(url: string, fetchWith?: typeof fetch): Promise<Said> {
  const stream = openaiAt(url, fetchWith).chat.completions.stream({
    model: modelId,
    messages: [{ role: 'user', content: 'hi' }],
    stream_options: { include_usage: true },
  });
  let thinking = '';
  const details: object[] = [];
  stream.on('chunk', (chunk) => {
    const delta: Delta | undefined = chunk.choices[0]?.delta;
    thinking += delta?.reasoning_content ?? '';
    details.push(...(delta?.reasoning_details ?? []));
  });
  return said(await stream.finalChatCompletion(), [...spoken(thinking), ...sealed(details)]);
}

function spoken(thinking: string): ThinkingBlock[] {
  return thinking === '' ? [] : [{ type: 'thinking', thinking, thinkingSignature: 'reasoning_content' }];
}

function sealed(details: readonly object[]): ThinkingBlock[] {
  const thinkingSignature = JSON.stringify(details);
  return details.length === 0 ? [] : [{ type: 'thinking', thinking: '', thinkingSignature, redacted: true }];
}

function said(completion: OpenAI.ChatCompletion, thoughts: readonly ThinkingBlock[]): Said {
  const [choice] = completion.choices;
  if (!choice) throw new Error('there is no choice');
  const { message, finish_reason } = choice;
  const cacheRead = completion.usage?.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    id: completion.id,
    model: completion.model,
    content: [
      ...thoughts,
      ...(message.content ? [{ type: 'text' as const, text: message.content }] : []),
      ...(message.tool_calls ?? []).map(call),
    ],
    stopReason: stopReason(finish_reason),
    usage: tokens({
      input: (completion.usage?.prompt_tokens ?? 0) - cacheRead,
      output: completion.usage?.completion_tokens ?? 0,
      cacheRead,
      cacheWrite: 0,
    }),
  };
}

function call(made: OpenAI.ChatCompletionMessageToolCall): AssistantBlock {
  if (made.type !== 'function') throw new Error(`no script calls a tool of the kind ${made.type}`);
  return { type: 'toolCall', id: made.id, name: made.function.name, arguments: JSON.parse(made.function.arguments) };
}

function stopReason(reason: OpenAI.ChatCompletion.Choice['finish_reason']): Said['stopReason'] {
  switch (reason) {
    case 'stop':
      return 'stop';
    case 'length':
      return 'length';
    case 'tool_calls':
      return 'toolUse';
    default:
      throw new Error(`no script stops with ${reason}`);
  }
}

function rank(block: AssistantBlock): number {
  if (block.type === 'thinking') return block.redacted ? 1 : 0;
  return block.type === 'text' ? 2 : 3;
}

/** The protocol has a place each for thinking, text and calls: which of them came first is not in the message. */
function arranged(message: Said): Said {
  return { ...message, content: message.content.toSorted((a, b) => rank(a) - rank(b)) };
}

answersAgree<Omit<OpenAI.ChatCompletionChunk, 'choices'> & { choices: { delta: Delta }[] }>({
  api,
  says,
  arranged,
  pieces: {
    get({ choices }) {
      const delta = choices[0]?.delta;
      return delta?.content ?? delta?.reasoning_content ?? delta?.tool_calls?.[0]?.function?.arguments;
    },
    with(chunk, piece) {
      const [choice] = chunk.choices;
      if (!choice) return chunk;
      return { ...chunk, choices: [{ ...choice, delta: withPiece(choice.delta, piece) }] };
    },
  },
});

function withPiece(delta: Delta, piece: string): Delta {
  if (delta.content !== undefined) return { ...delta, content: piece };
  if (delta.reasoning_content !== undefined) return { ...delta, reasoning_content: piece };
  const [part] = delta.tool_calls ?? [];
  return part ? { ...delta, tool_calls: [{ ...part, function: { ...part.function, arguments: piece } }] } : delta;
}

faultsAgree({ api, says }, openaiFaults);
