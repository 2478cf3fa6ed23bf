/** One turn: the model speaks, its calls act, the results return. Every message is on disk before its event goes out. */
import {
  type AssistantMessage,
  describeError,
  emptyUsage,
  type MessageDelta,
  type Model,
  type ModelError,
  type ModelRequest,
  malformedArguments,
  type RunEvent,
  type RunPorts,
  type StreamEvent,
  type ToolCall,
  type ToolResult,
  type ToolResultMessage,
  toolCallsOf,
} from '@tau/core';
import { createBranches } from './abort.ts';
import { type Batch, createBatch } from './batch.ts';
import type { Gate } from './gate.ts';

export interface Turn {
  message: AssistantMessage;
  results: ToolResultMessage[];
  failure?: ModelError;
  /** From the request that was answered to the first thing the model said. */
  firstTokenMs?: number;
}

export interface TurnContext {
  gate: Gate;
  ports: RunPorts;
  signal: AbortSignal;
  concurrency: number;
}

export async function takeTurn(request: ModelRequest, context: TurnContext): Promise<Turn> {
  // If the session cannot be written (a full disk, say), whatever still runs is stopped, and has stopped on return.
  const { signal, abort, release } = createBranches(context.signal)();
  const batch = createBatch(context.gate, { ...context, signal });
  try {
    return await converse(request, batch, { ...context, signal });
  } catch (error) {
    abort();
    await batch.settled();
    throw error;
  } finally {
    release();
  }
}

async function converse(request: ModelRequest, batch: Batch, context: TurnContext): Promise<Turn> {
  const { ports } = context;
  ports.emit({ type: 'message_start', role: 'assistant' });
  const heard = await listen(request, batch, context);
  const { message, failure, firstTokenMs } = ports.afterAnswer ? await looked(heard, ports.afterAnswer) : heard;
  const { entryId } = await ports.append(message);
  ports.emit({ type: 'message_end', message, entryId });

  const results: ToolResultMessage[] = [];
  for await (const { call, result } of batch.results(toolCallsOf(message), unfinishedCalls(message, failure))) {
    const answer = resultMessage(call, result, ports.now());
    const entry = await ports.append(answer);
    ports.emit({ type: 'message_start', role: 'toolResult' });
    ports.emit({ type: 'message_end', message: answer, ...entry });
    results.push(answer);
  }
  return {
    message,
    results,
    ...(failure && { failure }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
  };
}

/** What hooks make of an answer. One that they block leaves nothing behind but the reason. */
async function looked(heard: Heard, look: NonNullable<RunPorts['afterAnswer']>): Promise<Heard> {
  const kept = await look(heard.message);
  if (!('block' in kept)) return { ...heard, message: kept };
  const why = `The answer was withheld: ${kept.block}`;
  const message: AssistantMessage = {
    ...heard.message,
    content: [{ type: 'text', text: `[${why}]` }],
    stopReason: 'error',
    errorMessage: why,
  };
  const failure: ModelError = { class: 'refused', message: why, final: true };
  return { ...heard, message, failure: heard.failure?.class === 'aborted' ? heard.failure : failure };
}

/** Which calls are not to be run because the message that makes them is not whole, and why. */
function unfinishedCalls(
  message: AssistantMessage,
  failure: ModelError | undefined,
): (call: ToolCall) => string | undefined {
  if (failure) return () => 'Not run: the message broke off before it was complete.';
  const last = message.content.at(-1);
  if (message.stopReason !== 'length' || last?.type !== 'toolCall') return () => undefined;
  // Cut before its first argument, or within one: what is whole was whole before the limit.
  const isCut = malformedArguments in last.arguments || Object.keys(last.arguments).length === 0;
  const why = 'Not run: the call was cut off at the output limit. Make it again in smaller parts.';
  return (call) => (isCut && call === last ? why : undefined);
}

interface Heard {
  message: AssistantMessage;
  failure?: ModelError;
  firstTokenMs?: number;
}

async function listen(request: ModelRequest, batch: Batch, { ports, signal }: TurnContext): Promise<Heard> {
  const calls: ToolCall[] = [];
  let asked = ports.now();
  const heard: Pick<Heard, 'firstTokenMs'> = {};
  let failure: ModelError = { class: 'unknown', message: 'the model stream ended without an end' };
  try {
    for await (const events of ports.stream(request, signal)) {
      for (const event of events) {
        if (event.type === 'end') return { ...heard, message: event.message };
        if (event.type === 'error') return { ...heard, message: event.message, failure: event.error };
        const isDelta = deltaTypes.has(event.type);
        const shown = isDelta && ports.wantsDeltas?.() === false ? undefined : shownAs(event);
        if (shown) ports.emit(shown);
        // The next try is made then, perhaps by another model.
        if (event.type === 'retry') asked = ports.now() + event.delayMs;
        if (isDelta) heard.firstTokenMs ??= ports.now() - asked;
        if (event.type === 'toolCallEnd') {
          calls.push(event.toolCall);
          // Where hooks have a word on the whole answer, nothing of it happens before they have spoken.
          if (!ports.afterAnswer) batch.offer(event.toolCall);
        }
      }
    }
  } catch (error) {
    failure = { class: signal.aborted ? 'aborted' : 'unknown', message: describeError(error) };
  }
  return { ...heard, message: unfinished(request.model, calls, failure, ports.now()), failure };
}

/** The message of a stream that broke its promise to end: of what it said, only the calls count, as they may have run. */
function unfinished(model: Model, calls: ToolCall[], failure: ModelError, timestamp: number): AssistantMessage {
  const { api, provider, id } = model;
  const stopReason = failure.class === 'aborted' ? 'aborted' : 'error';
  const said = { role: 'assistant' as const, content: calls, api, provider, model: id, usage: emptyUsage() };
  return { ...said, stopReason, errorMessage: failure.message, timestamp };
}

const deltaTypes: ReadonlySet<StreamEvent['type']> = new Set([
  'text',
  'thinking',
  'toolCallStart',
  'toolCallDelta',
  'toolCallEnd',
]);

/** What the readers of the run are told of it. */
function shownAs(event: StreamEvent): RunEvent | undefined {
  switch (event.type) {
    case 'text':
    case 'thinking':
      return update({ kind: event.type, index: event.index, text: event.delta });
    case 'toolCallStart':
      return update({ kind: 'toolCallStart', index: event.index, id: event.id, name: event.name });
    case 'toolCallDelta':
      return update({ kind: 'toolCallArguments', index: event.index, text: event.delta });
    case 'toolCallEnd':
      return update({ kind: 'toolCallEnd', index: event.index });
    case 'limits':
      return { type: 'rate_limits', model: event.model, limits: event.limits };
    case 'retry': {
      const { attempt, delayMs, error, model } = event;
      return { type: 'retry', attempt, delayMs, class: error.class, message: error.message, model };
    }
    case 'start':
    case 'usage':
    case 'end':
    case 'error':
      return undefined;
  }
}

function update(delta: MessageDelta): RunEvent {
  return { type: 'message_update', delta };
}

function resultMessage(call: ToolCall, result: ToolResult, timestamp: number): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    ...(result.details !== undefined && { details: result.details }),
    isError: result.isError ?? false,
    timestamp,
  };
}
