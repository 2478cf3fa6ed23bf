/** Work goes on: a mark that turns, with a text that may shimmer. Time comes from outside, so a frame can be asked for. */
import type { Component } from '../component.ts';
import { printableLine } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import { graphemes } from '../text/graphemes.ts';
import { widthOf } from '../text/width.ts';
import type { Theme } from '../theme/theme.ts';

const styles = {
  braille: { frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'], ms: 80 },
  dots: { frames: ['·  ', '·· ', '···', ' ··', '  ·', '   '], ms: 160 },
  line: { frames: ['-', '\\', '|', '/'], ms: 120 },
} as const;
export type SpinnerStyle = keyof typeof styles;

export interface SpinnerOptions {
  theme: Theme;
  /** Milliseconds from any beginning. */
  now(): number;
  text?: string;
  style?: SpinnerStyle;
  /** A light that wanders over the text, column by column. */
  shimmer?: boolean;
  /** For readers of the screen and for whoever dislikes movement: the mark stands still. */
  still?: boolean;
  /** Follows the text: how long it took, how to stop it. */
  hint?(): string;
}

export interface Spinner extends Component {
  /** How often it looks different; undefined when it stands still, so nobody needs to draw it again. */
  readonly everyMs: number | undefined;
  setText(text: string): void;
}

/** Columns that the light is wide, and columns of dark before it comes again. */
const light = 3;
const dark = 12;

export function createSpinner(options: SpinnerOptions): Spinner {
  const { theme, now, style = 'braille', shimmer = false, still = false, hint } = options;
  const { frames, ms } = styles[style];
  let text = options.text ?? '';
  let known: { key: string; lines: readonly string[] } | undefined;

  return {
    everyMs: still ? undefined : ms,
    setText(next) {
      text = next;
    },
    render(width) {
      const step = still ? 0 : Math.floor(now() / ms);
      const said = hint?.() ?? '';
      const turn = shimmer ? step : step % frames.length;
      const key = `${width} ${turn} ${said} ${text}`;
      if (known?.key === key) return known.lines;
      const mark = still ? '•' : (frames[step % frames.length] ?? '');
      const room = Math.max(0, width - widthOf(mark) - 1);
      const words = cut(printableLine(text), room);
      const lit = shimmer && !still ? shimmering(words, step, theme) : words;
      const tail = said === '' ? '' : cut(` ${theme.paint('muted', printableLine(said))}`, room - widthOf(words));
      const line =
        words === '' && tail === '' ? theme.paint('spinner', mark) : `${theme.paint('spinner', mark)} ${lit}${tail}`;
      known = { key, lines: width < 1 ? [] : [cut(line, width)] };
      return known.lines;
    },
  };
}

function shimmering(text: string, step: number, theme: Theme): string {
  const at = (step % (widthOf(text) + dark)) - light;
  let column = 0;
  let before = '';
  let lit = '';
  let after = '';
  for (const grapheme of graphemes(text)) {
    if (column < at) before += grapheme;
    else if (column < at + light) lit += grapheme;
    else after += grapheme;
    column += widthOf(grapheme);
  }
  const paint = (role: 'muted' | 'accent', part: string) => (part === '' ? '' : theme.paint(role, part));
  return paint('muted', before) + paint('accent', lit) + paint('muted', after);
}
