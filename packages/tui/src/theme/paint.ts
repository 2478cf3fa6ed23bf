/** From resolved styles to a theme that paints. What a role switches on is worked out when it is first used. */
import { type Colour, type ColourDepth, colourParameters, reduced, rgbOfIndex } from './colours.ts';
import { contrast } from './perception.ts';
import type { Role } from './roles.ts';
import type { Theme } from './theme.ts';

/** What a role looks like, before anyone asks what the terminal can do. */
export interface RoleStyle {
  fg?: Colour;
  bg?: Colour;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
  strike?: boolean;
}

export interface ResolvedTheme {
  name: string;
  kind: 'dark' | 'light';
  /** Roles that are not here are painted as they are. */
  styles: ReadonlyMap<Role, RoleStyle>;
}

/** What to write around text, and what to write again behind each parameter in the text that undoes a part of it. */
interface Brush {
  open: string;
  close: string;
  restore: ReadonlyMap<string, string>;
}

const attributes = [
  ['bold', '1', '22'],
  ['dim', '2', '22'],
  ['italic', '3', '23'],
  ['underline', '4', '24'],
  ['inverse', '7', '27'],
  ['strike', '9', '29'],
] as const;
/** Less than this cannot be read. */
const leastContrast = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const sgr = /\x1b\[([\d;:]*)m/g;

/** Without colours a theme leaves text as it is: no sequence at all is written. */
export function createTheme(resolved: ResolvedTheme, depth: ColourDepth): Theme {
  const brushes = new Map<Role, Brush | undefined>();
  // Many roles share a colour, and the nearest of 256 takes a while to find.
  const known = new Map<string, string>();
  const parametersOf = (colour: Colour, layer: 'fg' | 'bg') => {
    const key = layer + JSON.stringify(colour);
    const found = known.get(key) ?? colourParameters(colour, layer, depth);
    known.set(key, found);
    return found;
  };
  const brushOf = (role: Role) => {
    if (!brushes.has(role)) brushes.set(role, brushFor(resolved.styles.get(role), depth, parametersOf));
    return brushes.get(role);
  };
  return {
    name: resolved.name,
    kind: resolved.kind,
    paint(role, text) {
      const brush = text === '' ? undefined : brushOf(role);
      return brush ? brush.open + reopened(text, brush) + brush.close : text;
    },
  };
}

/** Behind everything in the text that switches off what is ours, it is switched on again. */
function reopened(text: string, brush: Brush): string {
  if (!text.includes('\u001b[')) return text;
  return text.replace(sgr, (_, parameters: string) => `\u001b[${restored(parameters, brush)}m`);
}

function restored(parameters: string, brush: Brush): string {
  const list = parameters.split(';');
  const kept: string[] = [];
  for (let at = 0; at < list.length; at++) {
    const parameter = list[at] || '0';
    kept.push(parameter);
    if (parameter === '38' || parameter === '48' || parameter === '58') {
      // The numbers of a colour are not parameters of their own.
      const numbers = list.slice(at + 1, at + (list[at + 1] === '2' ? 5 : 3));
      kept.push(...numbers);
      at += numbers.length;
    } else {
      const again = brush.restore.get(parameter === '4:0' ? '24' : parameter);
      if (again !== undefined) kept.push(again);
    }
  }
  return kept.join(';');
}

function brushFor(
  style: RoleStyle | undefined,
  depth: ColourDepth,
  parametersOf: (colour: Colour, layer: 'fg' | 'bg') => string,
): Brush | undefined {
  if (!style || depth === 'none') return undefined;
  const shown = depth === '16' ? readable(style) : style;
  const open: [on: string, off: string][] = [];
  for (const [name, on, off] of attributes) if (shown[name]) open.push([on, off]);
  if (shown.fg) open.push([parametersOf(shown.fg, 'fg'), '39']);
  if (shown.bg) open.push([parametersOf(shown.bg, 'bg'), '49']);
  if (open.length === 0) return undefined;
  const all = open.map(([on]) => on).join(';');
  const restore = new Map([['0', all]]);
  for (const [on, off] of open) {
    const others = restore.get(off);
    restore.set(off, others === undefined ? on : `${others};${on}`);
  }
  const close = [...restore.keys()].slice(1).join(';');
  return { open: `\u001b[${all}m`, close: `\u001b[${close}m`, restore };
}

/**
 * With sixteen colours a faint background becomes black, white or a strong colour on which text cannot be read. It is
 * left out then; text that has to stand out is shown in reverse instead.
 */
function readable(style: RoleStyle): RoleStyle {
  const { bg, ...rest } = style;
  if (bg?.kind !== 'rgb') return style;
  if (!style.fg) return rest;
  if (style.fg.kind !== 'default') {
    const ground = rgbOfIndex(reduced(bg, '16'));
    if (contrast(rgbOfIndex(reduced(style.fg, '16')), ground) >= leastContrast) return style;
  }
  return { ...rest, inverse: true };
}
