/** Asks a scripted model something over real HTTP, in any wire protocol, and checks what every stream must keep. */
import type { AssistantMessage, Model, ModelError, ModelRequest, StreamEvent, ToolCall } from '@tau/core';
import { toolCallsOf, userMessage } from '@tau/core';
import { type RecordedRequest, type ScriptedModel, type ScriptStep, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished } from 'vitest';
import { closedPort } from '../../host/test/closed-port.ts';
import { httpTransport } from '../src/index.ts';
import type { Transport } from '../src/transport.ts';
import { createStream } from './flat.ts';

export const apis = ['anthropic-messages', 'openai-completions', 'openai-responses', 'google-generative-ai'] as const;
export type Api = (typeof apis)[number];

export interface Answer {
  events: StreamEvent[];
  message: AssistantMessage;
  /** Absent when the stream ended well. */
  error?: ModelError;
}

export interface Question extends Partial<Omit<ModelRequest, 'model'>> {
  model?: Partial<Model>;
  key?: string;
}

export async function startModel(...steps: ScriptStep[]): Promise<ScriptedModel> {
  const server = await startScriptedModel(steps);
  onTestFinished(() => server.close());
  return server;
}

/** The same over TLS, with a certificate that nobody trusts who was not told to. */
export async function startTlsModel(...steps: ScriptStep[]): Promise<ScriptedModel & { ca: string }> {
  const server = await startScriptedModel(steps, { tls: true });
  onTestFinished(() => server.close());
  return { ...server, ca: server.ca ?? '' };
}

/** What a client of the protocol expects in its base URL. */
const basePath: Record<Api, string> = {
  'anthropic-messages': '',
  'openai-completions': '/v1',
  'openai-responses': '/v1',
  'google-generative-ai': '/v1beta',
};

export function modelAt(url: string, api: Api, extra: Partial<Model> = {}): Model {
  return { provider: 'scripted', id: 'model-1', api, baseUrl: url + basePath[api], ...extra };
}

export function requestTo(model: Model, { model: _, key: __, ...asked }: Question = {}): ModelRequest {
  return { system: '', messages: [userMessage('hi', 1)], tools: [], ...asked, model };
}

/** One question to a fresh server that answers with this step. */
export async function ask(
  api: Api,
  step: ScriptStep,
  question: Question = {},
): Promise<Answer & { request: RecordedRequest }> {
  const server = await startModel(step);
  const answer = await askAt(modelAt(server.url, api, question.model), httpTransport(), question);
  return { ...answer, request: await server.arrival(0) };
}

export async function askAt(model: Model, transport: Transport, question: Question = {}): Promise<Answer> {
  const stream = createStream({ transport, key: question.key, now: () => 7 });
  return collect(stream(requestTo(model, question), new AbortController().signal));
}

export async function collect(stream: AsyncIterable<StreamEvent>): Promise<Answer> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return answerOf(events);
}

/** The invariants of every stream: one start, one end, the deltas add up to the message, a failure is told once. */
export function answerOf(events: StreamEvent[]): Answer {
  const kinds = events.map(({ type }) => type);
  expect(kinds.filter((kind) => kind === 'start')).toHaveLength(1);
  expect(kinds[0]).toBe('start');
  expect(kinds.filter((kind) => kind === 'end' || kind === 'error')).toHaveLength(1);
  const last = events.at(-1);
  if (last?.type === 'error') {
    expect(last.message.errorMessage).toBe(last.error.message);
    expect(last.message.stopReason).toBe(last.error.class === 'aborted' ? 'aborted' : 'error');
    return { events, message: last.message, error: last.error };
  }
  if (last?.type !== 'end') throw new Error(`the last event is ${last?.type}`);
  expect(last.message.errorMessage).toBeUndefined();
  for (const [index, block] of last.message.content.entries()) {
    if (block.type === 'text') expect(deltas(events, 'text', index)).toBe(block.text);
    if (block.type === 'thinking') expect(deltas(events, 'thinking', index)).toBe(block.thinking);
    if (block.type === 'toolCall') {
      const own = events.filter((event) => 'index' in event && event.index === index);
      expect(own.filter(({ type }) => type === 'toolCallStart')).toHaveLength(1);
      expect(own.at(-1)).toEqual({ type: 'toolCallEnd', index, toolCall: block });
    }
  }
  return { events, message: last.message };
}

export function deltas(events: readonly StreamEvent[], type: 'text' | 'thinking' | 'toolCallDelta', index: number) {
  return events.map((event) => (event.type === type && event.index === index ? event.delta : '')).join('');
}

/** The calls of a message as anybody would make them: some vendors sign theirs, or have a second id for them. */
export function unsignedCalls(message: AssistantMessage): ToolCall[] {
  return toolCallsOf(message).map(({ thoughtSignature: _, ...call }) => ({ ...call, id: call.id.replace(/\|.*/, '') }));
}

/** A response body written by hand: each payload is the data of one event. Strings go as they are. */
export function sse(payloads: readonly unknown[]): string {
  return payloads.map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`).join('');
}

export function saying(...payloads: unknown[]): ScriptStep {
  return { status: 200, body: sse(payloads) };
}

/** A transport that answers with these bytes, in these pieces. */
export function canned(pieces: readonly Uint8Array[], status = 200): Transport {
  return async () => ({
    status,
    headers: {},
    body: (async function* () {
      yield* pieces;
    })(),
  });
}

/** What a request for this question would carry, without a network. */
export async function bodyOf(model: Model, question: Question): Promise<string> {
  let body = '';
  await askAt(
    model,
    async (wire) => {
      body = wire.body;
      throw new Error('seen enough');
    },
    question,
  );
  return body;
}

/** A port on which nobody listens. */
export async function closedUrl(): Promise<string> {
  return `http://127.0.0.1:${await closedPort()}`;
}
