/** Anthropic's Messages API: a reply as the named events the vendor streams. */
import { modelOf, type Protocol, pieces, type ReplyContext, streamsOnRequest, usageOf } from './protocol.ts';
import type { ScriptBlock, ScriptedReply } from './script.ts';

export const anthropicMessages: Protocol = {
  serves: (pathname) => pathname === '/v1/messages',
  refuses: streamsOnRequest,
  documents: {},
  stream,
  errorBody,
};

/** An event's payload; its `type` is also the event's name. */
type Payload = { type: string } & Record<string, unknown>;

function stream(reply: ScriptedReply, context: ReplyContext): string[] {
  const blocks = reply.blocks.flatMap((block, index) => blockEvents(block, index, reply.chunk, context.number));
  return [messageStart(reply, context), { type: 'ping' }, ...blocks, ...ending(reply)].map(
    (payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`,
  );
}

function messageStart(reply: ScriptedReply, context: ReplyContext): Payload {
  return {
    type: 'message_start',
    message: {
      id: `msg_scripted_${context.number}`,
      type: 'message',
      role: 'assistant',
      model: modelOf(context.body),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(reply), output_tokens: 1 },
    },
  };
}

/** What the prompt cost is told with the first event, and again with the last. */
function inputUsage(reply: ScriptedReply): Record<string, number> {
  const { input, cacheRead, cacheWrite } = usageOf(reply);
  return { input_tokens: input, cache_creation_input_tokens: cacheWrite, cache_read_input_tokens: cacheRead };
}

function blockEvents(block: ScriptBlock, index: number, chunk: number | undefined, number: number): Payload[] {
  if ('text' in block) {
    const deltas = pieces(block.text, chunk).map((text) => ({ type: 'text_delta', text }));
    return framed(index, { type: 'text', text: '' }, deltas);
  }
  if ('thinking' in block) {
    // Sealed by the vendor: it comes whole, and there is nothing to read in it.
    if (block.redacted)
      return framed(index, { type: 'redacted_thinking', data: `sealed_scripted_${number}_${index}` }, []);
    const deltas = pieces(block.thinking, chunk).map((thinking) => ({ type: 'thinking_delta', thinking }));
    const signature = { type: 'signature_delta', signature: `sig_scripted_${number}_${index}` };
    return framed(index, { type: 'thinking', thinking: '', signature: '' }, [...deltas, signature]);
  }
  const id = block.id ?? `toolu_scripted_${number}_${index}`;
  // The vendor opens with an empty piece, and for a call without arguments sends no other.
  const json = Object.keys(block.input).length === 0 ? '' : JSON.stringify(block.input);
  const deltas = ['', ...pieces(json, chunk)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  return framed(index, { type: 'tool_use', id, name: block.call, input: {} }, deltas);
}

function framed(index: number, content_block: Payload, deltas: Payload[]): Payload[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function ending(reply: ScriptedReply): Payload[] {
  const delta = { stop_reason: stopReason(reply), stop_sequence: null };
  const usage = { ...inputUsage(reply), output_tokens: usageOf(reply).output };
  return [{ type: 'message_delta', delta, usage }, { type: 'message_stop' }];
}

function stopReason(reply: ScriptedReply): 'end_turn' | 'tool_use' | 'max_tokens' {
  if (reply.stopReason === 'length') return 'max_tokens';
  return reply.blocks.some((block) => 'call' in block) ? 'tool_use' : 'end_turn';
}

function errorBody(status: number, message: string): unknown {
  return { type: 'error', error: { type: errorType(status), message } };
}

function errorType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 402:
      return 'billing_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 413:
      return 'request_too_large';
    case 429:
      return 'rate_limit_error';
    case 504:
      return 'timeout_error';
    case 529:
      return 'overloaded_error';
    default:
      return status >= 500 ? 'api_error' : 'invalid_request_error';
  }
}
