/**
 * A queue between the run and a reader that takes its time. It never makes the run wait and never grows with the bytes
 * that stream by: deltas of the same thing are joined, and of one thing at most `maxDeltaChars` wait; what falls off the
 * front is counted in `dropped`. Whole events (asks, results, ends) are never dropped.
 */
import type { StampedEvent } from '@tau/core';

const maxDeltaChars = 1024 * 1024;

export interface Reader {
  push(event: StampedEvent): void;
  /** No more events. With an error, the iteration throws it after the last one. */
  end(error?: unknown): void;
  events: AsyncIterableIterator<StampedEvent>;
}

type Delta = Extract<StampedEvent, { type: 'message_update' | 'tool_execution_update' }>;

/** `onLeave` is called once, when the reader has the last event or stops early. */
export function createReader(onLeave: () => void): Reader {
  const queue: StampedEvent[] = [];
  /** Deltas that wait behind the last whole event, by what they are a delta of. */
  const joinable = new Map<string, Delta>();
  let ended: { error?: unknown } | undefined;
  let wake: (() => void) | undefined;

  function notify(): void {
    wake?.();
    wake = undefined;
  }

  async function* drain(): AsyncGenerator<StampedEvent, undefined> {
    try {
      for (;;) {
        const next = queue.shift();
        if (next) {
          if (joinable.get(keyOf(next) ?? '') === next) joinable.delete(keyOf(next) ?? '');
          yield next;
        } else if (ended) {
          if ('error' in ended) throw ended.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      onLeave();
    }
  }

  return {
    push(event) {
      const key = keyOf(event);
      const waiting = key === undefined ? undefined : joinable.get(key);
      if (waiting) {
        join(waiting, event);
      } else {
        // A copy of what will grow: other readers have the same object.
        const own = isDelta(event) ? copy(event) : event;
        queue.push(own);
        if (key === undefined) joinable.clear();
        else if (isDelta(own)) joinable.set(key, own);
      }
      notify();
    },
    end(...error) {
      ended = error.length > 0 ? { error: error[0] } : {};
      notify();
    },
    events: drain(),
  };
}

function isDelta(event: StampedEvent): event is Delta {
  return event.type === 'message_update' || event.type === 'tool_execution_update';
}

/** What a delta is a delta of. A start or an end of a call joins with nothing. */
function keyOf(event: StampedEvent): string | undefined {
  if (event.type === 'tool_execution_update') return `tool ${event.toolCallId}`;
  if (event.type !== 'message_update' || !('text' in event.delta)) return undefined;
  return `${event.delta.kind} ${event.delta.index}`;
}

function copy(event: Delta): Delta {
  return event.type === 'message_update' ? { ...event, delta: { ...event.delta } } : { ...event };
}

function join(into: Delta, event: StampedEvent): void {
  if (into.type === 'tool_execution_update' && event.type === 'tool_execution_update') {
    into.delta = keepTail(into, into.delta + event.delta);
  } else if (into.type === 'message_update' && event.type === 'message_update') {
    if ('text' in into.delta && 'text' in event.delta)
      into.delta.text = keepTail(into, into.delta.text + event.delta.text);
  }
}

function keepTail(event: Delta, text: string): string {
  if (text.length <= maxDeltaChars) return text;
  event.dropped = (event.dropped ?? 0) + text.length - maxDeltaChars;
  return text.slice(-maxDeltaChars);
}
