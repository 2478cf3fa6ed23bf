/** Chat Completions chunks, told to the assembler. Servers differ in what they leave out; nothing here is required. */
import type { StopReason } from '@tau/core';
import type { Assembler } from '../assembler.ts';
import { eventFailure } from '../failure.ts';
import type { Decoder } from '../protocol.ts';

interface CallPiece {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

interface WireChunk {
  id?: string;
  model?: string;
  error?: unknown;
  choices?: {
    delta?: {
      content?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: CallPiece[];
    };
    finish_reason?: string | null;
  }[];
  usage?: {
    prompt_tokens?: number;
    completion_tokens?: number;
    prompt_tokens_details?: { cached_tokens?: number } | null;
  } | null;
}

export function completionsDecoder(assembler: Assembler, provider: string): Decoder {
  const calls: OpenCall[] = [];
  let finished = false;

  function grow(piece: CallPiece, position: number): void {
    let call = callOf(calls, piece, position);
    if (!call) {
      endComplete(assembler, calls);
      // A call needs a name in the conversation; some servers give it none.
      const id = piece.id || `call_${crypto.randomUUID()}`;
      call = { key: `call ${calls.length}`, index: piece.index ?? position, id, json: '' };
      calls.push(call);
      assembler.callStart(call.key, id, piece.function?.name ?? '');
    }
    const json = piece.function?.arguments ?? '';
    call.json += json;
    assembler.callDelta(call.key, json);
  }

  return {
    event(data) {
      if (data === '[DONE]') return assembler.end();
      const chunk: WireChunk = JSON.parse(data);
      if (chunk.error) return assembler.fail(eventFailure(provider, data));
      assembler.identify(chunk);
      countTokens(assembler, chunk.usage);
      const choice = chunk.choices?.[0];
      const delta = choice?.delta;
      if (delta?.reasoning_content) reason(assembler, 'reasoning_content', delta.reasoning_content);
      else if (delta?.reasoning) reason(assembler, 'reasoning', delta.reasoning);
      if (typeof delta?.content === 'string' && delta.content !== '') assembler.text('text', delta.content);
      for (const [position, piece] of (delta?.tool_calls ?? []).entries()) grow(piece, position);
      if (!choice?.finish_reason) return;
      if (choice.finish_reason === 'content_filter') {
        return assembler.fail({ class: 'refused', message: `${provider} filtered the answer` });
      }
      for (const { key } of calls) assembler.callEnd(key);
      assembler.stop(stopReason(choice.finish_reason, calls.length > 0));
      finished = true;
    },
    close() {
      // Not every server says [DONE]; the finish reason is word enough.
      if (finished) assembler.end();
    },
  };
}

interface OpenCall {
  key: string;
  index: number;
  id: string;
  json: string;
}

/** Which call a piece belongs to. Some servers number every call 0, or none: another id is another call. */
function callOf(calls: readonly OpenCall[], { index, id }: CallPiece, position: number): OpenCall | undefined {
  return calls.findLast((call) => call.index === (index ?? position) && (!id || call.id === id));
}

/** Ends earlier calls when a new one begins, so they can start early; but some servers interleave, so only whole ones. */
function endComplete(assembler: Assembler, calls: readonly OpenCall[]): void {
  for (const { key, json } of calls) {
    if (!isWhole(json)) return;
    assembler.callEnd(key);
  }
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** The block's signature remembers the field name, so that it can go back under the same one. */
function reason(assembler: Assembler, fieldName: string, delta: string): void {
  assembler.thinking('thinking', delta);
  assembler.sign('thinking', fieldName);
}

function countTokens(assembler: Assembler, usage: WireChunk['usage']): void {
  if (!usage) return;
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
  assembler.usage({
    input: Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead),
    output: usage.completion_tokens ?? 0,
    cacheRead,
  });
}

function stopReason(reason: string, hasCalls: boolean): StopReason {
  if (reason === 'length') return 'length';
  // Some servers say "stop" after calls.
  return reason === 'tool_calls' || hasCalls ? 'toolUse' : 'stop';
}
