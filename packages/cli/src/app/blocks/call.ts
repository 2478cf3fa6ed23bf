/**
 * One tool call, from the first letter of its name to its result. While it is open it shows what arrives: arguments, then
 * output. Handed over, it is compact: what was done, how it went, and where the whole of it is.
 */
import { callOutcome, type ToolInput, type ToolResult } from '@tau/agent';
import { printableLine, type Theme } from '@tau/tui';
import type { Block } from '../transcript.ts';
import { bodyOf } from './call-body.ts';
import { titleLines } from './call-title.ts';
import { type CardWorld, detailsOf } from './card.ts';
import { seconds } from './thinking.ts';

type CallState = 'arriving' | 'waiting' | 'asked' | 'running' | 'done' | 'failed' | 'denied';

export interface CallBlock extends Block {
  readonly id: string;
  readonly tool: string;
  readonly state: CallState;
  /** What is known of its arguments so far, asked for when it is drawn. */
  arrives(input: () => ToolInput): void;
  /** All of them are there. */
  arrived(input: ToolInput): void;
  /** Somebody is asked. */
  asked(): void;
  answered(isAllowed: boolean): void;
  starts(input: ToolInput): void;
  writes(text: string): void;
  ends(result: ToolResult): void;
  /** It will not run: the run was stopped before its turn. */
  drop(why: string): void;
}

export interface CallOptions extends CardWorld {
  id: string;
  tool: string;
  /** The user runs it. */
  isUsers?: boolean;
}

/** Not worth a word. */
const briefMs = 1000;

export function callBlock(options: CallOptions): CallBlock {
  const { id, tool, theme, now, isUsers = false } = options;
  let input: () => ToolInput = () => ({});
  let state: CallState = 'arriving';
  let since = now();
  let tookMs = 0;
  let outcome = '';
  let isRefused = false;
  let given = false;
  const body = bodyOf(tool, options);

  const isOver = () => state === 'done' || state === 'failed' || state === 'denied';

  function stateText(): string {
    const muted = (text: string) => theme.paint('muted', text);
    if (state === 'asked') return theme.paint('askTitle', 'waits for your answer');
    if (state === 'running' && now() - since >= briefMs) return muted(seconds(now() - since));
    if (!isOver()) return '';
    const parts = [
      ...(state === 'denied' ? [theme.paint('toolError', 'not done')] : []),
      ...(outcome === '' ? [] : [painted(outcome, state === 'failed', theme)]),
      ...(tookMs >= briefMs || (tool === 'bash' && tookMs > 0) ? [muted(seconds(tookMs))] : []),
    ];
    // Words that could be more of the command or the pattern are kept apart from it.
    const isApart = state !== 'denied' && /^[^(]/.test(outcome);
    return `${isApart ? muted('· ') : ''}${parts.join(muted(' · '))}`;
  }

  function title(width: number, rows: number): string[] {
    return titleLines(
      { mark: mark(state, theme), tool, input: input(), state: stateText(), isUsers },
      options,
      width,
      rows,
    );
  }

  function lines(width: number, rows: number): string[] {
    const head = title(width, rows);
    const room = rows - head.length;
    if (room <= 0) return head.slice(0, rows);
    if (isOver()) return [...head, ...body.final(width).slice(0, room)];
    body.input(input());
    return [...head, ...body.live(width, room)];
  }

  return {
    id,
    tool,
    get state() {
      return state;
    },
    get done() {
      return isOver();
    },
    arrives(partial) {
      if (state === 'arriving') input = partial;
    },
    arrived(whole) {
      if (state !== 'arriving') return;
      input = () => whole;
      state = 'waiting';
    },
    asked() {
      if (!isOver()) state = 'asked';
    },
    answered(isAllowed) {
      isRefused = !isAllowed;
      if (state === 'asked') state = 'waiting';
    },
    starts(whole) {
      input = () => whole;
      state = 'running';
      since = now();
    },
    writes: body.write,
    ends(result) {
      const { durationMs } = detailsOf(result);
      tookMs = typeof durationMs === 'number' ? durationMs : state === 'running' ? now() - since : 0;
      const failed = result.isError === true;
      state = !failed ? 'done' : isRefused || isDenial(result) ? 'denied' : 'failed';
      outcome = callOutcome(tool, result) ?? '';
      body.input(input());
      body.end(result);
    },
    drop(why) {
      if (isOver()) return;
      state = 'denied';
      outcome = why;
    },
    take(width) {
      if (given || !isOver()) return [];
      given = true;
      return lines(width, Number.POSITIVE_INFINITY);
    },
    live: (width, rows) => (given ? [] : lines(width, rows)),
  };
}

/** How the gate's refusals begin. They have no details: nothing was done. */
function isDenial({ content: [first], details }: ToolResult): boolean {
  return (
    details === undefined && first?.type === 'text' && /^(?:Not allowed:|Blocked by a hook:|Not run)/.test(first.text)
  );
}

function painted(outcome: string, isError: boolean, theme: Theme): string {
  const [, added, removed] = /^\((\+\d+) (-\d+)\)$/.exec(outcome) ?? [];
  if (added !== undefined && removed !== undefined) {
    return `${theme.paint('diffAdded', added)} ${theme.paint('diffRemoved', removed)}`;
  }
  return theme.paint(isError ? 'toolError' : 'muted', printableLine(outcome));
}

function mark(state: CallState, theme: Theme): string {
  switch (state) {
    case 'arriving':
    case 'waiting':
      return theme.paint('toolPending', '○');
    case 'asked':
      return theme.paint('askTitle', '?');
    case 'running':
      return theme.paint('toolPending', '●');
    case 'done':
      return theme.paint('toolSuccess', '✓');
    case 'failed':
    case 'denied':
      return theme.paint('toolError', '✗');
  }
}
