/**
 * What the model is still told of the part of a conversation that was cut: what the user said and which calls were made, a
 * line each. It is made once, when the cut is, and kept with it: what was told stays the same to the byte.
 */
import { clipped, isRecord, type SessionEntry, type SessionMessage, summariseCall, type ToolCall } from '@tau/core';

export interface LeftOut {
  /** `> ` and what the user said, or `- ` and a call. */
  lines: string[];
  /** Lines that had no room. */
  more: number;
}

const maxBytes = 2048;
const promptChars = 200;

/** `earlier` is what the cut before this one left; `room` how many bytes more than that may be said. */
export function leaveOut(gone: readonly SessionEntry[], room: number, earlier: LeftOut = nothing): LeftOut {
  const limit = Math.min(maxBytes, earlier.lines.reduce((sum, line) => sum + cost(line), 0) + room);
  return bounded({ lines: [...earlier.lines, ...linesOf(gone)], more: earlier.more }, limit);
}

const nothing: LeftOut = { lines: [], more: 0 };

/** As a cut has it: the file may be somebody else's. */
export function leftOutIn(data: unknown): LeftOut {
  const found = isRecord(data) && isRecord(data.leftOut) ? data.leftOut : {};
  const lines: unknown[] = Array.isArray(found.lines) ? found.lines : [];
  return {
    lines: lines.filter((line) => typeof line === 'string'),
    more: typeof found.more === 'number' ? found.more : 0,
  };
}

function linesOf(entries: readonly SessionEntry[]): string[] {
  const calls = new Map<string, ToolCall>();
  return entries.flatMap((entry) => (entry.type === 'message' ? (lineOf(entry.message, calls) ?? []) : []));
}

/** A call is told with its result, in the order in which they came. */
function lineOf(message: SessionMessage, calls: Map<string, ToolCall>): string | undefined {
  switch (message.role) {
    case 'user': {
      const { content } = message;
      const text =
        typeof content === 'string'
          ? content
          : content.map((block) => (block.type === 'text' ? block.text : '(image)')).join(' ');
      return `> ${clipped(text, promptChars)}`;
    }
    case 'assistant':
      for (const block of message.content) if (block.type === 'toolCall') calls.set(block.id, block);
      return undefined;
    case 'toolResult':
      return `- ${summariseCall(message.toolName, calls.get(message.toolCallId)?.arguments ?? {}, message)}`;
    case 'bashExecution':
      if (message.excludeFromContext === true) return undefined;
      return `- the user ran ${clipped(message.command, promptChars)}`;
    default:
      return undefined;
  }
}

/** Old calls go first, then old prompts; the very first prompt, which often says what it is all about, goes last. */
function bounded({ lines, more }: LeftOut, limit: number): LeftOut {
  const order = lines.map((_, at) => at);
  const isPrompt = (at: number) => lines[at]?.startsWith('> ') === true;
  const first = order.find(isPrompt);
  const rank = (at: number) => (at === first ? 2 : isPrompt(at) ? 1 : 0);
  const leaving = order.toSorted((a, b) => rank(a) - rank(b) || a - b);
  const gone = new Set<number>();
  let bytes = lines.reduce((sum, line) => sum + cost(line), 0);
  for (const at of leaving) {
    if (bytes <= limit) break;
    bytes -= cost(lines[at] ?? '');
    gone.add(at);
  }
  return { lines: lines.filter((_, at) => !gone.has(at)), more: more + gone.size };
}

function cost(line: string): number {
  return Buffer.byteLength(line) + 1;
}
