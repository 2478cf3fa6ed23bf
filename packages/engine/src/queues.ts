/** Messages that arrive while a run is under way: steering after the current batch, follow-ups when it would stop. */
import type { UserMessage } from '@tau/core';

export type DrainMode = 'one-at-a-time' | 'all';

export interface Queues {
  steer(message: UserMessage): void;
  followUp(message: UserMessage): void;
  /** What to say now, in order; empty when there is nothing. */
  takeSteering(): UserMessage[];
  takeFollowUps(): UserMessage[];
  /** Empties both and returns what was waiting, steering first. */
  clear(): UserMessage[];
  pending(): { steering: readonly UserMessage[]; followUp: readonly UserMessage[] };
}

export function createQueues(options: {
  steeringMode?: DrainMode;
  followUpMode?: DrainMode;
  onChange(steering: number, followUp: number): void;
}): Queues {
  const steering: UserMessage[] = [];
  const followUps: UserMessage[] = [];
  const changed = () => options.onChange(steering.length, followUps.length);
  const take = (queue: UserMessage[], mode: DrainMode = 'one-at-a-time') => {
    const taken = queue.splice(0, mode === 'all' ? queue.length : 1);
    if (taken.length > 0) changed();
    return taken;
  };
  return {
    steer(message) {
      steering.push(message);
      changed();
    },
    followUp(message) {
      followUps.push(message);
      changed();
    },
    takeSteering: () => take(steering, options.steeringMode),
    takeFollowUps: () => take(followUps, options.followUpMode),
    clear() {
      const waiting = [...steering.splice(0), ...followUps.splice(0)];
      if (waiting.length > 0) changed();
      return waiting;
    },
    pending: () => ({ steering: [...steering], followUp: [...followUps] }),
  };
}
