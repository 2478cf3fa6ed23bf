/** Of a conversation that goes on: which part of it is seen again at the start. The rest is in the transcript viewer. */
import type { Message } from '@tau/agent';

/** Exchanges, and messages of all of them together. */
const [maxPrompts, maxMessages] = [2, 30];

export function lastExchanges(messages: readonly Message[]): { shown: readonly Message[]; before: number } {
  let first = messages.length;
  let prompts = 0;
  for (let at = messages.length - 1; at >= 0 && messages.length - at <= maxMessages && prompts < maxPrompts; at--) {
    if (messages[at]?.role !== 'user') continue;
    first = at;
    prompts += 1;
  }
  if (prompts === 0) first = Math.max(0, messages.length - maxMessages);
  // A result without its call says nothing.
  while (messages[first]?.role === 'toolResult') first += 1;
  return { shown: messages.slice(first), before: first };
}
