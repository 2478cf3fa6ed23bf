/** Anthropic's own SDK as the judge of what tau hears over `anthropic-messages`. */
import Anthropic from '@anthropic-ai/sdk';
import type { AssistantBlock } from '../../packages/core/src/index.ts';
import { modelId, type Said, tokens } from './answers.ts';
import { answersAgree, type Fault, faultsAgree } from './oracle.ts';
import { anthropicAt } from './sdks.ts';

const api = 'anthropic-messages';

async function says(url: string, fetchWith?: typeof fetch): Promise<Said> {
  const stream = anthropicAt(url, fetchWith).messages.stream({
    model: modelId,
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'hi' }],
  });
  return said(await stream.finalMessage());
}

function said(message: Anthropic.Message): Said {
  const { usage } = message;
  return {
    id: message.id,
    model: message.model,
    content: message.content.map(block),
    stopReason: stopReason(message.stop_reason),
    usage: tokens({
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
    }),
  };
}

function block(content: Anthropic.ContentBlock): AssistantBlock {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: content.text };
    case 'thinking':
      return { type: 'thinking', thinking: content.thinking, thinkingSignature: content.signature };
    case 'redacted_thinking':
      return { type: 'thinking', thinking: '', thinkingSignature: content.data, redacted: true };
    case 'tool_use':
      return { type: 'toolCall', id: content.id, name: content.name, arguments: objectOf(content.input) };
    default:
      throw new Error(`no script makes a block of ${content.type}`);
  }
}

function objectOf(input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null) throw new Error('the input is not an object');
  return { ...input };
}

function stopReason(reason: Anthropic.StopReason | null): Said['stopReason'] {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_use':
      return 'toolUse';
    default:
      throw new Error(`no script stops with ${reason}`);
  }
}

answersAgree<Anthropic.RawMessageStreamEvent>({
  api,
  says,
  pieces: {
    get(event) {
      if (event.type !== 'content_block_delta') return undefined;
      const { delta } = event;
      if (delta.type === 'text_delta') return delta.text;
      if (delta.type === 'thinking_delta') return delta.thinking;
      return delta.type === 'input_json_delta' ? delta.partial_json : undefined;
    },
    with(event, piece) {
      if (event.type !== 'content_block_delta') return event;
      const { delta } = event;
      switch (delta.type) {
        case 'text_delta':
          return { ...event, delta: { ...delta, text: piece } };
        case 'thinking_delta':
          return { ...event, delta: { ...delta, thinking: piece } };
        case 'input_json_delta':
          return { ...event, delta: { ...delta, partial_json: piece } };
        default:
          return event;
      }
    },
  },
});

const faults: Fault[] = [
  { status: 400, recognised: Anthropic.BadRequestError, fields: { type: 'invalid_request_error' }, tau: 'badRequest' },
  { status: 401, recognised: Anthropic.AuthenticationError, fields: { type: 'authentication_error' }, tau: 'auth' },
  { status: 402, recognised: Anthropic.APIError, fields: { type: 'billing_error' }, tau: 'rateLimited' },
  { status: 403, recognised: Anthropic.PermissionDeniedError, fields: { type: 'permission_error' }, tau: 'auth' },
  { status: 404, recognised: Anthropic.NotFoundError, fields: { type: 'not_found_error' }, tau: 'badRequest' },
  {
    status: 413,
    recognised: Anthropic.ContentTooLargeError,
    fields: { type: 'request_too_large' },
    tau: 'contextOverflow',
  },
  { status: 429, recognised: Anthropic.RateLimitError, fields: { type: 'rate_limit_error' }, tau: 'rateLimited' },
  { status: 500, recognised: Anthropic.InternalServerError, fields: { type: 'api_error' }, tau: 'overloaded' },
  { status: 504, recognised: Anthropic.GatewayTimeoutError, fields: { type: 'timeout_error' }, tau: 'timeout' },
  { status: 529, recognised: Anthropic.OverloadedError, fields: { type: 'overloaded_error' }, tau: 'overloaded' },
];
faultsAgree({ api, says }, faults);
