/** What is around the editor's text: a prompt before it, lines above and below or a box, with words in them. */
import { cut } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import type { Role, Theme } from '../theme/theme.ts';

export interface Look {
  /** Before the first row; the others are indented as far. */
  prompt: string;
  placeholder: string;
  border: 'none' | 'lines' | 'box';
  /** Says something by its colour: a level, a mode. */
  borderRole: Role;
  /** In the line above, at its left and right. */
  title: string;
  status: string;
}

export const plainLook: Look = {
  prompt: '',
  placeholder: '',
  border: 'lines',
  borderRole: 'editorBorder',
  title: '',
  status: '',
};

export interface Frame {
  border: Look['border'];
  /** Empty where there is no room for it. */
  prompt: string;
  /** Cells for the text. */
  inner: number;
}

/** Decoration gives way before text does. */
export function frameOf(width: number, look: Look): Frame {
  const border = look.border === 'box' && width < 16 ? 'lines' : look.border;
  const room = border === 'box' ? width - 4 : width;
  const promptWidth = widthOf(look.prompt);
  const prompt = room - promptWidth >= 8 ? look.prompt : '';
  return { border, prompt, inner: Math.max(2, room - (prompt === '' ? 0 : promptWidth)) };
}

/** The lines of the text with what is around them. `above` and `below`: how many lines are out of sight, in whole or part. */
export function framed(
  rows: readonly string[],
  frame: Frame,
  width: number,
  look: Look,
  theme: Theme,
  words: { above: number; below: number; mode: string },
): string[] {
  const indent = ' '.repeat(widthOf(frame.prompt));
  const first = frame.prompt === '' ? '' : theme.paint('editorPrompt', frame.prompt);
  const lines = rows.map((row, index) => (index === 0 && words.above === 0 ? first : indent) + row);
  const mode = words.mode;
  if (frame.border === 'none') return mode === '' ? lines : [...lines, cut(mode, width)];
  const hidden = (arrow: string, count: number) => (count === 0 ? '' : theme.paint('muted', `${arrow} ${count} more`));
  const paint = (text: string) => theme.paint(look.borderRole, text);
  const up = hidden('↑', words.above);
  const title = theme.paint('title', look.title);
  // Where there is no room for both, what is out of sight is told.
  const top =
    [[up, look.status].filter((part) => part !== '').join('  '), up === '' ? look.status : up]
      .map((right) => edge(title, right, width, frame, 'top', paint))
      .find(({ complete }) => complete)?.line ?? edge('', up, width, frame, 'top', paint).line;
  const bottom = edge(mode, hidden('↓', words.below), width, frame, 'bottom', paint).line;
  const sides = frame.border === 'box' ? lines.map((line) => side(line, width, paint)) : lines;
  return [top, ...sides, bottom];
}

const corners = { top: ['╭', '╮'], bottom: ['╰', '╯'] } as const;

function edge(
  left: string,
  right: string,
  width: number,
  { border }: Frame,
  which: 'top' | 'bottom',
  paint: (text: string) => string,
): { line: string; complete: boolean } {
  const [open, close] = border === 'box' ? corners[which] : (['', ''] as const);
  const room = width - (border === 'box' ? 2 : 0);
  // Two cells of line at either end, a blank around the words.
  const head = widthOf(left) === 0 || room < 8 ? '' : cut(left, room - 4);
  const rest = room - (head === '' ? 0 : widthOf(head) + 3);
  const tail = widthOf(right) === 0 || widthOf(right) + 4 > rest ? '' : right;
  const dashes = rest - (tail === '' ? 0 : widthOf(tail) + 3);
  const start = head === '' ? paint(open) : `${paint(`${open}─`)} ${head} `;
  const end = tail === '' ? paint(close) : ` ${tail} ${paint(`─${close}`)}`;
  const complete = tail !== '' || widthOf(right) === 0;
  return { line: start + paint('─'.repeat(Math.max(0, dashes))) + end, complete };
}

function side(line: string, width: number, paint: (text: string) => string): string {
  return `${paint('│')} ${line}${' '.repeat(Math.max(0, width - 4 - widthOf(line)))} ${paint('│')}`;
}
