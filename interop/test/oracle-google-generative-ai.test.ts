/** Google's own SDK as the judge of what tau hears over `google-generative-ai`. */
import { ApiError, FinishReason, type GenerateContentResponse, type Part } from '@google/genai';
import { expect } from 'vitest';
import type { AssistantBlock } from '../../packages/core/src/index.ts';
import { modelId, type Said, tokens } from './answers.ts';
import { answersAgree, type Fault, faultsAgree } from './oracle.ts';
import { googleAt } from './sdks.ts';

const api = 'google-generative-ai';

async function says(url: string, fetchWith?: typeof fetch): Promise<Said> {
  const stream = await googleAt(url, fetchWith).models.generateContentStream({ model: modelId, contents: 'hi' });
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return said(chunks);
}

/** The SDK hands out chunks and makes no message of them; what belongs together is in Google's documentation. */
function said(chunks: readonly GenerateContentResponse[]): Said {
  const last = chunks.at(-1);
  if (!last) throw new Error('there is no chunk');
  const { promptTokenCount = 0, cachedContentTokenCount: cacheRead = 0 } = last.usageMetadata ?? {};
  const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = last.usageMetadata ?? {};
  const content = joined(chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []));
  return {
    id: last.responseId,
    model: last.modelVersion ?? '',
    content,
    stopReason: stopReason(last, content),
    usage: tokens({
      input: promptTokenCount - cacheRead,
      output: candidatesTokenCount + thoughtsTokenCount,
      cacheRead,
      cacheWrite: 0,
    }),
  };
}

function joined(parts: readonly Part[]): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  for (const { text = '', thought = false, thoughtSignature, functionCall } of parts) {
    const last = blocks.at(-1);
    if (functionCall) {
      const { id = '', name = '', args = {} } = functionCall;
      blocks.push({ type: 'toolCall', id, name, arguments: args, ...(thoughtSignature && { thoughtSignature }) });
    } else if (text === '' && !thoughtSignature) {
      // Says nothing.
    } else if (thought) {
      const thinking = last?.type === 'thinking' && !last.thinkingSignature ? `${last.thinking}${text}` : text;
      if (last?.type === 'thinking' && !last.thinkingSignature) blocks.pop();
      const withheld = thinking === '' && { redacted: true };
      const signed = thoughtSignature && { thinkingSignature: thoughtSignature };
      blocks.push({ type: 'thinking', thinking, ...signed, ...withheld });
    } else if (last?.type === 'text' && !last.textSignature) {
      last.text += text;
      if (thoughtSignature) last.textSignature = thoughtSignature;
    } else {
      blocks.push({ type: 'text', text, ...(thoughtSignature && { textSignature: thoughtSignature }) });
    }
  }
  return blocks;
}

/** The SDK has one class for all, and the vendor's body as its message. */
function told(status: string): Fault['fields'] {
  return { message: expect.stringContaining(`"status":"${status}"`) };
}

function stopReason(last: GenerateContentResponse, content: readonly AssistantBlock[]): Said['stopReason'] {
  const reason = last.candidates?.[0]?.finishReason;
  if (reason === FinishReason.MAX_TOKENS) return 'length';
  if (reason !== FinishReason.STOP) throw new Error(`no script stops with ${reason}`);
  return content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop';
}

/** A chunk as it is on the wire, where calls are whole: only text comes in pieces. */
interface Chunk {
  candidates: { content: { parts: Part[] }; finishReason?: string }[];
}

answersAgree<Chunk>({
  api,
  says,
  pieces: {
    get: ({ candidates: [candidate] }) => candidate?.content.parts[0]?.text,
    with(chunk, piece, isLast) {
      const [candidate] = chunk.candidates;
      const [part] = candidate?.content.parts ?? [];
      if (!candidate || !part) return chunk;
      const { thoughtSignature, ...unsigned } = part;
      const { finishReason, ...unfinished } = candidate;
      const content = { ...candidate.content, parts: [{ ...(isLast ? part : unsigned), text: piece }] };
      return { ...chunk, candidates: [{ ...(isLast ? candidate : unfinished), content }] };
    },
  },
});

const faults: Fault[] = [
  { status: 400, recognised: ApiError, fields: told('INVALID_ARGUMENT'), tau: 'badRequest' },
  { status: 401, recognised: ApiError, fields: told('UNAUTHENTICATED'), tau: 'auth' },
  { status: 403, recognised: ApiError, fields: told('PERMISSION_DENIED'), tau: 'auth' },
  { status: 404, recognised: ApiError, fields: told('NOT_FOUND'), tau: 'badRequest' },
  { status: 429, recognised: ApiError, fields: told('RESOURCE_EXHAUSTED'), tau: 'rateLimited' },
  { status: 500, recognised: ApiError, fields: told('INTERNAL'), tau: 'overloaded' },
  { status: 503, recognised: ApiError, fields: told('UNAVAILABLE'), tau: 'overloaded' },
  { status: 504, recognised: ApiError, fields: told('DEADLINE_EXCEEDED'), tau: 'timeout' },
];
faultsAgree({ api, says }, faults);
