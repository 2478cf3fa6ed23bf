/** OpenAI's own SDK as the judge of what tau hears over `openai-responses`. */
import type OpenAI from 'openai';
import type { AssistantBlock } from '../../packages/core/src/index.ts';
import { modelId, type Said, tokens } from './answers.ts';
import { openaiFaults } from './openai-faults.ts';
import { answersAgree, faultsAgree } from './oracle.ts';
import { openaiAt } from './sdks.ts';

const api = 'openai-responses';

type Response = OpenAI.Responses.Response;

async function says(url: string, fetchWith?: typeof fetch): Promise<Said> {
  const stream = openaiAt(url, fetchWith).responses.stream({
    model: modelId,
    input: 'hi',
    store: false,
    include: ['reasoning.encrypted_content'],
  });
  return said(await stream.finalResponse());
}

function said(response: Response): Said {
  const content = response.output.flatMap(blocks);
  const { input_tokens = 0, output_tokens = 0, input_tokens_details } = response.usage ?? {};
  const cacheRead = input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = input_tokens_details?.cache_write_tokens ?? 0;
  return {
    id: response.id,
    model: response.model,
    content,
    stopReason: stopReason(response),
    usage: tokens({ input: input_tokens - cacheRead - cacheWrite, output: output_tokens, cacheRead, cacheWrite }),
  };
}

function blocks(item: OpenAI.Responses.ResponseOutputItem): AssistantBlock[] {
  switch (item.type) {
    case 'message': {
      const text = item.content.map((part) => (part.type === 'output_text' ? part.text : part.refusal)).join('');
      return text === '' ? [] : [{ type: 'text', text, textSignature: JSON.stringify({ v: 1, id: item.id }) }];
    }
    case 'reasoning': {
      const thinking = item.summary.map(({ text }) => text).join('\n\n');
      const withheld = thinking === '' && item.encrypted_content;
      const thinkingSignature = JSON.stringify(item);
      return [{ type: 'thinking', thinking, thinkingSignature, ...(withheld && { redacted: true }) }];
    }
    case 'function_call': {
      const id = `${item.call_id}|${item.id}`;
      return [{ type: 'toolCall', id, name: item.name, arguments: JSON.parse(item.arguments) }];
    }
    default:
      throw new Error(`no script makes an item of ${item.type}`);
  }
}

function stopReason({ status, incomplete_details, output }: Response): Said['stopReason'] {
  if (status === 'completed') return output.some(({ type }) => type === 'function_call') ? 'toolUse' : 'stop';
  if (incomplete_details?.reason === 'max_output_tokens') return 'length';
  throw new Error(`no script stops as ${status}`);
}

answersAgree<OpenAI.Responses.ResponseStreamEvent>({
  api,
  says,
  pieces: {
    get: (event) => ('delta' in event && typeof event.delta === 'string' ? event.delta : undefined),
    with: (event, piece) => ('delta' in event && typeof event.delta === 'string' ? { ...event, delta: piece } : event),
  },
});

faultsAgree({ api, says }, openaiFaults);
