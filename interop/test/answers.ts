/** What tau makes of a script, in a form that what an official SDK makes of it can be mapped to. */
import { onTestFinished } from 'vitest';
import type {
  AssistantMessage,
  Message,
  Model,
  ModelError,
  ModelRequest,
  Usage,
} from '../../packages/core/src/index.ts';
import { httpTransport, type Transport, type WireRequest } from '../../packages/models/src/transport.ts';
import { createStream } from '../../packages/models/test/flat.ts';
import {
  type ScriptedModel,
  type ScriptStep,
  startScriptedModel,
  type WireApi,
} from '../../packages/testkit/src/index.ts';

export type { WireApi };

/** What both sides must agree on. */
export interface Said {
  id: string | undefined;
  model: string;
  content: AssistantMessage['content'];
  stopReason: AssistantMessage['stopReason'];
  usage: Tokens;
}

export type Tokens = Omit<Usage, 'cost'>;

export function tokens(counts: Omit<Tokens, 'totalTokens'>): Tokens {
  const { input, output, cacheRead, cacheWrite } = counts;
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite };
}

/** A key for servers that ask for one. It opens nothing. */
export const dummyKey = 'dummy-key';

export const modelId = 'model-1';

const basePaths: Record<WireApi, string> = {
  'anthropic-messages': '',
  'openai-completions': '/v1',
  'openai-responses': '/v1',
  'google-generative-ai': '/v1beta',
};

export function modelAt(url: string, api: WireApi, facts: Partial<Model> = {}): Model {
  return { provider: 'scripted', id: modelId, api, baseUrl: url + basePaths[api], ...facts };
}

/** A fresh server for one test. */
export async function startServer(...steps: ScriptStep[]): Promise<ScriptedModel> {
  const server = await startScriptedModel(steps);
  onTestFinished(() => server.close());
  return server;
}

/** For the many servers of a property: each is closed as soon as its answer is there. */
export async function withServer<T>(step: ScriptStep, use: (url: string) => Promise<T>): Promise<T> {
  const server = await startScriptedModel([step]);
  try {
    return await use(server.url);
  } finally {
    await server.close();
  }
}

export interface Answer {
  message: AssistantMessage;
  error?: ModelError;
}

export async function ask(request: ModelRequest, transport: Transport = network()): Promise<Answer> {
  const stream = createStream({ transport, key: dummyKey, now: () => 7 });
  for await (const event of stream(request, new AbortController().signal)) {
    if (event.type === 'end') return { message: event.message };
    if (event.type === 'error') return { message: event.message, error: event.error };
  }
  throw new Error('the stream ended without a last event');
}

/** No proxy from the environment: everything here is on this machine. */
function network(): Transport {
  return httpTransport({ env: {} });
}

export function question(model: Model): ModelRequest {
  const messages: Message[] = [{ role: 'user', content: 'hi', timestamp: 1 }];
  return { model, system: '', messages, tools: [] };
}

export async function tauAnswers(api: WireApi, step: ScriptStep, bytes?: number): Promise<Answer> {
  const transport = bytes === undefined ? network() : resplitTransport(network(), bytes);
  return withServer(step, (url) => ask(question(modelAt(url, api)), transport));
}

export async function tauSays(api: WireApi, step: ScriptStep, bytes?: number): Promise<Said> {
  const { message, error } = await tauAnswers(api, step, bytes);
  if (error) throw new Error(`tau failed: ${error.message}`);
  return {
    id: message.responseId,
    model: message.responseModel ?? message.model,
    content: message.content,
    stopReason: message.stopReason,
    usage: tokens(message.usage),
  };
}

/** The request tau would send, without a network. */
export async function captured(request: ModelRequest): Promise<WireRequest> {
  let seen: WireRequest | undefined;
  await ask(request, async (wire) => {
    seen = wire;
    throw new Error('seen enough');
  });
  if (!seen) throw new Error('nothing was sent');
  return seen;
}

/** The same bytes in pieces of this size, whatever lies across their edges: for tau, and for an SDK. */
function resplitTransport(transport: Transport, size: number): Transport {
  return async (request, signal) => {
    const response = await transport(request, signal);
    return { ...response, body: resplit(response.body, size) };
  };
}

export function resplitFetch(size: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, headers } = response;
    return new Response(ReadableStream.from(resplit(response.body, size)), { status, headers });
  };
}

async function* resplit(body: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
  }
}
