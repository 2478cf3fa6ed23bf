/** Which theme suits the terminal: by its background if it told us, else by COLORFGBG, else dark. */
import { parseColour, rgbOf } from './colours.ts';
import { luminance } from './perception.ts';

/** Between black and white, to the eye. */
const middle = 0.18;

export interface TerminalGround {
  /** What the terminal answered, as `#rrggbb`. */
  background?: string | undefined;
  /** The variable COLORFGBG: foreground and background as numbers of the sixteen. */
  colourFgBg?: string | undefined;
}

export function kindFor(ground: TerminalGround): 'dark' | 'light' {
  const told = ground.background === undefined ? undefined : parseColour(ground.background);
  if (told && told.kind !== 'default') return luminance(rgbOf(told)) > middle ? 'light' : 'dark';
  const last = ground.colourFgBg?.split(';').at(-1) ?? '';
  // White, and the bright colours but for bright black.
  if (/^\d{1,2}$/.test(last)) return Number(last) === 7 || (Number(last) > 8 && Number(last) < 16) ? 'light' : 'dark';
  return 'dark';
}

/** `auto` and `auto-…` stand for the dark or the light theme of that variant; any other name is itself. */
export function themeNameFor(wanted: string, ground: TerminalGround): string {
  return wanted === 'auto' || wanted.startsWith('auto-') ? kindFor(ground) + wanted.slice('auto'.length) : wanted;
}
