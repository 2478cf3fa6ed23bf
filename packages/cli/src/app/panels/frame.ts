/** What every question looks like: what it is about, what belongs to it, the answers, and which keys do what. */
import {
  createHints,
  cut,
  type Focusable,
  type Hint,
  type InputEvent,
  type KeyMatcher,
  printKey,
  type Theme,
} from '@tau/tui';
import { createHold, type Habits, type Hold } from './hold.ts';
import type { Panel } from './panel.ts';
import type { Scroll } from './scroll.ts';

export interface FrameOptions {
  theme: Theme;
  keys: KeyMatcher;
  /** Rows there are for all of it. */
  room(): number;
  /** Always seen. */
  title(width: number): readonly string[];
  /** What it is about. */
  body: Scroll;
  /** What else is to be known. It gives way to the body when there is little room. */
  notes?(width: number): readonly string[];
  answers: Focusable;
  /** Below the answers. */
  hints(): readonly Hint[];
  /** Contexts of keys that are asked before the answers, and what those keys do. True when it was done. */
  contexts: readonly string[];
  act(action: string): boolean;
  /** Absent where nobody can be writing anything else. */
  habits?: Habits;
  /** The answer is typed. */
  takesWords?: boolean;
  onChange(): void;
}

export interface Frame extends Panel {
  /** It was answered, or is not asked any more. */
  end(): void;
}

export function createFrame(options: FrameOptions): Frame {
  const { theme, keys, body, answers, habits } = options;
  const hold: Hold | undefined =
    habits && createHold({ habits, pass, takesWords: options.takesWords === true, onChange: options.onChange });
  let focused = false;

  function pass(event: InputEvent): boolean {
    const found = keys.match(event, options.contexts);
    if (found === 'pending') return true;
    if (found && act(found.action)) return true;
    return answers.handleInput(event);
  }

  function act(action: string): boolean {
    if (action === 'app.ask.scrollUp') return body.move(-1);
    if (action === 'app.ask.scrollDown') return body.move(1);
    return options.act(action);
  }

  function below(width: number): readonly string[] {
    if (!hold?.isWriting || !hold.draft) {
      const hints = createHints({ theme, keys, hints: options.hints() }).render(width);
      return [...answers.render(width), ...hints];
    }
    const note = 'You are writing: tab turns to this question.';
    return [cut(theme.paint('warning', note), width), ...hold.draft.render(width)];
  }

  return {
    get focused() {
      return focused;
    },
    set focused(on) {
      focused = on;
      answers.focused = on;
      if (on) hold?.begin();
      else hold?.leave();
    },
    handleInput: (event) => (hold ? hold.handle(event) : pass(event)),
    render(width) {
      const title = options.title(width);
      const end = below(width);
      const room = options.room() - 1 - title.length - end.length;
      const rest = Math.max(least + 1, room);
      const gap = rest > spacious ? [''] : [];
      const notes = options.notes?.(width) ?? [];
      const share = Math.max(Math.floor((rest - gap.length) / 2), least);
      const about = body.render(width, Math.max(share, rest - gap.length - notes.length));
      const left = Math.max(1, room - gap.length - about.length);
      if (focused) hold?.drawn();
      return [
        theme.paint('askBorder', '─'.repeat(Math.max(0, width))),
        ...title,
        ...about,
        ...firstOf(notes, left, (hidden) =>
          cut(theme.paint('warning', `… ${hidden} more lines: ${viewHint(keys)}`), width),
        ),
        ...gap,
        ...end,
      ];
    },
    end: () => hold?.leave(),
  };
}

/** What it is about is seen from both ends, however small the terminal is. */
const least = 3;
/** With more rows than this for what is asked, an empty one sets the answers apart. */
const spacious = 6;

function firstOf(lines: readonly string[], rows: number, note: (hidden: number) => string): readonly string[] {
  return lines.length <= rows ? lines : [...lines.slice(0, rows - 1), note(lines.length - rows + 1)];
}

/** How to see what there is no room for. */
function viewHint(keys: KeyMatcher): string {
  return hintsOf(keys, [['app.ask.view', 'shows all']]);
}

export function scrollHint(keys: KeyMatcher): string {
  return hintsOf(keys, [
    ['app.ask.view', 'shows all'],
    ['app.ask.scrollDown', 'scrolls'],
  ]);
}

function hintsOf(keys: KeyMatcher, wanted: readonly (readonly [action: string, words: string])[]): string {
  const bound = wanted.flatMap(([action, words]) => {
    const [key] = keys.keysFor(action);
    return key === undefined ? [] : [`${printKey(key)} ${words}`];
  });
  return bound.length === 0 ? 'a larger window has room for them' : bound.join(', ');
}
