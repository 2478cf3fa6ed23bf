/** Notices a model that goes in circles: turn after turn the same calls with the same results. */
import { type ToolCall, type ToolResultMessage, toolCallsOf } from '@tau/core';
import type { Turn } from './turn.ts';

/** A circle of up to so many different turns is seen. What is called at once is one step, however much it is. */
const maxPeriod = 3;

export interface Repeats {
  /** The call that was just made for the last time allowed, if that is what happened. */
  add(turn: Turn): ToolCall | undefined;
  /** Somebody said that it may go on, or something new. */
  forget(): void;
}

export function createRepeats(limit: number): Repeats {
  const made: string[] = [];
  return {
    add({ message, results }) {
      const calls = toolCallsOf(message);
      if (calls.length === 0) return undefined;
      made.push(calls.map((call, at) => signature(call, results[at])).join(' '));
      made.splice(0, made.length - limit * maxPeriod);
      return goesInCircles(made, limit) ? calls.at(-1) : undefined;
    },
    forget() {
      made.length = 0;
    },
  };
}

function goesInCircles(made: readonly string[], limit: number): boolean {
  for (let period = 1; period <= maxPeriod; period++) {
    const last = made.slice(-period * limit);
    if (last.length === period * limit && last.every((one, at) => one === last[at % period])) return true;
  }
  return false;
}

/** Short whatever the call and its result are: two that differ by chance in nothing but this are no harm. */
function signature(call: ToolCall, result: ToolResultMessage | undefined): string {
  const text = `${call.name} ${JSON.stringify(call.arguments)} ${JSON.stringify(result?.content)}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length} ${hash}`;
}
