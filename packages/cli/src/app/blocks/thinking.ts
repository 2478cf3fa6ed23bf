/** What the model thinks: its last lines while it does, one line afterwards; whole where it is to be shown. */
import { printable, type Theme, wrap } from '@tau/tui';
import type { Block } from '../transcript.ts';
import { noteLines } from './said.ts';

export interface ThinkingBlock extends Block {
  push(text: string): void;
  end(): void;
}

/** While it is folded. */
const foldedRows = 3;

export function thinkingBlock(theme: Theme, isShown: () => boolean, now: () => number): ThinkingBlock {
  const begun = now();
  let text = '';
  let tookMs: number | undefined;
  let given = false;
  const words = (part: string, width: number) =>
    wrap(printable(part.trim()), Math.max(1, width - 2)).map((line) => theme.paint('thinkingText', `  ${line}`));
  return {
    get done() {
      return tookMs !== undefined;
    },
    push(more) {
      text += more;
    },
    end() {
      tookMs ??= now() - begun;
    },
    take(width) {
      if (given || tookMs === undefined) return [];
      given = true;
      if (text.trim() === '') return [];
      const title = noteLines(
        tookMs < 1000 ? 'thought' : `thought for ${seconds(tookMs)}`,
        theme,
        width,
        'thinkingText',
        '✻',
      );
      return isShown() ? [...title, ...words(text, width)] : title;
    },
    live(width, rows) {
      if (given || text.trim() === '') return [];
      const title = noteLines('thinking', theme, width, 'thinkingText', '✻');
      const room = Math.min(rows, isShown() ? rows : foldedRows) - 1;
      return [...title, ...(room > 0 ? words(lastPart(text, room * width * 2), width).slice(-room) : [])].slice(
        0,
        rows,
      );
    },
  };
}

/** So much of its end, from the beginning of a line where there is one: a frame must not cost more as it grows. */
function lastPart(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const end = text.slice(-chars);
  const line = end.indexOf('\n');
  return line >= 0 && line < chars / 2 ? end.slice(line + 1) : end;
}

export function seconds(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
