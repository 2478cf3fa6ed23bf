/** What the scripted model says, as the stream of events a provider would send. */
import {
  type AssistantBlock,
  type AssistantMessage,
  type Effect,
  emptyUsage,
  type Model,
  type ModelError,
  type StreamEvent,
  type ToolCall,
} from '@tau/core';

export type Speech = (signal: AbortSignal) => AsyncIterable<StreamEvent>;

export const model: Model = { provider: 'scripted', id: 'one', api: 'script', baseUrl: 'http://localhost' };

export const read = (path: string): Effect => ({ kind: 'read', path });
export const write = (path: string): Effect => ({ kind: 'write', path });
export const exec = (command = 'make', readOnly = false): Effect => ({ kind: 'exec', command, readOnly });

/** A call of the scene's tool that has the effects it is given. */
export function act(id: string, ...effects: Effect[]): ToolCall {
  return { type: 'toolCall', id, name: 'act', arguments: { effects } };
}

export function foreign(id: string, ...effects: Effect[]): ToolCall {
  return { ...act(id, ...effects), name: 'foreign' };
}

export function call(name: string, args: Record<string, unknown>, id = name): ToolCall {
  return { type: 'toolCall', id, name, arguments: args };
}

export function assistant(content: AssistantBlock[], more: Partial<AssistantMessage> = {}): AssistantMessage {
  const { api, provider, id } = model;
  return {
    role: 'assistant',
    content,
    api,
    provider,
    model: id,
    usage: emptyUsage(),
    stopReason: 'stop',
    timestamp: 1,
    ...more,
  };
}

export function says(text: string, more: Partial<AssistantMessage> = {}): Speech {
  return async function* speech() {
    yield { type: 'start' };
    yield { type: 'text', index: 0, delta: text };
    yield { type: 'end', message: assistant([{ type: 'text', text }], more) };
  };
}

interface Delivery {
  /** The message ends only when this resolves. An abort ends it too, as a provider would. */
  until?: Promise<unknown>;
  /** The stream fails after the calls. */
  error?: ModelError;
  /** The calls are only in the final message, as with providers that do not stream them. */
  unstreamed?: boolean;
  message?: Partial<AssistantMessage>;
}

export function calls(list: readonly ToolCall[], { until, error, unstreamed, message }: Delivery = {}): Speech {
  return async function* speech(signal) {
    yield { type: 'start' };
    for (const [index, toolCall] of unstreamed ? [] : list.entries()) {
      yield { type: 'toolCallStart', index, id: toolCall.id, name: toolCall.name };
      yield { type: 'toolCallDelta', index, delta: JSON.stringify(toolCall.arguments) };
      yield { type: 'toolCallEnd', index, toolCall };
    }
    await Promise.race([until, aborted(signal, until === undefined)]);
    const failure: ModelError | undefined = signal.aborted ? { class: 'aborted', message: 'aborted' } : error;
    if (failure) {
      const stopReason = failure.class === 'aborted' ? 'aborted' : 'error';
      yield { type: 'error', error: failure, message: assistant([...list], { stopReason, ...message }) };
    } else {
      yield { type: 'end', message: assistant([...list], { stopReason: 'toolUse', ...message }) };
    }
  };
}

/** Resolves on abort, or at once. */
export function aborted(signal: AbortSignal, atOnce = signal.aborted): Promise<void> {
  return new Promise((resolve) => {
    if (atOnce || signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

export interface Barrier {
  passed: Promise<void>;
  open(): void;
}

export function barrier(): Barrier {
  let open: () => void = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
