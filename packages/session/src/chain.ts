/** The active chain, from the root to the leaf, and what is read off it. An entry is read whole only where it must be. */
import type { Grant, SessionEntry, ToolCall } from '@tau/core';
import { grantEntry, intentEntry, isRecord, toolCallsOf, toolsEntry } from '@tau/core';
import type { Storage } from './storage.ts';

export interface Chain {
  readonly length: number;
  id(index: number): string;
  kind(index: number): string;
  read(indexes: readonly number[]): SessionEntry[];
}

/** Thrown and caught in `onChain` alone: what was read off the tree no longer holds. */
const changed = Symbol('the chain changed');

/** What `look` makes of the chain. Where reading it finds damage the chain is another one, and it looks again. */
export function onChain<T>(storage: Storage, look: (chain: Chain) => T): T {
  for (;;) {
    try {
      return look(chainOf(storage, storage.tree.chain()));
    } catch (error) {
      if (error !== changed) throw error;
    }
  }
}

function chainOf(storage: Storage, places: readonly number[]): Chain {
  const { tree } = storage;
  return {
    length: places.length,
    id: (index) => tree.id(places[index] ?? -1) ?? '',
    kind: (index) => tree.kind(places[index] ?? -1) ?? '',
    read(indexes) {
      const entries = storage.read(indexes.map((index) => places[index] ?? -1)).filter((entry) => entry !== undefined);
      if (entries.length < indexes.length) throw changed;
      return entries;
    },
  };
}

export function allOf(chain: Chain): SessionEntry[] {
  return chain.read(indexesOf(chain, 0));
}

function indexesOf(chain: Chain, from: number): number[] {
  return Array.from({ length: chain.length - from }, (_, index) => from + index);
}

export function lastIndex(chain: Chain, wanted: (kind: string) => boolean, before = chain.length): number {
  let index = before - 1;
  while (index >= 0 && !wanted(chain.kind(index))) index--;
  return index;
}

function lastEntry(chain: Chain, wanted: (kind: string) => boolean): SessionEntry | undefined {
  const index = lastIndex(chain, wanted);
  return index < 0 ? undefined : chain.read([index])[0];
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
export function unansweredCalls(chain: Chain): Unanswered[] {
  const place = lastIndex(chain, (kind) => kind === 'message:assistant');
  if (place < 0) return [];
  const [last, ...later] = chain.read(indexesOf(chain, place));
  if (last?.type !== 'message' || last.message.role !== 'assistant') return [];
  const open: Unanswered[] = toolCallsOf(last.message).map((call) => ({ call, begun: false }));
  for (const entry of later) {
    if (entry.type === 'custom' && entry.customType === intentEntry) {
      const id = isRecord(entry.data) ? entry.data.toolCallId : undefined;
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

/** The model last chosen or last heard. */
export function lastModelOf(chain: Chain): { provider: string; modelId: string } | undefined {
  const entry = lastEntry(chain, (kind) => kind === 'model_change' || kind === 'message:assistant');
  if (entry?.type === 'model_change') return { provider: entry.provider, modelId: entry.modelId };
  if (entry?.type !== 'message' || entry.message.role !== 'assistant') return undefined;
  return { provider: entry.message.provider, modelId: entry.message.model };
}

export function lastThinkingOf(chain: Chain): string | undefined {
  const entry = lastEntry(chain, (kind) => kind === 'thinking_level_change');
  return entry?.type === 'thinking_level_change' ? entry.thinkingLevel : undefined;
}

/** The names in the last entry that says which tools are offered; nothing where none does. */
export function activeToolsOf(chain: Chain): string[] | undefined {
  const entry = lastEntry(chain, (kind) => kind === `custom:${toolsEntry}`);
  if (entry?.type !== 'custom' || !isRecord(entry.data) || !Array.isArray(entry.data.names)) return undefined;
  return entry.data.names.filter((name) => typeof name === 'string');
}

/** What the user allowed and denied on the way, in its order. An entry that another program bent counts for nothing. */
export function grantsOf(chain: Chain): Grant[] {
  const wanted = indexesOf(chain, 0).filter((index) => chain.kind(index) === `custom:${grantEntry}`);
  return chain.read(wanted).flatMap((entry) => {
    if (entry.type !== 'custom' || !isRecord(entry.data)) return [];
    const { cwd, rules, deny, reset } = entry.data;
    if (typeof cwd !== 'string') return [];
    return [{ cwd, rules: textsOf(rules), deny: textsOf(deny), ...(reset === true && { reset }) }];
  });
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
