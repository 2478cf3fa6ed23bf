/** A conversation told by events to a transcript without a terminal: what is handed over, and what is live. */
import type { RunEvent, ToolInput, ToolResult } from '@tau/agent';
import { createHighlighter, createParser, openTheme, stripAnsi } from '@tau/tui';
import { createNarrator, type Narrator } from '../../src/app/narrator.ts';
import { createTranscript } from '../../src/app/transcript.ts';

export interface Telling {
  narrator: Narrator;
  event(...events: RunEvent[]): void;
  /** A call that begins and ends. */
  call(id: string, toolName: string, input: ToolInput, result: ToolResult): void;
  /** What can be handed over now, without colours. */
  taken(): string[];
  live(rows?: number): string[];
  pass(ms: number): void;
  showThinking(on: boolean): void;
}

export function tell(width = 80): Telling {
  const { theme } = openTheme('dark', { depth: 'truecolour' });
  const transcript = createTranscript();
  const highlighter = createHighlighter();
  const parser = createParser();
  let time = 1_000_000;
  let isShown = false;
  const narrator = createNarrator({
    ...{ transcript, theme, highlighter, cwd: '/work' },
    markdown: () => ({ highlighter, parser }),
    now: () => time,
    images: () => undefined,
    showsThinking: () => isShown,
    onChange() {},
  });
  const event = (...events: RunEvent[]) => {
    for (const one of events) narrator.event({ ...one, timestamp: new Date(time).toISOString() });
  };
  const bare = (lines: readonly string[]) => lines.map((line) => stripAnsi(line).trimEnd());
  return {
    narrator,
    event,
    call(toolCallId, toolName, input, result) {
      event(
        { type: 'tool_execution_start', toolCallId, toolName, input },
        { type: 'tool_execution_end', toolCallId, toolName, result, summary: '' },
      );
    },
    taken: () => bare(transcript.take(width)),
    live: (rows = 20) => bare(transcript.live(width, rows)),
    pass(ms) {
      time += ms;
    },
    showThinking(on) {
      isShown = on;
    },
  };
}

export const text = (words: string, details?: unknown): ToolResult => ({
  content: [{ type: 'text', text: words }],
  details,
});

export const failed = (words: string, details?: unknown): ToolResult => ({ ...text(words, details), isError: true });

export const ended: RunEvent = {
  type: 'agent_end',
  reason: 'done',
  turns: 1,
  usage: {
    ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  models: [],
};
