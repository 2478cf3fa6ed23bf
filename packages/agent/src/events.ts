/** One stream, many readers. Emitting never waits and never fails. */
import { type AssistantMessage, describeError, type RunEvent, type StampedEvent } from '@tau/core';

export type Listener = (event: StampedEvent) => void;

export interface EventHub {
  emit(event: RunEvent): void;
  wantsDeltas(): boolean;
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
    wantsDeltas: () => everything.size > 0,
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

/** Words that nobody could follow as they came. */
export function showWhole<T extends AssistantMessage | { block: string }>(hub: EventHub, kept: T): T {
  if ('block' in kept || !hub.wantsDeltas()) return kept;
  for (const [index, block] of kept.content.entries()) {
    if (block.type !== 'text') continue;
    hub.emit({ type: 'message_update', delta: { kind: 'text', index, text: block.text } });
  }
  return kept;
}

/** A listener's failure is not the run's, nor the other listeners': it becomes a warning of the process. */
function tell(listener: Listener, event: StampedEvent): void {
  try {
    listener(event);
  } catch (error) {
    process.emitWarning(`A listener failed on ${event.type}: ${describeError(error)}`);
  }
}
