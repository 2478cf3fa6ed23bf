/** Calls and their results, put side by side as models demand it, whatever order and gaps the record has. */
import type { Message, ToolCall, ToolResultMessage } from '@tau/core';
import { toolCallsOf } from '@tau/core';

/**
 * The same messages, with exactly one result for each call right after the message that made it: the recorded one, or
 * one that says there is none. A result that answers no call is left out. Ids can repeat in a long chain, so a result
 * answers the newest message before it that waits for its id.
 */
export function withPairedResults(messages: Iterable<Message>): Message[] {
  const told: Message[] = [];
  /** Where the results of open calls go, by id, the next to be filled last. */
  const open = new Map<string, number[]>();
  for (const message of messages) {
    if (message.role === 'toolResult') {
      const place = open.get(message.toolCallId)?.pop();
      if (place !== undefined) told[place] = message;
      continue;
    }
    told.push(message);
    if (message.role !== 'assistant') continue;
    const calls = toolCallsOf(message);
    const first = told.length;
    for (const call of calls) told.push(noResult(call, message.timestamp));
    for (const [index, { id }] of [...calls.entries()].reverse()) {
      const places = open.get(id) ?? [];
      places.push(first + index);
      open.set(id, places);
    }
  }
  return told;
}

function noResult(call: ToolCall, timestamp: number): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: 'No result was recorded for this call.' }],
    isError: true,
    timestamp,
  };
}
