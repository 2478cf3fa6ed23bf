/** What is said while a run is under way, by the user and by others, and what waits for the next one. */
import { textOf, type UserMessage, userMessage, withHiddenTold, wordEntry } from '@tau/core';
import { createQueues, type Queues } from '@tau/engine';
import type { Settings } from './config/types.ts';
import type { Conversation } from './conversation.ts';
import type { EventHub } from './events.ts';
import type { Agent } from './options.ts';

export interface Hearing {
  queues: Queues;
  /** Something that nobody typed. `origin`: who says it. */
  say(text: string, origin: string, deliverAs?: 'steer' | 'followUp'): void;
  deeds: Pick<Agent, 'steer' | 'followUp' | 'tell' | 'queued' | 'clearQueues'>;
}

export function createHearing(
  hub: EventHub,
  { leaveWord }: Pick<Conversation, 'leaveWord'>,
  { steeringMode, followUpMode }: Settings,
): Hearing {
  const queues = createQueues({
    onChange: (steering, followUp) => hub.emit({ type: 'queue_update', steering, followUp }),
    ...(steeringMode && { steeringMode }),
    ...(followUpMode && { followUpMode }),
  });
  const say: Hearing['say'] = (text, origin, deliverAs = 'steer') => {
    const note: UserMessage = { ...userMessage(text, Date.now()), origin };
    if (!queues[deliverAs](note)) leaveWord(withHiddenTold(text).text, origin);
  };
  const said = (messages: readonly UserMessage[]) =>
    messages.filter(({ origin }) => origin === undefined).map((message) => textOf(message));
  return {
    queues,
    say,
    deeds: {
      steer: (text) => queues.steer(userMessage(text, Date.now())),
      followUp: (text) => queues.followUp(userMessage(text, Date.now())),
      tell: (text) => say(text, wordEntry),
      queued() {
        const { steering, followUp } = queues.pending();
        return { steering: said(steering), followUp: said(followUp) };
      },
      clearQueues() {
        const waiting = queues.clear();
        // Only what the user said is taken back.
        for (const message of waiting) if (message.origin !== undefined) say(textOf(message), message.origin);
        return said(waiting);
      },
    },
  };
}
