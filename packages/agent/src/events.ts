/**
 * One stream, many readers. Emitting never waits: a reader that iterates slowly finds neighbouring deltas joined into
 * one, so its queue grows with the number of things that happened, not with the number of bytes that streamed by.
 */
import type { RunEvent, StampedEvent } from '@tau/core';

export type Listener = (event: StampedEvent) => void;

export interface EventHub {
  emit(event: RunEvent): void;
  /** `deltas: false` for a reader that wants only whole things; while nobody wants deltas they cost nothing. */
  subscribe(listener: Listener, options?: { deltas?: boolean }): () => void;
}

export function createHub(now: () => number = Date.now): EventHub {
  const everything = new Set<Listener>();
  const wholeOnly = new Set<Listener>();
  // Formatting a date costs more than everything else here; many deltas share a millisecond.
  let stampedAt = Number.NaN;
  let timestamp = '';
  return {
    emit(event) {
      const isDelta = event.type === 'message_update' || event.type === 'tool_execution_update';
      if (everything.size === 0 && (isDelta || wholeOnly.size === 0)) return;
      const time = now();
      if (time !== stampedAt) {
        stampedAt = time;
        timestamp = new Date(time).toISOString();
      }
      const stamped: StampedEvent = { ...event, timestamp };
      for (const listener of everything) tell(listener, stamped);
      if (!isDelta) for (const listener of wholeOnly) tell(listener, stamped);
    },
    subscribe(listener, { deltas = true } = {}) {
      const set = deltas ? everything : wholeOnly;
      set.add(listener);
      return () => set.delete(listener);
    },
  };
}

/** A listener's failure is its own: the run goes on, and the failure surfaces as an uncaught error of the process. */
function tell(listener: Listener, event: StampedEvent): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** A queue between the hub and a reader that takes its time. */
export function createReader(): { push: Listener; end(): void; events: AsyncIterableIterator<StampedEvent> } {
  const queue: StampedEvent[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const notify = () => {
    wake?.();
    wake = undefined;
  };
  async function* drain(): AsyncGenerator<StampedEvent, undefined> {
    for (;;) {
      const next = queue.shift();
      if (next) yield next;
      else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    push(event) {
      const last = queue.at(-1);
      const joined = last && join(last, event);
      if (joined) queue[queue.length - 1] = joined;
      else queue.push(event);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    events: drain(),
  };
}

/** Two deltas of the same thing as one, or nothing if they are not. */
function join(a: StampedEvent, b: StampedEvent): StampedEvent | undefined {
  if (a.type === 'message_update' && b.type === 'message_update') {
    if (!('text' in a.delta) || !('text' in b.delta)) return undefined;
    if (a.delta.kind !== b.delta.kind || a.delta.index !== b.delta.index) return undefined;
    return { ...a, delta: { ...a.delta, text: a.delta.text + b.delta.text } };
  }
  if (a.type === 'tool_execution_update' && b.type === 'tool_execution_update' && a.toolCallId === b.toolCallId) {
    return { ...a, delta: a.delta + b.delta };
  }
  return undefined;
}
