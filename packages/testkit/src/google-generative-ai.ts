/** Google's Gemini API: a reply as the unnamed chunks the vendor streams, with calls whole and the usage in each. */
import { type Protocol, pieces, type ReplyContext, usageOf } from './protocol.ts';
import type { RecordedRequest, ScriptBlock, ScriptedReply } from './script.ts';

const method = ':streamGenerateContent';

export const googleGenerativeAi: Protocol = {
  serves: (pathname) => pathname.endsWith(method),
  refuses,
  documents: {},
  stream,
  errorBody,
};

/** Without `alt=sse` the vendor answers with one long array. */
function refuses({ path }: RecordedRequest): string | undefined {
  const wants = urlOf(path).searchParams.get('alt');
  return wants === 'sse' ? undefined : 'this server only sends events: set "alt" to "sse"';
}

type Part = Record<string, unknown>;

function stream(reply: ScriptedReply, { number, path }: ReplyContext): string[] {
  const parts = reply.blocks.flatMap((block, index) => blockParts(block, index, reply, number));
  // A chunk without anything to say still has a part.
  const chunks = parts.length > 0 ? parts : [{ text: '' }];
  return chunks.map((part, at) => {
    const isLast = at === chunks.length - 1;
    const candidate = {
      content: { parts: [part], role: 'model' },
      ...(isLast && { finishReason: reply.stopReason === 'length' ? 'MAX_TOKENS' : 'STOP' }),
      index: 0,
    };
    const payload = {
      candidates: [candidate],
      usageMetadata: usage(reply, (at + 1) / chunks.length),
      modelVersion: modelIn(path),
      responseId: `scripted-${number}`,
    };
    return `data: ${JSON.stringify(payload)}\n\n`;
  });
}

function blockParts(block: ScriptBlock, index: number, reply: ScriptedReply, number: number): Part[] {
  const signature = { thoughtSignature: `sig_scripted_${number}_${index}` };
  if ('text' in block) return pieces(block.text, reply.chunk).map((text) => ({ text }));
  if ('thinking' in block) {
    const said = block.redacted ? [''] : pieces(block.thinking, reply.chunk);
    return said.map((text, at) => ({ text, thought: true, ...(at === said.length - 1 && signature) }));
  }
  const functionCall = { name: block.call, args: block.input, id: block.id ?? `call_scripted_${number}_${index}` };
  // Of calls made together only the first is signed.
  const isFirst = reply.blocks.findIndex((one) => 'call' in one) === index;
  return [{ functionCall, ...(isFirst && signature) }];
}

/** The counts grow with every chunk. Here cached tokens are part of the prompt's, and thoughts are not the answer's. */
function usage(reply: ScriptedReply, share: number): Record<string, number> {
  const { input, output, cacheRead, cacheWrite } = usageOf(reply);
  const prompt = input + cacheRead + cacheWrite;
  const soFar = Math.ceil(output * share);
  const thoughts = reply.blocks.some((block) => 'thinking' in block) ? Math.floor(soFar / 2) : 0;
  return {
    promptTokenCount: prompt,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    candidatesTokenCount: soFar - thoughts,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + soFar,
  };
}

function modelIn(path: string): string {
  const { pathname } = urlOf(path);
  return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1, -method.length));
}

function urlOf(path: string): URL {
  return new URL(path, 'http://localhost');
}

function errorBody(code: number, message: string): unknown {
  return { error: { code, message, status: statusWord(code) } };
}

function statusWord(code: number): string {
  switch (code) {
    case 401:
      return 'UNAUTHENTICATED';
    case 403:
      return 'PERMISSION_DENIED';
    case 404:
      return 'NOT_FOUND';
    case 429:
      return 'RESOURCE_EXHAUSTED';
    case 503:
      return 'UNAVAILABLE';
    case 504:
      return 'DEADLINE_EXCEEDED';
    default:
      return code >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT';
  }
}
