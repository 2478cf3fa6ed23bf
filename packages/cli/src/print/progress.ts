/** What tau is doing, for whoever waits: a line when a call begins and one when it ends, thinking, and what it all took. */
import { type Agent, isOwnCommand, type RunOutcome, type StampedEvent } from '@tau/agent';
import type { Style } from '../render/style.ts';
import { callLine, outcomeLine } from '../render/tool.ts';
import { createVisible, visibleLine } from '../render/visible.ts';
import { costOf } from './cost.ts';
import type { Screen } from './screen.ts';

const inputChars = 80;
const previewChars = 120;

interface ProgressOptions {
  screen: Screen;
  style: Style;
  /** Calls and how they went. */
  calls: boolean;
  thinking: boolean;
  /** The model's words go to the terminal as they come. */
  words: boolean;
}

export function createProgress({
  screen,
  style,
  calls,
  thinking,
  words,
}: ProgressOptions): (event: StampedEvent) => void {
  const running = new Map<string, string>();
  const answer = createVisible();
  const thoughts = createVisible();
  const rest = () => {
    if (words) screen.answer(answer.rest());
    if (thinking) screen.aside(style.dim(thoughts.rest()));
    screen.endLine();
  };
  return (event) => {
    if ('toolCallId' in event && isOwnCommand(event.toolCallId)) return;
    switch (event.type) {
      case 'turn_start':
        screen.working('thinking');
        break;
      case 'message_update':
        if (event.delta.kind === 'text' && words) {
          screen.working(undefined);
          screen.answer(answer.piece(event.delta.text));
        } else if (event.delta.kind === 'thinking' && thinking) {
          screen.aside(style.dim(thoughts.piece(event.delta.text)));
        }
        break;
      case 'message_end':
        if (event.message.role === 'assistant') rest();
        break;
      case 'tool_execution_start':
        running.set(event.toolCallId, event.toolName);
        if (calls) screen.line(callLine(event.toolName, event.input, style, inputChars));
        screen.working(visibleLine([...running.values()].join(', ')));
        break;
      case 'tool_execution_end':
        running.delete(event.toolCallId);
        if (calls) screen.line(outcomeLine(event, style, previewChars));
        screen.working(running.size === 0 ? 'thinking' : visibleLine([...running.values()].join(', ')));
        break;
      case 'agent_end':
        screen.working(undefined);
        break;
      default:
        break;
    }
  };
}

/** What a run took, on one line. */
export function usageLine(agent: Agent, outcome: RunOutcome, durationMs: number): string {
  const { turns, usage } = outcome;
  const cost = costOf(agent, outcome);
  const cached = usage.cacheRead > 0 ? ` (${usage.cacheRead} more from the cache)` : '';
  return [
    `tau: ${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    `${usage.input + usage.cacheWrite} tokens in${cached}`,
    `${usage.output} out`,
    cost === null ? 'price not known' : `$${cost.toFixed(4)}`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ].join(', ');
}
