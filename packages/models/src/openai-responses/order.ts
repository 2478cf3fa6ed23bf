/**
 * Puts numbered events back in their order: what comes twice is heard once, what comes early waits a little for what was
 * missed. Nothing is lost where numbers are left out, or mean nothing because two events share one.
 */
import type { WireEvent } from './wire.ts';

/** So many are held back at most; then the number they wait for counts as left out, and none is waited for again. */
const maxHeld = 16;
/** How many events are remembered, to know one that comes again. */
const maxRecent = 64;

export interface Order {
  push(event: WireEvent, data: string): void;
  /** The stream is over: what was held is heard. */
  close(): void;
}

export function createOrder(take: (event: WireEvent) => void, isLast: (event: WireEvent) => boolean): Order {
  const held = new Map<number, WireEvent>();
  const recent: { number: number; data: string }[] = [];
  let next: number | undefined;
  let waits = true;
  let trusted = true;

  function release(): void {
    for (const [number, event] of [...held].sort(([a], [b]) => a - b)) {
      next = number + 1;
      take(event);
    }
    held.clear();
  }

  /** What was heard under this number, if it is remembered. */
  function heard(number: number): string | undefined {
    const kept = recent[number % maxRecent];
    return kept?.number === number ? kept.data : undefined;
  }

  function follow(): void {
    for (let event = held.get(next ?? 0); event; event = held.get(next ?? 0)) {
      held.delete(next ?? 0);
      next = (next ?? 0) + 1;
      take(event);
    }
  }

  return {
    push(event, data) {
      const number = event.sequence_number;
      if (!trusted || typeof number !== 'number') return take(event);
      if (isLast(event)) {
        release();
        return take(event);
      }
      const before = heard(number);
      if (before === data) return;
      if (next !== undefined && number < next) {
        // Two events of one number: it is no number of the stream.
        if (before !== undefined) trusted = false;
        release();
        return take(event);
      }
      recent[number % maxRecent] = { number, data };
      if (waits && next !== undefined && number > next) {
        held.set(number, event);
        if (held.size <= maxHeld) return;
        waits = false;
        return release();
      }
      next = number + 1;
      take(event);
      follow();
    },
    close: release,
  };
}
