/** OpenAI's Chat Completions API: a reply as the unnamed chunks the vendor and its many imitators stream. */
import { errorBody } from './openai-error.ts';
import { field, modelOf, type Protocol, pieces, type ReplyContext, streamsOnRequest, usageOf } from './protocol.ts';
import type { ScriptedReply } from './script.ts';

/** A fixed date, so that two runs of a script are the same bytes. */
const created = 1_700_000_000;

export const openaiCompletions: Protocol = {
  serves: (pathname) => pathname === '/v1/chat/completions',
  refuses: streamsOnRequest,
  documents: {
    '/v1/models': { object: 'list', data: [{ id: 'scripted', object: 'model', created, owned_by: 'testkit' }] },
  },
  stream,
  errorBody,
};

type Delta = Record<string, unknown>;

function stream(reply: ScriptedReply, context: ReplyContext): string[] {
  const wantsUsage = field(field(context.body, 'stream_options'), 'include_usage') === true;
  const chunk = (fields: Record<string, unknown>) => ({
    id: `chatcmpl-scripted-${context.number}`,
    object: 'chat.completion.chunk',
    created,
    model: modelOf(context.body),
    ...fields,
  });
  const choice = (delta: Delta, finish_reason: string | null) =>
    chunk({
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      // Asked for usage, the vendor puts the field on every chunk and fills it on the last.
      ...(wantsUsage ? { usage: null } : {}),
    });

  const payloads = deltas(reply, context.number).map((delta) => choice(delta, null));
  payloads.push(choice({}, finishReason(reply)));
  if (wantsUsage) payloads.push(chunk({ choices: [], usage: usage(reply) }));
  return [...payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`), 'data: [DONE]\n\n'];
}

function deltas(reply: ScriptedReply, number: number): Delta[] {
  const result: Delta[] = [{ role: 'assistant', content: '' }];
  let calls = 0;
  let details = 0;
  for (const block of reply.blocks) {
    if ('text' in block) {
      result.push(...pieces(block.text, reply.chunk).map((content) => ({ content })));
    } else if ('thinking' in block && block.redacted) {
      const index = details++;
      // As the gateway that has such a thing sends it.
      const data = `sealed_scripted_${number}_${index}`;
      result.push({ reasoning_details: [{ type: 'reasoning.encrypted', data, index }] });
    } else if ('thinking' in block) {
      result.push(...pieces(block.thinking, reply.chunk).map((reasoning_content) => ({ reasoning_content })));
    } else {
      const index = calls++;
      const id = block.id ?? `call_scripted_${number}_${index}`;
      const head = { index, id, type: 'function', function: { name: block.call, arguments: '' } };
      const rest = pieces(JSON.stringify(block.input), reply.chunk);
      const parts = [head, ...rest.map((piece) => ({ index, function: { arguments: piece } }))];
      result.push(...parts.map((part) => ({ tool_calls: [part] })));
    }
  }
  return result;
}

function finishReason(reply: ScriptedReply): 'stop' | 'tool_calls' | 'length' {
  if (reply.stopReason === 'length') return 'length';
  return reply.blocks.some((block) => 'call' in block) ? 'tool_calls' : 'stop';
}

/** Here cached tokens are part of the prompt's, and cache writes are not told apart. */
function usage(reply: ScriptedReply): Record<string, unknown> {
  const { input, output, cacheRead, cacheWrite } = usageOf(reply);
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}
