/** Blocks that are whole from the beginning: what the user said, what tau says of itself. */
import { cut, mark, printable, type Role, type Theme, widthOf, wrap } from '@tau/tui';
import type { Block } from '../transcript.ts';

/** Lines made for the width there is when they are handed over. `before` is written with them and shows nothing. */
export function finished(lines: (width: number) => readonly string[], before = ''): Block {
  let given = false;
  return {
    done: true,
    take(width) {
      if (given) return [];
      given = true;
      return lines(width).map((line, at) => (at === 0 ? before + line : line));
    },
    live: (width, rows) => (given ? [] : lines(width).slice(-rows)),
  };
}

/** What the user said, on a ground of its own. */
export function userBlock(text: string, theme: Theme, about: readonly string[] = []): Block {
  const lines = (width: number) => {
    const room = Math.max(1, width - 2);
    const { lines, more } = firstWords(text, room);
    const words = lines.map((line) => theme.paint('userMessageText', line));
    const rest = more > 0 ? [`… ${more} more characters: ctrl+o shows all`] : [];
    const notes = [...rest, ...about].map((line) => theme.paint('muted', cut(printable(line), room)));
    return [...words, ...notes].map((line) => {
      const rest = ' '.repeat(Math.max(0, room - widthOf(line)));
      return theme.paint('userMessageBg', ` ${line}${rest} `);
    });
  };
  // Terminals that know it jump from prompt to prompt.
  return finished(lines, mark('prompt'));
}

const maxWords = { lines: 40, chars: 8000 };

/** A long paste stays in the conversation; the screen shows its beginning. */
function firstWords(text: string, width: number): { lines: readonly string[]; more: number } {
  const near = text.slice(0, maxWords.chars);
  const wrapped = wrap(printable(near), width);
  if (near.length === text.length && wrapped.length <= maxWords.lines) return { lines: wrapped, more: 0 };
  const lines = wrapped.slice(0, maxWords.lines);
  return { lines, more: Math.max(1, text.length - lines.join('\n').length) };
}

/** A sentence of tau's own, behind a mark. */
export function noteBlock(text: string, theme: Theme, role: Role = 'noticeText', mark = '·'): Block {
  return finished((width) => noteLines(text, theme, width, role, mark));
}

export function noteLines(text: string, theme: Theme, width: number, role: Role, mark: string): string[] {
  const room = Math.max(1, width - 2);
  return wrap(printable(text), room).map((line, at) => theme.paint(role, `${at === 0 ? mark : ' '} ${line}`));
}
