/** Chat Completions chunks, told to the assembler. Servers differ in what they leave out; nothing here is required. */
import { isRecord, type ModelError, type ModelRequest, type StopReason } from '@tau/core';
import { alias, originals } from '../alias.ts';
import type { Assembler } from '../assembler.ts';
import { eventFailure, reasonFailure } from '../failure.ts';
import type { Decoder } from '../protocol.ts';
import { type CallPiece, createCalls } from './calls.ts';
import { compatOf } from './compat.ts';
import { createDetails, type Details, reasoningNames } from './reasoning.ts';
import { countTokens, type WireUsage } from './usage.ts';

/** Reasoning is in one of several fields, so they are looked up by name. */
interface WireDelta {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: CallPiece[] | null;
  /** What calls were before there could be several. */
  function_call?: CallPiece['function'];
  reasoning_details?: unknown;
  [reasoningField: string]: unknown;
}

interface WireChoice {
  delta?: WireDelta | null;
  /** Some servers end with the whole message, or send nothing else. */
  message?: WireDelta | null;
  finish_reason?: string | null;
  error?: unknown;
  usage?: WireUsage | null;
}

interface WireChunk {
  id?: string;
  model?: string;
  error?: unknown;
  choices?: WireChoice[] | null;
  usage?: WireUsage | null;
  x_groq?: { usage?: WireUsage | null } | null;
}

export function completionsDecoder(assembler: Assembler, request: ModelRequest): Decoder {
  const { provider } = request.model;
  const fields = reasoningNames(compatOf(request.model));
  const names = request.tools.map(({ name }) => name);
  const calls = createCalls(assembler, originals(names, alias), provider);
  const heard = { text: false, thought: false, refusal: false };
  let details: Details | undefined;
  let finished = false;

  function say(text: unknown): void {
    if (typeof text !== 'string' || text === '') return;
    heard.text = true;
    assembler.text('text', text);
  }

  function think(text: unknown, field?: string): boolean {
    if (typeof text !== 'string' || text === '') return false;
    heard.thought = true;
    assembler.thinking('thinking', text);
    // The signature remembers the field, so that it can go back under the same name.
    if (field !== undefined) assembler.sign('thinking', field);
    return true;
  }

  /** Details are shown only where no plain field says the same. */
  function keepDetails(pieces: readonly unknown[], shown: boolean): void {
    details ??= createDetails();
    // Takes its place before what follows.
    assembler.sign('details', '[]', true);
    for (const piece of pieces) {
      details.add(piece);
      if (!shown && isRecord(piece)) think(piece.text ?? piece.summary);
    }
  }

  function takeParts(parts: readonly unknown[]): void {
    for (const part of parts) {
      if (!isRecord(part)) continue;
      if (part.type === 'text') say(part.text);
      if (part.type !== 'thinking') continue;
      const inner: unknown[] = Array.isArray(part.thinking) ? part.thinking : [part.thinking];
      for (const thought of inner) think(isRecord(thought) ? thought.text : thought);
    }
  }

  function take(delta: WireDelta): void {
    const shown = fields.some((field) => think(delta[field], field));
    if (Array.isArray(delta.reasoning_details) && delta.reasoning_details.length > 0)
      keepDetails(delta.reasoning_details, shown);
    if (Array.isArray(delta.content)) takeParts(delta.content);
    else say(delta.content);
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      heard.refusal = true;
      say(delta.refusal);
    }
    if (delta.tool_calls) calls.grow(delta.tool_calls);
    else if (delta.function_call) calls.grow([{ index: 0, function: delta.function_call }]);
  }

  /** Of a whole message only what the deltas left out. */
  function takeWhole(message: WireDelta): void {
    const rest: WireDelta = { ...message };
    if (heard.text) for (const field of ['content', 'refusal']) delete rest[field];
    if (heard.thought) for (const field of [...fields, 'reasoning_details']) delete rest[field];
    if (calls.some) for (const field of ['tool_calls', 'function_call']) delete rest[field];
    take(rest);
  }

  function close(): void {
    calls.end();
    if (details) assembler.sign('details', details.json(), true);
  }

  function end(): void {
    close();
    assembler.end();
  }

  return {
    event(data) {
      if (assembler.finished) return;
      if (data === '[DONE]') return end();
      const chunk: WireChunk = JSON.parse(data);
      if (chunk.error) return assembler.fail(eventFailure(provider, data));
      assembler.identify(chunk);
      const choice = chunk.choices?.[0];
      countTokens(assembler, chunk.usage ?? choice?.usage ?? chunk.x_groq?.usage);
      if (!choice) return;
      if (choice.delta) take(choice.delta);
      if (choice.message) takeWhole(choice.message);
      if (choice.error) return assembler.fail(eventFailure(provider, JSON.stringify({ error: choice.error })));
      if (!choice.finish_reason) return;
      const failure = failureOf(choice.finish_reason, heard.refusal, provider);
      if (failure) return assembler.fail(failure);
      close();
      assembler.stop(stopReason(choice.finish_reason, calls.some));
      finished = true;
    },
    close() {
      // Not every server says [DONE]; the finish reason is word enough.
      if (finished) end();
    },
  };
}

/** Finish reasons that are failures. */
function failureOf(reason: string, refused: boolean, provider: string): ModelError | undefined {
  switch (reason) {
    case 'content_filter':
    case 'sensitive':
      return reasonFailure(provider, 'refused', 'filtered the answer');
    case 'network_error':
      return reasonFailure(provider, 'network', 'lost its own connection to the model');
    case 'insufficient_system_resource':
      return reasonFailure(provider, 'overloaded', 'had no room to finish the answer');
    case 'error':
      return reasonFailure(provider, 'unknown', 'broke off without a reason');
    default:
      return refused ? reasonFailure(provider, 'refused', 'refused to answer') : undefined;
  }
}

function stopReason(reason: string, hasCalls: boolean): StopReason {
  switch (reason) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
    case 'model_context_window_exceeded':
      return 'length';
    default:
      // Whatever word a server has for it, calls are what it stopped for.
      return hasCalls ? 'toolUse' : 'stop';
  }
}
