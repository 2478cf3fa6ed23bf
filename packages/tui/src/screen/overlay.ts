/** Boxes shown over the live region: where they stand, and how they are laid over the lines behind them. */
import { pad, slice } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';

export type Anchor =
  | 'center'
  | 'top'
  | 'bottom'
  | 'left'
  | 'right'
  | 'topLeft'
  | 'topRight'
  | 'bottomLeft'
  | 'bottomRight';

/** Cells, or a part of what there is. */
type Extent = number | `${number}%`;

export interface OverlayOptions {
  anchor?: Anchor;
  /** Without it, four fifths of the screen. */
  width?: Extent;
  minWidth?: number;
  maxHeight?: Extent;
  /** Moved from its anchor, to the right and down. */
  offsetX?: number;
  offsetY?: number;
  /** Typing goes to what had it before. */
  passive?: boolean;
}

export interface Area {
  width: number;
  height: number;
}

export function overlayWidth(options: OverlayOptions, columns: number): number {
  const wanted = extent(options.width ?? '80%', columns);
  return clamp(Math.max(wanted, options.minWidth ?? 0), 1, columns);
}

export function overlayHeight(options: OverlayOptions, rows: number): number {
  return clamp(extent(options.maxHeight ?? '100%', rows), 1, rows);
}

/** Where its top left corner stands in the area, always so that all of it is inside. */
export function placeOf(options: OverlayOptions, box: Area, area: Area): { row: number; column: number } {
  const { anchor = 'center', offsetX = 0, offsetY = 0 } = options;
  const across = anchor.toLowerCase();
  const free = { width: area.width - box.width, height: area.height - box.height };
  const column = across.endsWith('left') ? 0 : across.endsWith('right') ? free.width : Math.floor(free.width / 2);
  const row = across.startsWith('top') ? 0 : across.startsWith('bottom') ? free.height : Math.floor(free.height / 2);
  return {
    row: clamp(row + offsetY, 0, Math.max(0, free.height)),
    column: clamp(column + offsetX, 0, Math.max(0, free.width)),
  };
}

/** The line with the box's line over it, from a column on. */
export function laidOver(behind: string, box: string, column: number, width: number, columns: number): string {
  const left = slice(behind, 0, column);
  const right = slice(behind, column + width, columns);
  return left + ' '.repeat(column - widthOf(left)) + pad(box, width) + right;
}

function extent(wanted: Extent, whole: number): number {
  if (typeof wanted === 'number') return Math.floor(wanted);
  return Math.floor((whole * Number.parseFloat(wanted)) / 100);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
