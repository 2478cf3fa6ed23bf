/** The tree of entries, and the active chain through it: from the root to the last entry written. */
import type { SessionEntry, ToolCall } from '@tau/core';
import { intentEntry, isRecord, toolCallsOf } from '@tau/core';

/**
 * The entries from the root to the leaf, which is the last one. A parent is always an earlier line; where that line
 * was damaged, the chain goes on with the entry before, so that nothing older is lost.
 */
export function activeChain(entries: readonly SessionEntry[]): SessionEntry[] {
  const parents: number[] = [];
  const lines = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    parents.push(entry.parentId === null ? -1 : (lines.get(entry.parentId) ?? index - 1));
    lines.set(entry.id, index);
  }
  const chain: SessionEntry[] = [];
  for (let index = entries.length - 1; index >= 0; index = parents[index] ?? -1) {
    const entry = entries[index];
    if (entry !== undefined) chain.push(entry);
  }
  return chain.reverse();
}

export interface Unanswered {
  call: ToolCall;
  /** An intent says that its effect may have happened. */
  begun: boolean;
}

/**
 * The calls of the last answer that have no result yet. Older ones are history: the context says that they have none.
 * A message may use an id twice, so a result or an intent belongs to the first open call of its id.
 */
export function unansweredCalls(chain: readonly SessionEntry[]): Unanswered[] {
  const place = chain.findLastIndex((entry) => entry.type === 'message' && entry.message.role === 'assistant');
  const last = chain[place];
  if (last?.type !== 'message' || last.message.role !== 'assistant') return [];
  const open: Unanswered[] = toolCallsOf(last.message).map((call) => ({ call, begun: false }));
  for (const entry of chain.slice(place + 1)) {
    if (entry.type === 'custom' && entry.customType === intentEntry) {
      const id = intendedCall(entry.data);
      const item = open.find(({ call, begun }) => call.id === id && !begun);
      if (item !== undefined) item.begun = true;
    } else if (entry.type === 'message' && entry.message.role === 'toolResult') {
      const { toolCallId } = entry.message;
      const answered = open.findIndex(({ call }) => call.id === toolCallId);
      if (answered >= 0) open.splice(answered, 1);
    }
  }
  return open;
}

function intendedCall(data: unknown): unknown {
  return isRecord(data) ? data.toolCallId : undefined;
}

/** The model last chosen or last heard. */
export function lastModelOf(chain: readonly SessionEntry[]): { provider: string; modelId: string } | undefined {
  for (const entry of chain.toReversed()) {
    if (entry.type === 'model_change') return { provider: entry.provider, modelId: entry.modelId };
    if (entry.type === 'message' && entry.message.role === 'assistant') {
      return { provider: entry.message.provider, modelId: entry.message.model };
    }
  }
  return undefined;
}

export function lastThinkingOf(chain: readonly SessionEntry[]): string | undefined {
  return chain.findLast((entry) => entry.type === 'thinking_level_change')?.thinkingLevel;
}
