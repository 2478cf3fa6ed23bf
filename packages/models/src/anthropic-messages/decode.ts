/** Anthropic's stream events, told to the assembler. Fields are read as they come; unknown events are passed over. */
import { isRecord, type ModelError, type ModelRequest, type StopReason } from '@tau/core';
import { alias, originals } from '../alias.ts';
import type { Assembler } from '../assembler.ts';
import { oneLine } from '../failure/text.ts';
import { eventFailure, reasonFailure } from '../failure.ts';
import type { Decoder } from '../protocol.ts';

interface WireUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
}

interface WireBlock {
  type: string;
  id?: string;
  name?: string;
  text?: string;
  thinking?: string;
  signature?: string;
  data?: string;
  input?: unknown;
}

interface WireDelta {
  type?: string;
  text?: string;
  thinking?: string;
  signature?: string;
  partial_json?: string;
  stop_reason?: string | null;
  stop_details?: { explanation?: string | null } | null;
}

interface WireEvent {
  type: string;
  index?: number;
  message?: { id?: string; model?: string; usage?: WireUsage };
  content_block?: WireBlock;
  delta?: WireDelta;
  usage?: WireUsage;
}

export function anthropicDecoder(assembler: Assembler, { model: { provider }, tools }: ModelRequest): Decoder {
  const names = tools.map(({ name }) => name);
  const nameOf = originals(names, alias);
  /** Blocks we do not know, such as those of the vendor's own tools: their deltas are passed over too. */
  const skipped = new Set<number>();
  /** An input that came whole with its call. It counts if no piece follows. */
  let whole: { index: number; json: string } | undefined;
  let stopped = false;

  function start(index: number, block: WireBlock): void {
    switch (block.type) {
      case 'text':
        assembler.text(index, block.text ?? '');
        break;
      case 'thinking':
        assembler.thinking(index, block.thinking ?? '');
        if (block.signature) assembler.sign(index, block.signature);
        break;
      case 'redacted_thinking':
        assembler.sign(index, block.data ?? '', true);
        break;
      case 'tool_use':
        assembler.callStart(index, block.id || `call_${crypto.randomUUID()}`, nameOf(block.name ?? ''));
        if (isRecord(block.input) && Object.keys(block.input).length > 0) {
          whole = { index, json: JSON.stringify(block.input) };
        }
        break;
      default:
        skipped.add(index);
    }
  }

  function grow(index: number, delta: WireDelta): void {
    if (skipped.has(index)) return;
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
        if (delta.partial_json && whole?.index === index) whole = undefined;
        assembler.callDelta(index, delta.partial_json ?? '');
        break;
    }
  }

  function stopBlock(index: number): void {
    if (whole?.index === index) assembler.callDelta(index, whole.json);
    whole = undefined;
    assembler.callEnd(index);
  }

  function stop({ stop_reason: reason, stop_details: details }: WireDelta): void {
    if (!reason) return;
    stopped = true;
    if (reason === 'refusal') assembler.fail(refusal(provider, details?.explanation));
    else assembler.stop(stopReason(reason));
  }

  return {
    event(data) {
      if (assembler.finished) return;
      const event: WireEvent = JSON.parse(data);
      const index = event.index ?? 0;
      switch (event.type) {
        case 'content_block_delta':
          if (event.delta) grow(index, event.delta);
          break;
        case 'message_start':
          assembler.identify(event.message ?? {});
          countTokens(assembler, event.message?.usage);
          break;
        case 'content_block_start':
          if (event.content_block) start(index, event.content_block);
          break;
        case 'content_block_stop':
          stopBlock(index);
          break;
        case 'message_delta':
          countTokens(assembler, event.usage);
          if (event.delta) stop(event.delta);
          break;
        case 'message_stop':
          assembler.end();
          break;
        case 'error':
          assembler.fail(eventFailure(provider, data));
          break;
      }
    },
    close() {
      // Some imitators never say message_stop; the stop reason is word enough.
      if (stopped) assembler.end();
    },
  };
}

function refusal(provider: string, why: string | null | undefined): ModelError {
  return reasonFailure(provider, 'refused', `refused to answer${why ? `: ${oneLine(why)}` : ''}`);
}

function countTokens(assembler: Assembler, usage: WireUsage | undefined): void {
  if (!usage) return;
  assembler.usage({
    ...(typeof usage.input_tokens === 'number' && { input: usage.input_tokens }),
    ...(typeof usage.output_tokens === 'number' && { output: usage.output_tokens }),
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
      // `end_turn`, `stop_sequence`, and `pause_turn`, with which the vendor rests its own tools: tau uses none.
      return 'stop';
  }
}
