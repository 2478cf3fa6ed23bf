/** Messages that arrive while a run is under way: steering after the current batch, follow-ups when it would stop. */
import type { UserMessage } from '@tau/core';

export type DrainMode = 'one-at-a-time' | 'all';

const maxWaiting = 1000;

export interface Queues {
  /** Both return false when no run is there to hear it, or too much waits already. */
  steer(message: UserMessage): boolean;
  followUp(message: UserMessage): boolean;
  /** The loop's own: a run begins to listen, a run has decided to stop. */
  open(): void;
  seal(): void;
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
  let listening = false;
  const changed = () => options.onChange(steering.length, followUps.length);
  const take = (queue: UserMessage[], mode: DrainMode = 'one-at-a-time') => {
    const taken = queue.splice(0, mode === 'all' ? queue.length : 1);
    if (taken.length > 0) changed();
    return taken;
  };
  const put = (queue: UserMessage[], message: UserMessage) => {
    if (!listening || queue.length === maxWaiting) return false;
    queue.push(message);
    changed();
    return true;
  };
  return {
    steer: (message) => put(steering, message),
    followUp: (message) => put(followUps, message),
    open() {
      listening = true;
    },
    seal() {
      listening = false;
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
