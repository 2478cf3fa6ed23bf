/** A frame around a component: border, title, padding, ground. */
import type { Component } from '../component.ts';
import { printableLine } from '../text/ansi.ts';
import { cut, pad } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import type { Role, Theme } from '../theme/theme.ts';
import { handOn } from './hand-on.ts';
import { rememberParts } from './remember.ts';

/** Corners from the top left around, then the line across and the line down. */
const borders = {
  single: '┌┐┘└─│',
  round: '╭╮╯╰─│',
  double: '╔╗╝╚═║',
  heavy: '┏┓┛┗━┃',
  ascii: '++++-|',
} as const;
export type BorderStyle = keyof typeof borders | 'none';

export interface BoxOptions {
  theme: Theme;
  child: Component;
  border?: BorderStyle;
  borderRole?: Role;
  title?: string;
  /** Stands in the lower border. */
  footer?: string;
  /** Cells left and right of what is inside, lines above and below it. */
  padX?: number;
  padY?: number;
  /** A role that is a background. */
  ground?: Role;
}

/** As wide as it may be. Too narrow for a border, what is inside stands alone. */
export function createBox(options: BoxOptions): Component {
  const { child, theme, ground, padY = 0 } = options;
  const { render } = rememberParts(
    (width) => [child.render(insideOf(options, width).width)],
    ([lines = []], width) => {
      if (width < 1) return [];
      const inside = insideOf(options, width);
      const blank = ' '.repeat(inside.width);
      const space = ' '.repeat(inside.padX);
      const filled = [
        ...Array.from({ length: padY }, () => blank),
        ...lines.map((line) => pad(line, inside.width)),
        ...Array.from({ length: padY }, () => blank),
      ].map((line) => `${space}${line}${space}`);
      const grounded = ground ? filled.map((line) => theme.paint(ground, line)) : filled;
      return inside.border === 'none' ? grounded : bordered(grounded, options, inside.border, width);
    },
  );
  return handOn(render, child);
}

/** What is left for the child when border and padding have their part; they go first when there is little. */
function insideOf(
  { border = 'single', padX = 1 }: BoxOptions,
  width: number,
): { width: number; padX: number; border: BorderStyle } {
  const drawn = border !== 'none' && width >= 4 ? border : 'none';
  const room = drawn === 'none' ? width : width - 2;
  const space = room - 2 * padX >= 1 ? padX : 0;
  return { width: Math.max(1, room - 2 * space), padX: space, border: drawn };
}

function bordered(
  lines: readonly string[],
  { theme, borderRole = 'border', title, footer }: BoxOptions,
  border: Exclude<BorderStyle, 'none'>,
  width: number,
): string[] {
  const [topLeft = '', topRight = '', lowRight = '', lowLeft = '', across = '', down = ''] = borders[border];
  const paint = (text: string) => theme.paint(borderRole, text);
  const edge = (left: string, right: string, words: string | undefined, role: Role) => {
    const room = width - 6;
    if (words === undefined || words === '' || room < 1) return paint(left + across.repeat(width - 2) + right);
    const label = cut(printableLine(words), room);
    const rest = across.repeat(width - 5 - widthOf(label));
    return `${paint(left + across)} ${theme.paint(role, label)} ${paint(rest + right)}`;
  };
  const side = paint(down);
  return [
    edge(topLeft, topRight, title, 'title'),
    ...lines.map((line) => `${side}${line}${side}`),
    edge(lowLeft, lowRight, footer, 'muted'),
  ];
}
