/** Chat Completions chunks, told to the assembler. Servers differ in what they leave out; nothing here is required. */
import type { StopReason } from '@tau/core';
import type { Assembler } from '../assembler.ts';
import { eventFailure } from '../failure.ts';

interface WireChunk {
  id?: string;
  model?: string;
  error?: unknown;
  choices?: {
    delta?: {
      content?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
    finish_reason?: string | null;
  }[];
  usage?: {
    prompt_tokens?: number;
    completion_tokens?: number;
    prompt_tokens_details?: { cached_tokens?: number } | null;
  } | null;
}

export function completionsDecoder(assembler: Assembler, provider: string): (data: string) => void {
  /** The arguments of each call so far, in order. */
  const calls = new Map<string, string>();
  return (data) => {
    if (data === '[DONE]') return assembler.end();
    const chunk: WireChunk = JSON.parse(data);
    if (chunk.error) return assembler.fail(eventFailure(provider, data));
    assembler.identify(chunk);
    countTokens(assembler, chunk.usage);
    const choice = chunk.choices?.[0];
    const delta = choice?.delta;
    if (delta?.reasoning_content) reason(assembler, 'reasoning_content', delta.reasoning_content);
    else if (delta?.reasoning) reason(assembler, 'reasoning', delta.reasoning);
    if (delta?.content) assembler.text('text', delta.content);
    for (const [position, call] of (delta?.tool_calls ?? []).entries()) {
      const key = `call ${call.index ?? position}`;
      if (!calls.has(key)) {
        endComplete(assembler, calls);
        assembler.callStart(key, call.id || key.replace(' ', '_'), call.function?.name ?? '');
      }
      const json = call.function?.arguments ?? '';
      calls.set(key, (calls.get(key) ?? '') + json);
      assembler.callDelta(key, json);
    }
    if (choice?.finish_reason) {
      for (const key of calls.keys()) assembler.callEnd(key);
      assembler.stop(stopReason(choice.finish_reason, calls.size > 0));
    }
  };
}

/** Ends earlier calls when a new one begins, so they can start early; but some servers interleave, so only whole ones. */
function endComplete(assembler: Assembler, calls: ReadonlyMap<string, string>): void {
  for (const [key, json] of calls) {
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
