/** Colours as they are written in theme files, and as a terminal with more or fewer of them can show them. */
import { distance, type Rgb } from './perception.ts';

/** How many colours there are to choose from. */
export type ColourDepth = 'none' | '16' | '256' | 'truecolour';
export type Colour =
  /** Whatever the terminal uses by itself. */
  { kind: 'default' } | { kind: 'index'; index: number } | { kind: 'rgb'; rgb: Rgb };

const names: readonly string[] = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
/** What the first sixteen usually look like. People change them, so they stand for themselves where that is possible. */
const usual = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
] as const satisfies readonly Rgb[];
const steps = [0, 95, 135, 175, 215, 255] as const;

/** `#rgb`, `#rrggbb`, a name, a number of the 256, or `default`. */
export function parseColour(value: string | number): Colour | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && value >= 0 && value < 256 ? { kind: 'index', index: value } : undefined;
  }
  if (value === 'default') return { kind: 'default' };
  if (/^\d{1,3}$/.test(value)) return parseColour(Number(value));
  if (value.startsWith('#')) return parseHex(value);
  const index = indexOfName(value);
  return index === undefined ? undefined : { kind: 'index', index };
}

/** The names a theme file may use, for documents and messages. */
export function colourNames(): string[] {
  return [...names, 'gray', ...names.map((name) => `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`)];
}

/** The parameters that switch the colour on; nothing where there are no colours. */
export function colourParameters(colour: Colour, layer: 'fg' | 'bg', depth: ColourDepth): string {
  if (depth === 'none') return '';
  if (colour.kind === 'default') return layer === 'fg' ? '39' : '49';
  if (colour.kind === 'rgb' && depth === 'truecolour') return `${layer === 'fg' ? 38 : 48};2;${colour.rgb.join(';')}`;
  return indexParameters(reduced(colour, depth), layer);
}

/** What the colour becomes at this depth, as its place among the 256. */
export function reduced(colour: Exclude<Colour, { kind: 'default' }>, depth: ColourDepth): number {
  const most = depth === '16' ? 16 : 256;
  if (colour.kind === 'index' && colour.index < most) return colour.index;
  const rgb = colour.kind === 'rgb' ? colour.rgb : rgbOfIndex(colour.index);
  // Of the 256 the first sixteen are left out: nobody knows what they look like here.
  return most === 16 ? nearest(rgb, 0, 16) : nearest(rgb, 16, 256);
}

export function rgbOf(colour: Exclude<Colour, { kind: 'default' }>): Rgb {
  return colour.kind === 'rgb' ? colour.rgb : rgbOfIndex(colour.index);
}

export function rgbOfIndex(index: number): Rgb {
  const known = usual[index];
  if (known) return known;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const cube = index - 16;
  const step = (place: number) => steps[Math.floor(cube / place) % 6] ?? 0;
  return [step(36), step(6), step(1)];
}

function parseHex(value: string): Colour | undefined {
  const digits = value.slice(1);
  if (!/^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(digits)) return undefined;
  const size = digits.length / 3;
  const part = (at: number) => {
    const text = digits.slice(at * size, (at + 1) * size);
    return Number.parseInt(size === 1 ? text + text : text, 16);
  };
  return { kind: 'rgb', rgb: [part(0), part(1), part(2)] };
}

function indexOfName(value: string): number | undefined {
  const name = value.toLowerCase();
  if (name === 'gray' || name === 'grey') return 8;
  const isBright = name.startsWith('bright');
  const index = names.indexOf(isBright ? name.slice(6) : name);
  return index === -1 ? undefined : isBright ? index + 8 : index;
}

function indexParameters(index: number, layer: 'fg' | 'bg'): string {
  if (index < 8) return String((layer === 'fg' ? 30 : 40) + index);
  if (index < 16) return String((layer === 'fg' ? 90 : 100) + index - 8);
  return `${layer === 'fg' ? 38 : 48};5;${index}`;
}

function nearest(rgb: Rgb, from: number, to: number): number {
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (let index = from; index < to; index++) {
    const away = distance(rgb, rgbOfIndex(index));
    if (away < least) {
      least = away;
      best = index;
    }
  }
  return best;
}
