/** Prompts one after another: a second one waits for the first to end, and each has a stream of its own events. */
import { type StampedEvent, TauError, type UserMessage } from '@tau/core';
import type { RunOutcome } from '@tau/engine';
import type { EventHub } from './events.ts';
import { createReader } from './reader.ts';

/**
 * A prompt under way, or waiting for the one before it: iterate it for its events from then on, await `outcome` for how
 * it ended. If the session cannot be written, both throw.
 */
export interface Run extends AsyncIterable<StampedEvent> {
  outcome: Promise<RunOutcome>;
}

export interface Runs {
  start(prompt: UserMessage, signal: AbortSignal): Run;
  /** Something runs or waits. */
  busy(): boolean;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

const maxWaiting = 1000;

export function createRuns(
  hub: EventHub,
  begin: (prompt: UserMessage, signal: AbortSignal) => Promise<RunOutcome>,
): Runs {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    start(prompt, signal) {
      if (waiting === maxWaiting) throw new TauError('usage', `${maxWaiting} prompts are waiting already`);
      waiting += 1;
      const whenBegun: (() => void)[] = [];
      let begun = false;
      // A tick later at the earliest, so that whoever iterates misses nothing.
      const outcome = last.then(() => {
        begun = true;
        for (const subscribe of whenBegun.splice(0)) subscribe();
        return begin(prompt, signal);
      });
      const done = () => {
        waiting -= 1;
      };
      last = outcome.then(done, done);
      return {
        outcome,
        [Symbol.asyncIterator]() {
          let unsubscribe = () => {};
          const reader = createReader(() => unsubscribe());
          const subscribe = () => {
            unsubscribe = hub.subscribe(reader.push);
          };
          if (begun) subscribe();
          else whenBegun.push(subscribe);
          outcome.then(
            () => reader.end(),
            (error: unknown) => reader.end(error),
          );
          return reader.events;
        },
      };
    },
    busy: () => waiting > 0,
    async idle() {
      for (let seen: unknown; seen !== last; ) {
        seen = last;
        await last;
      }
    },
  };
}
