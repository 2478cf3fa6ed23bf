/**
 * Builds the assistant message from a provider's deltas and queues the stream events that show it growing. Protocols
 * name a block by any key of their own; its place in the content is the order of first appearance.
 */
import {
  type AssistantMessage,
  emptyUsage,
  isRecord,
  type Model,
  type ModelError,
  malformedArguments,
  type StopReason,
  type StreamEvent,
  type ThinkingBlock,
  type ToolCall,
  toolCallsOf,
  type Usage,
} from '@tau/core';

type BlockKey = string | number;
type TokenCounts = { [name in 'input' | 'output' | 'cacheRead' | 'cacheWrite']?: number | undefined };

export interface Assembler {
  text(key: BlockKey, delta: string): void;
  thinking(key: BlockKey, delta: string): void;
  /** Marks a thinking block with what the provider wants back; `redacted` when there is no text to show. */
  sign(key: BlockKey, signature: string, redacted?: boolean): void;
  /** The same for text and for a call: opaque to everyone but the protocol that wrote it. */
  signText(key: BlockKey, signature: string): void;
  signCall(key: BlockKey, signature: string): void;
  callStart(key: BlockKey, id: string, name: string): void;
  callDelta(key: BlockKey, json: string): void;
  callEnd(key: BlockKey): void;
  /** Counts replace what was reported before; what is not given stays. */
  usage(counts: TokenCounts): void;
  identify(response: { id?: string; model?: string }): void;
  stop(reason: StopReason): void;
  /** The message is complete. Whatever arrives later is ignored. */
  end(): void;
  fail(error: ModelError): void;
  readonly finished: boolean;
  /** Something about the exchange that is not part of the message. */
  note(event: Extract<StreamEvent, { type: 'limits' }>): void;
  /** The events since the last call, in order. */
  take(): StreamEvent[];
}

/** What one message may hold. A model that repeats itself without end would otherwise take all memory there is. */
const maxMillions = 64;

export function createAssembler(model: Model, timestamp: number): Assembler {
  const message: AssistantMessage = {
    role: 'assistant',
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: emptyUsage(),
    stopReason: 'stop',
    timestamp,
  };
  const places = new Map<BlockKey, number>();
  const openCalls = new Map<BlockKey, { index: number; call: ToolCall; json: string }>();
  let events: StreamEvent[] = [{ type: 'start' }];
  let finished = false;
  let size = 0;

  /** False once the message is over, also when these characters are what ends it. */
  function takes(length: number): boolean {
    if (finished) return false;
    size += length;
    if (size <= maxMillions * 1e6) return true;
    const much = `more than ${maxMillions} million characters in one message`;
    fail({ class: 'outputLimit', message: `${model.provider} sent ${much}, so tau stopped listening` });
    return false;
  }

  function place(key: BlockKey, block: AssistantMessage['content'][number]): number {
    places.set(key, message.content.push(block) - 1);
    return message.content.length - 1;
  }

  function thinkingAt(key: BlockKey): { index: number; block: ThinkingBlock } | undefined {
    const index = places.get(key) ?? place(key, { type: 'thinking', thinking: '' });
    const block = message.content[index];
    return block?.type === 'thinking' ? { index, block } : undefined;
  }

  function closeCall(key: BlockKey): void {
    const open = openCalls.get(key);
    if (!open || finished) return;
    openCalls.delete(key);
    open.call.arguments = parseArguments(open.json);
    events.push({ type: 'toolCallEnd', index: open.index, toolCall: open.call });
  }

  function finish(event: StreamEvent): void {
    if (finished) return;
    finished = true;
    events.push({ type: 'usage', usage: message.usage }, event);
  }

  function fail(error: ModelError): void {
    if (finished) return;
    // A call whose arguments never finished was never made.
    const unmade = new Set<unknown>([...openCalls.values()].map((open) => open.call));
    message.content = message.content.filter((block) => !unmade.has(block));
    message.stopReason = error.class === 'aborted' ? 'aborted' : 'error';
    message.errorMessage = error.message;
    finish({ type: 'error', error, message });
  }

  return {
    text(key, delta) {
      if (!takes(delta.length)) return;
      const index = places.get(key) ?? place(key, { type: 'text', text: '' });
      const block = message.content[index];
      if (block?.type !== 'text') return;
      block.text += delta;
      if (delta) events.push({ type: 'text', index, delta });
    },
    thinking(key, delta) {
      const at = takes(delta.length) ? thinkingAt(key) : undefined;
      if (!at) return;
      at.block.thinking += delta;
      if (delta) events.push({ type: 'thinking', index: at.index, delta });
    },
    sign(key, signature, redacted) {
      const at = finished ? undefined : thinkingAt(key);
      if (!at || !takes(signature.length - (at.block.thinkingSignature?.length ?? 0))) return;
      at.block.thinkingSignature = signature;
      if (redacted) at.block.redacted = true;
    },
    signText(key, signature) {
      if (!takes(signature.length)) return;
      const block = message.content[places.get(key) ?? place(key, { type: 'text', text: '' })];
      if (block?.type === 'text') block.textSignature = signature;
    },
    signCall(key, signature) {
      const block = message.content[places.get(key) ?? -1];
      if (block?.type === 'toolCall' && takes(signature.length)) block.thoughtSignature = signature;
    },
    callStart(key, id, name) {
      if (places.has(key) || !takes(id.length + name.length)) return;
      const call: ToolCall = { type: 'toolCall', id, name, arguments: {} };
      const index = place(key, call);
      openCalls.set(key, { index, call, json: '' });
      events.push({ type: 'toolCallStart', index, id, name });
    },
    callDelta(key, json) {
      const open = openCalls.get(key);
      if (!open || !json || !takes(json.length)) return;
      open.json += json;
      events.push({ type: 'toolCallDelta', index: open.index, delta: json });
    },
    callEnd: closeCall,
    usage(counts) {
      if (finished) return;
      const { usage } = message;
      usage.input = counts.input ?? usage.input;
      usage.output = counts.output ?? usage.output;
      usage.cacheRead = counts.cacheRead ?? usage.cacheRead;
      usage.cacheWrite = counts.cacheWrite ?? usage.cacheWrite;
      price(usage, model);
    },
    identify({ id, model: responseModel }) {
      if (finished) return;
      if (id) message.responseId = id;
      if (responseModel && responseModel !== model.id) message.responseModel = responseModel;
    },
    stop(reason) {
      if (finished) return;
      message.stopReason = reason;
    },
    end() {
      if (finished) return;
      for (const key of openCalls.keys()) closeCall(key);
      // Calls are what the message stopped for, whether or not the provider says so.
      if (message.stopReason === 'stop' && toolCallsOf(message).length > 0) message.stopReason = 'toolUse';
      finish({ type: 'end', message });
    },
    fail,
    get finished() {
      return finished;
    },
    note(event) {
      if (!finished) events.push(event);
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
  };
}

function parseArguments(json: string): Record<string, unknown> {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    if (isRecord(value)) return value;
  } catch {
    // Falls through: the gate returns the text to the model.
  }
  return { [malformedArguments]: json };
}

/** Totals, and the cost where the price is known. */
function price(usage: Usage, model: Model): void {
  usage.totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  if (!model.cost) return;
  const { cost } = usage;
  cost.input = (usage.input * model.cost.input) / 1e6;
  cost.output = (usage.output * model.cost.output) / 1e6;
  cost.cacheRead = (usage.cacheRead * model.cost.cacheRead) / 1e6;
  cost.cacheWrite = (usage.cacheWrite * model.cost.cacheWrite) / 1e6;
  cost.total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
}
