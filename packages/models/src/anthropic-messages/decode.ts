/** Anthropic's stream events, told to the assembler. Fields are read as they come; unknown events are passed over. */
import type { StopReason } from '@tau/core';
import type { Assembler } from '../assembler.ts';
import { eventFailure } from '../failure.ts';
import type { Decoder } from '../protocol.ts';

interface WireUsage {
  input_tokens?: number | null;
  output_tokens?: number;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
}

interface WireEvent {
  type: string;
  index?: number;
  message?: { id?: string; model?: string; usage?: WireUsage };
  content_block?: { type: string; id?: string; name?: string; text?: string; data?: string };
  delta?: {
    type?: string;
    text?: string;
    thinking?: string;
    signature?: string;
    partial_json?: string;
    stop_reason?: string | null;
  };
  usage?: WireUsage;
}

export function anthropicDecoder(assembler: Assembler, provider: string): Decoder {
  return {
    event(data) {
      const event: WireEvent = JSON.parse(data);
      const index = event.index ?? 0;
      switch (event.type) {
        case 'message_start':
          assembler.identify(event.message ?? {});
          countTokens(assembler, event.message?.usage);
          break;
        case 'content_block_start':
          startBlock(assembler, index, event.content_block);
          break;
        case 'content_block_delta':
          growBlock(assembler, index, event.delta ?? {});
          break;
        case 'content_block_stop':
          assembler.callEnd(index);
          break;
        case 'message_delta':
          countTokens(assembler, event.usage);
          if (event.delta?.stop_reason === 'refusal') {
            assembler.fail({ class: 'refused', message: `${provider} refused to answer` });
          } else if (event.delta?.stop_reason) {
            assembler.stop(stopReason(event.delta.stop_reason));
          }
          break;
        case 'message_stop':
          assembler.end();
          break;
        case 'error':
          assembler.fail(eventFailure(provider, data));
          break;
      }
    },
  };
}

function startBlock(assembler: Assembler, index: number, block: WireEvent['content_block']): void {
  switch (block?.type) {
    case 'text':
      assembler.text(index, block.text ?? '');
      break;
    case 'thinking':
      assembler.thinking(index, '');
      break;
    case 'redacted_thinking':
      assembler.sign(index, block.data ?? '', true);
      break;
    case 'tool_use':
      assembler.callStart(index, block.id ?? '', block.name ?? '');
      break;
  }
}

function growBlock(assembler: Assembler, index: number, delta: NonNullable<WireEvent['delta']>): void {
  switch (delta.type) {
    case 'text_delta':
      assembler.text(index, delta.text ?? '');
      break;
    case 'thinking_delta':
      assembler.thinking(index, delta.thinking ?? '');
      break;
    case 'signature_delta':
      assembler.sign(index, delta.signature ?? '');
      break;
    case 'input_json_delta':
      assembler.callDelta(index, delta.partial_json ?? '');
      break;
  }
}

function countTokens(assembler: Assembler, usage: WireUsage | undefined): void {
  if (!usage) return;
  assembler.usage({
    ...(typeof usage.input_tokens === 'number' && { input: usage.input_tokens }),
    ...(usage.output_tokens !== undefined && { output: usage.output_tokens }),
    ...(typeof usage.cache_read_input_tokens === 'number' && { cacheRead: usage.cache_read_input_tokens }),
    ...(typeof usage.cache_creation_input_tokens === 'number' && { cacheWrite: usage.cache_creation_input_tokens }),
  });
}

function stopReason(reason: string): StopReason {
  switch (reason) {
    case 'tool_use':
      return 'toolUse';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    default:
      return 'stop';
  }
}
