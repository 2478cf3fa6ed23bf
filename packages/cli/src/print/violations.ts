/** What the sandbox refused commands, for the one JSON object. Not among its denials: no approval was missing. */
import type { StampedEvent } from '@tau/agent';

export type Refused = Omit<Extract<StampedEvent, { type: 'sandbox_violation' }>, 'type' | 'timestamp'>;

/** What this event tells of, if it does. */
export function refusedIn(event: StampedEvent): Refused | undefined {
  if (event.type !== 'sandbox_violation') return undefined;
  const { type: _type, timestamp: _timestamp, ...refused } = event;
  return refused;
}
