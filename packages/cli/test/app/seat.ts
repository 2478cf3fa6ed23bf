/** Somebody at the screen without a terminal: keys go in through the real decoder, and what is asked is drawn. */
import type { Ask, Question } from '@tau/agent';
import {
  createDecoder,
  createEditor,
  createKeymap,
  createScreen,
  cursorMarker,
  defaultActions,
  openTheme,
  stripAnsi,
  type Terminal,
  widthOf,
} from '@tau/tui';
import { expect, onTestFinished, vi } from 'vitest';
import { createAsking } from '../../src/app/asking.ts';
import { appActions } from '../../src/app/keys.ts';
import { createPanels } from '../../src/app/panels/panel.ts';
import { createViewing } from '../../src/app/viewing.ts';

export const keys = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageDown: '\u001b[6~',
  space: ' ',
  ctrlC: '\u0003',
  ctrlO: '\u000f',
};

export interface SeatOptions {
  cwd?: string;
  rows?: number;
}

/** Time stands still but for `pass`. */
export function takeSeat({ cwd = '/work', rows = 24 }: SeatOptions = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { theme } = openTheme('dark', { depth: 'truecolour' });
  const keymap = createKeymap({ actions: [...appActions, ...defaultActions] });
  const terminal: Terminal = {
    ...{ columns: 80, rows, write() {}, alternate() {}, start() {}, enable() {}, suspend() {} },
    lend: () => () => {},
    stop: async () => {},
  };
  const screen = createScreen({ terminal });
  const sent: string[] = [];
  const editor = createEditor({ theme, keys: keymap, onSubmit: (text) => sent.push(text) });
  const panels = createPanels((panel) => screen.focus(panel ?? editor));
  const viewing = createViewing({ screen, theme, keys: keymap, onChange() {} });
  let time = 1_000_000;
  let stops = 0;
  const asking = createAsking({
    ...{ panels, theme, keys: keymap, cwd, viewing, draft: editor, onChange() {} },
    room: () => rows,
    sandbox: () => ({ on: false, reason: 'this is a test' }),
    stop() {
      stops += 1;
    },
    now: () => time,
  });
  screen.focus(editor);
  const pass = (ms: number) => {
    time += ms;
    vi.advanceTimersByTime(ms);
  };
  const decoder = createDecoder({
    onEvent(event) {
      screen.handleInput(event);
      asking.heard(event);
    },
  });
  /** The lines of what is open, each checked to fit and to hold nothing that a terminal would obey. */
  const shown = (width = 80): string[] =>
    (panels.current ?? editor).render(width).map((line) => {
      const bare = line.replaceAll(cursorMarker, '');
      expect(widthOf(bare), JSON.stringify(bare)).toBeLessThanOrEqual(width);
      expect(stripAnsi(bare)).not.toMatch(/[\p{Cc}\u202a-\u202e\u200b]/u);
      return stripAnsi(bare).trimEnd();
    });
  /** Keys one after another, without a pause. */
  const type = (...typed: readonly string[]) => {
    for (const one of typed) {
      decoder.feed(one);
      decoder.flush();
      time += 20;
    }
  };
  return {
    ...{ asking, panels, editor, sent, viewing, pass, shown, type, theme, keymap },
    stops: () => stops,
    /** A key, and the time it takes to see that it came alone. */
    press(...pressed: readonly string[]) {
      for (const one of pressed) {
        shown();
        type(one);
        pass(1000);
      }
    },
    /** What was answered; undefined while nobody did. */
    ask(ask: Ask, signal = new AbortController().signal) {
      return follow(asking.ask(ask, signal));
    },
    question(question: Question, signal = new AbortController().signal) {
      return follow(asking.question(question, signal));
    },
  };
}

function follow<T>(promise: Promise<T>): { value(): Promise<T | undefined> } {
  let value: T | undefined;
  void promise.then((given) => {
    value = given;
  });
  return {
    async value() {
      await Promise.resolve();
      await Promise.resolve();
      return value;
    },
  };
}

const decision = { outcome: 'ask' as const, reason: 'why not', class: 'unknown' as const, effects: [] };

export function asked(toolName: string, input: Ask['input'], more: Partial<Ask['decision']> = {}): Ask {
  return { id: 'ask-1', toolCallId: 'c1', toolName, input, decision: { ...decision, ...more } };
}
