/** How many colours a terminal has, by what its environment says. */
import type { ColourDepth } from './colours.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const depths: readonly ColourDepth[] = ['none', '16', '256', 'truecolour'];
/** Terminals that always have all colours, by TERM and by TERM_PROGRAM. */
const manyByTerm = /direct|truecolor|kitty|ghostty|alacritty|wezterm|foot|contour|iterm/;
const manyByProgram = /^(?:iTerm\.app|vscode|WezTerm|ghostty|rio|Hyper|WarpTerminal|zed)$/;

/**
 * FORCE_COLOR decides over everything, as it does for Node; then NO_COLOR, then whether it is a terminal at all, then
 * what is known about it. A terminal that says nothing about itself gets no colours.
 */
export function colourDepth(environment: Environment, isTerminal: boolean): ColourDepth {
  const forced = forcedDepth(environment.FORCE_COLOR);
  if (forced === 'some') {
    const found = depthOf(environment);
    return found === 'none' ? '16' : found;
  }
  if (forced) return forced;
  if (environment.NO_COLOR || !isTerminal) return 'none';
  return depthOf(environment);
}

function forcedDepth(value: string | undefined): ColourDepth | 'some' | undefined {
  if (value === undefined) return undefined;
  if (value === '' || value === 'true') return 'some';
  if (value === 'false') return 'none';
  return depths[Number(value)];
}

function depthOf(environment: Environment): ColourDepth {
  const term = environment.TERM ?? '';
  if (term === 'dumb') return 'none';
  if (/^(?:truecolor|24bit)$/i.test(environment.COLORTERM ?? '')) return 'truecolour';
  if (manyByTerm.test(term) || environment.WT_SESSION) return 'truecolour';
  // Inside tmux and screen the program is the one around it, and they speak for themselves.
  if (!/^(?:tmux|screen)/.test(term) && manyByProgram.test(environment.TERM_PROGRAM ?? '')) return 'truecolour';
  if (/256/.test(term) || environment.TERM_PROGRAM === 'Apple_Terminal') return '256';
  return term === '' || term === 'unknown' ? 'none' : '16';
}
