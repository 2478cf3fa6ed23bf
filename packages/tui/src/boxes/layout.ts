/** Components below each other and beside each other. */
import type { Component } from '../component.ts';
import { pad } from '../text/cut.ts';
import { rememberParts } from './remember.ts';

/** Below each other. The children may change: they are asked for at every frame. */
export function createColumn(
  children: readonly Component[] | (() => readonly Component[]),
  { gap = 0 }: { gap?: number } = {},
): Component {
  const all = typeof children === 'function' ? children : () => children;
  const { render } = rememberParts(
    (width) => all().map((child) => child.render(width)),
    (parts) => {
      const space = Array.from({ length: gap }, () => '');
      const shown = parts.filter((lines) => lines.length > 0);
      return shown.flatMap((lines, index) => (index === 0 ? lines : [...space, ...lines]));
    },
  );
  return { render };
}

export interface RowPart {
  child: Component;
  /** Cells, or `rest` for a share of what the others leave. */
  width: number | 'rest';
  /** With less than this for any of its parts, the row becomes a column. */
  min?: number;
}

/** Beside each other; below each other where there is no room. */
export function createRow(parts: readonly RowPart[], { gap = 1 }: { gap?: number } = {}): Component {
  const { render } = rememberParts(
    (width) => {
      const widths = widthsOf(parts, width, gap);
      return parts.map(({ child }, index) => child.render(widths?.[index] ?? width));
    },
    (lines, width) => {
      const widths = widthsOf(parts, width, gap);
      if (!widths) return lines.flat();
      const height = Math.max(0, ...lines.map((part) => part.length));
      return Array.from({ length: height }, (_, row) =>
        lines.map((part, index) => pad(part[row] ?? '', widths[index] ?? 0)).join(' '.repeat(gap)),
      );
    },
  );
  return { render };
}

function widthsOf(parts: readonly RowPart[], width: number, gap: number): number[] | undefined {
  const fixed = parts.reduce((sum, part) => sum + (part.width === 'rest' ? 0 : part.width), 0);
  const sharing = parts.filter((part) => part.width === 'rest').length;
  const free = width - fixed - gap * Math.max(0, parts.length - 1);
  let given = 0;
  const widths = parts.map((part) => {
    if (part.width !== 'rest') return part.width;
    given += 1;
    // The cells that cannot be shared go to the first ones.
    return Math.floor(free / sharing) + (given <= free % sharing ? 1 : 0);
  });
  const fits = free >= 0 && widths.every((own, index) => own >= Math.max(1, parts[index]?.min ?? 1));
  return fits ? widths : undefined;
}
