/**
 * Gemini's chunks, told to the assembler. Pieces of text follow each other without a mark, a call comes whole, and there
 * is no closing event: the message is complete when the stream ends after a finish reason.
 */
import type { ModelError, ModelRequest } from '@tau/core';
import { originals } from '../alias.ts';
import type { Assembler } from '../assembler.ts';
import { oneLine } from '../failure/text.ts';
import { eventFailure, reasonFailure } from '../failure.ts';
import type { Decoder } from '../protocol.ts';
import { newCallId, wireName } from './call.ts';

interface WirePart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name?: string; args?: unknown };
}

interface WireUsage {
  promptTokenCount?: number;
  toolUsePromptTokenCount?: number;
  cachedContentTokenCount?: number;
  candidatesTokenCount?: number;
  thoughtsTokenCount?: number;
}

interface WireChunk {
  error?: unknown;
  responseId?: string;
  modelVersion?: string;
  usageMetadata?: WireUsage;
  promptFeedback?: { blockReason?: string };
  candidates?: { content?: { parts?: WirePart[] }; finishReason?: string; finishMessage?: string }[];
}

export function googleDecoder(assembler: Assembler, { model: { provider }, tools }: ModelRequest): Decoder {
  const grow = partsInto(
    assembler,
    originals(
      tools.map(({ name }) => name),
      wireName,
    ),
  );
  let finished = false;
  let identified = false;
  let counted: WireUsage | undefined;

  return {
    event(data) {
      const parsed: WireChunk | WireChunk[] = JSON.parse(data);
      const chunk = Array.isArray(parsed) ? parsed[0] : parsed;
      if (!chunk) throw new Error('not a chunk');
      if (chunk.error) return assembler.fail(eventFailure(provider, JSON.stringify(chunk)));
      // Every chunk says it again.
      if (!identified) assembler.identify(identityOf(chunk));
      identified = true;
      const usage = chunk.usageMetadata;
      if (usage && !(counted && isSame(usage, counted))) countTokens(assembler, usage);
      counted = usage ?? counted;
      const blocked = chunk.promptFeedback?.blockReason;
      if (blocked)
        return assembler.fail(reasonFailure(provider, 'refused', `refused the request: ${oneLine(blocked)}`));
      const candidate = chunk.candidates?.[0];
      for (const part of candidate?.content?.parts ?? []) grow(part);
      if (!candidate?.finishReason) return;
      const failed = failureOf(provider, candidate.finishReason, candidate.finishMessage);
      if (failed) return assembler.fail(failed);
      if (candidate.finishReason === 'MAX_TOKENS') assembler.stop('length');
      finished = true;
    },
    close() {
      // Not before: some models give a finish reason with every chunk.
      if (finished) assembler.end();
    },
  };
}

/** Takes the parts in order. Text goes on in the same block until something else comes, or its signature. */
function partsInto(assembler: Assembler, nameOf: (wire: string) => string): (part: WirePart) => void {
  const ids = new Set<string>();
  let blocks = 0;
  let open: { key: number; thought: boolean; said: boolean; signed: boolean } | undefined;

  function call({ id: given, name = '', args }: NonNullable<WirePart['functionCall']>, signature?: string): void {
    open = undefined;
    const key = blocks++;
    const id = given && !ids.has(given) ? given : newCallId();
    ids.add(id);
    assembler.callStart(key, id, nameOf(name));
    if (args !== undefined) assembler.callDelta(key, JSON.stringify(args));
    if (signature) assembler.signCall(key, signature);
    assembler.callEnd(key);
  }

  function say(text: string, thought: boolean, signature?: string): void {
    if (text === '' && !signature) return;
    if (!open || open.signed || open.thought !== thought) {
      open = { key: blocks++, thought, said: false, signed: false };
    }
    const { key } = open;
    if (text !== '') {
      open.said = true;
      if (thought) assembler.thinking(key, text);
      else assembler.text(key, text);
    }
    if (!signature) return;
    open.signed = true;
    if (thought) assembler.sign(key, signature, !open.said);
    else assembler.signText(key, signature);
  }

  return (part) => {
    const { functionCall, text, thought = false, thoughtSignature } = part;
    if (functionCall) call(functionCall, thoughtSignature);
    else if (text !== undefined || isBareSignature(part)) say(text ?? '', thought, thoughtSignature);
  };
}

/** A signature may come alone. On a part of a kind that is not known here it would sign nothing. */
function isBareSignature(part: WirePart): boolean {
  return Object.keys(part).every((key) => key === 'thought' || key === 'thoughtSignature');
}

function identityOf({ responseId, modelVersion }: WireChunk): { id?: string; model?: string } {
  return { ...(responseId && { id: responseId }), ...(modelVersion && { model: modelVersion }) };
}

/** Told with every chunk, changed or not. */
function isSame(one: WireUsage, other: WireUsage): boolean {
  return (
    one.candidatesTokenCount === other.candidatesTokenCount &&
    one.thoughtsTokenCount === other.thoughtsTokenCount &&
    one.promptTokenCount === other.promptTokenCount &&
    one.cachedContentTokenCount === other.cachedContentTokenCount &&
    one.toolUsePromptTokenCount === other.toolUsePromptTokenCount
  );
}

function countTokens(assembler: Assembler, usage: WireUsage): void {
  const { promptTokenCount: prompt, candidatesTokenCount: said, thoughtsTokenCount: thought } = usage;
  const cached = usage.cachedContentTokenCount ?? 0;
  const input = prompt === undefined ? undefined : Math.max(0, prompt + (usage.toolUsePromptTokenCount ?? 0) - cached);
  const output = said === undefined && thought === undefined ? undefined : (said ?? 0) + (thought ?? 0);
  assembler.usage({ input, output, cacheRead: prompt === undefined ? undefined : cached });
}

/** Reasons that withhold the answer. */
const refusals = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/**
 * Reasons that say the model failed. The request is not at fault and nothing will pass by waiting, but another model
 * may do better: that is what the class `unknown` means.
 */
const failures = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'NO_IMAGE',
  'IMAGE_OTHER',
  'OTHER',
]);

function failureOf(provider: string, reason: string, detail: string | undefined): ModelError | undefined {
  const why = detail ? `${reason} (${oneLine(detail)})` : reason;
  if (refusals.has(reason)) return reasonFailure(provider, 'refused', `refused to answer: ${why}`);
  if (failures.has(reason)) return reasonFailure(provider, 'unknown', `could not finish its answer: ${why}`);
  return undefined;
}
