/** The list of completions under the editor: asks, drops answers that come too late, keeps the choice, draws. */
import { printableLine } from '../../text/ansi.ts';
import { cut, pad } from '../../text/cut.ts';
import { widthOf } from '../../text/width.ts';
import type { Theme } from '../../theme/theme.ts';
import type { Completion, CompletionProvider, CompletionRequest, Completions } from './provider.ts';

export interface Open {
  items: readonly Completion[];
  selected: number;
  /** The column of the cursor's line from which on the value replaces what is there. */
  from: number;
}

export interface Popup {
  /** What is offered now. */
  open(): Open | undefined;
  /** What is offered was offered for an earlier text; the answer for this one is on its way. */
  readonly isLate: boolean;
  /** Asks anew. An answer that is there at once is shown at once. */
  ask(request: (signal: AbortSignal) => CompletionRequest): void;
  close(): void;
  select(by: number): void;
}

export interface PopupOptions {
  provider: CompletionProvider;
  /** Something is to be drawn anew; only for answers that came later. */
  onAnswer(): void;
  onError(error: unknown): void;
}

export function createPopup({ provider, onAnswer, onError }: PopupOptions): Popup {
  let open: Open | undefined;
  let asked: AbortController | undefined;
  let isLate = false;

  function take(answer: Completions | undefined, { before }: CompletionRequest): void {
    isLate = false;
    if (answer === undefined || answer.items.length === 0) {
      open = undefined;
      return;
    }
    const chosen = open?.items[open.selected]?.value;
    const again = answer.items.findIndex(({ value }) => value === chosen);
    // The choice stays only if the user had moved it; else the best is chosen.
    const from = Math.max(0, before.length - answer.replaces);
    open = { items: answer.items, from, selected: open !== undefined && open.selected > 0 && again > 0 ? again : 0 };
  }

  async function wait(answer: Promise<Completions | undefined>, request: CompletionRequest): Promise<void> {
    try {
      const completions = await answer;
      if (request.signal.aborted) return;
      take(completions, request);
      onAnswer();
    } catch (error) {
      if (request.signal.aborted) return;
      isLate = false;
      open = undefined;
      onError(error);
    }
  }

  return {
    open: () => open,
    get isLate() {
      return isLate;
    },
    ask(request) {
      asked?.abort();
      asked = new AbortController();
      const wanted = request(asked.signal);
      const answer = provider.complete(wanted);
      isLate = answer instanceof Promise;
      if (answer instanceof Promise) void wait(answer, wanted);
      else take(answer, wanted);
    },
    close() {
      asked?.abort();
      asked = undefined;
      isLate = false;
      open = undefined;
    },
    select(by) {
      if (open === undefined) return;
      const { length } = open.items;
      open = { ...open, selected: (open.selected + by + length * Math.abs(by)) % length };
    },
  };
}

/** How many are seen at once. */
const seen = 8;

export function drawPopup(open: Open, width: number, theme: Theme): string[] {
  const { items, selected } = open;
  const top = Math.max(0, Math.min(selected - (seen >> 1), items.length - seen));
  const shown = items.slice(top, top + seen);
  const labels = shown.map((item) => printableLine(item.label ?? item.value));
  const half = Math.max(8, width >> 1);
  const described = shown.some(({ description }) => description) && width - half - 4 >= 8;
  const room = Math.min(Math.max(...labels.map(widthOf)), described ? half : width - 2);
  const lines = shown.map((item, index) =>
    drawItem(item, labels[index] ?? '', top + index === selected, room, width, theme),
  );
  if (items.length > seen) lines.push(theme.paint('muted', cut(`  ${selected + 1} of ${items.length}`, width)));
  return lines;
}

function drawItem(item: Completion, label: string, chosen: boolean, room: number, width: number, theme: Theme): string {
  const description = printableLine(item.description ?? '');
  const left = cut(`${chosen ? '›' : ' '} ${description === '' ? label : pad(label, room)}`, width);
  const space = width - widthOf(left) - 2;
  const right = description === '' || space < 8 ? '' : `  ${cut(description, space)}`;
  return chosen ? theme.paint('selection', left) + theme.paint('muted', right) : left + theme.paint('muted', right);
}
