/**
 * What a terminal can do. First a guess by the environment, so that nothing waits; its own answers make it better, one
 * after the other, whenever they come.
 */
import type { Reply } from '../input/reply.ts';
import type { Reflow } from '../screen/reflow.ts';
import type { Delays } from '../screen/trail.ts';
import type { ColourDepth } from '../theme/colours.ts';
import { colourDepth } from '../theme/depth.ts';

export interface Capabilities {
  /** As it is called by its environment or by itself. */
  name: string;
  /** Cannot place its cursor, or is no terminal at all: lines, one after the other, and nothing else. */
  plain: boolean;
  multiplexer: 'tmux' | 'screen' | 'zellij' | undefined;
  remote: boolean;
  colours: ColourDepth;
  synchronizedOutput: boolean;
  kittyKeyboard: boolean;
  hyperlinks: boolean;
  images: 'kitty' | 'iterm2' | undefined;
  progress: boolean;
  notifications: 'osc9' | 'osc777' | 'bell';
  reflow: Reflow;
  /** A second screen for viewers, behind which the first stays as it was. */
  alternateScreen: boolean;
  /** A row that it broke counts as broken until it is deleted. */
  keepsBreaks?: boolean;
  /** `#rrggbb`, once it has said so. */
  foreground: string | undefined;
  background: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Known = Partial<Omit<Capabilities, 'name'>>;

const modern: Known = { synchronizedOutput: true, hyperlinks: true };

/** By a name that the environment or the terminal gives. What is not said here is asked for or is not there. */
const terminals: Readonly<Record<string, Known>> = {
  kitty: { ...modern, kittyKeyboard: true, images: 'kitty', progress: true, notifications: 'osc9' },
  ghostty: { ...modern, kittyKeyboard: true, images: 'kitty', progress: true, notifications: 'osc9' },
  wezterm: { ...modern, images: 'iterm2', notifications: 'osc777' },
  iterm: { ...modern, images: 'iterm2', progress: true, notifications: 'osc9' },
  foot: { ...modern, kittyKeyboard: true, notifications: 'osc777' },
  alacritty: modern,
  rio: modern,
  warp: { hyperlinks: true },
  contour: modern,
  vscode: { hyperlinks: true, progress: true, reflow: 'xtermjs' },
  hyper: { hyperlinks: true, reflow: 'xtermjs' },
  'xterm.js': { hyperlinks: true, reflow: 'xtermjs' },
  'windows terminal': { hyperlinks: true, progress: true },
  vte: { hyperlinks: true },
  konsole: { hyperlinks: true },
  apple: {},
  xterm: { reflow: 'none' },
  rxvt: {},
  linux: { reflow: 'none', alternateScreen: false },
  tmux: { hyperlinks: true, multiplexer: 'tmux' },
  zellij: modern,
  // Its users can switch one on; by default it has none.
  screen: { alternateScreen: false, keepsBreaks: true },
};

const byProgram: readonly [RegExp, string][] = [
  [/^iterm/i, 'iterm'],
  [/^vscode$/i, 'vscode'],
  [/^wezterm$/i, 'wezterm'],
  [/^ghostty$/i, 'ghostty'],
  [/^apple_terminal$/i, 'apple'],
  [/^hyper$/i, 'hyper'],
  [/^warp/i, 'warp'],
  [/^rio$/i, 'rio'],
];
const byTerm: readonly [RegExp, string][] = [
  [/kitty/, 'kitty'],
  [/ghostty/, 'ghostty'],
  [/wezterm/, 'wezterm'],
  [/^foot/, 'foot'],
  [/^alacritty/, 'alacritty'],
  [/^contour/, 'contour'],
  [/^rxvt/, 'rxvt'],
  [/^linux/, 'linux'],
];
/** What XTVERSION answers begin with. */
const byVersion: readonly [RegExp, string][] = [
  [/^xterm\.js/i, 'xterm.js'],
  [/^xterm/i, 'xterm'],
  [/^kitty/i, 'kitty'],
  [/^ghostty/i, 'ghostty'],
  [/^wezterm/i, 'wezterm'],
  [/^iterm/i, 'iterm'],
  [/^foot/i, 'foot'],
  [/^contour/i, 'contour'],
  [/^tmux/i, 'tmux'],
  [/^vte/i, 'vte'],
  [/^konsole/i, 'konsole'],
  [/^zellij/i, 'zellij'],
];

/** By the environment alone. Pure, and wrong only on the careful side. */
export function guessCapabilities(environment: Environment, isTerminal: boolean): Capabilities {
  const multiplexer = multiplexerOf(environment);
  const name = multiplexer ?? nameOf(environment);
  const term = environment.TERM ?? '';
  return {
    name,
    plain: !isTerminal || term === '' || term === 'dumb' || term === 'unknown',
    multiplexer,
    remote: Boolean(environment.SSH_CONNECTION || environment.SSH_TTY || environment.SSH_CLIENT),
    colours: colourDepth(environment, isTerminal),
    synchronizedOutput: false,
    kittyKeyboard: false,
    hyperlinks: false,
    images: undefined,
    progress: false,
    notifications: 'bell',
    reflow: 'exact',
    alternateScreen: true,
    foreground: undefined,
    background: undefined,
    ...terminals[name],
  };
}

/**
 * How long news of a size and what is written are on their way, how often there is news of the size of a window that is dragged,
 * and how long a size has to be the same before it is believed. Between us and the terminal a multiplexer is one way more, tmux
 * tells of sizes only every quarter of a second, and over ssh everything comes late.
 */
export function delaysOf({ multiplexer, remote }: Capabilities): Delays & { calmMs: number; settleMs: number } {
  const latencyMs = remote ? 150 : multiplexer ? 50 : 20;
  const newsEveryMs = multiplexer === 'tmux' ? 250 : 0;
  const doubtMs = busyMs + latencyMs;
  return {
    ...{ latencyMs, doubtMs, calmMs: Math.min(doubtMs, 3 * latencyMs), newsEveryMs },
    settleMs: Math.max(150, newsEveryMs + 2 * latencyMs),
  };
}

/** A terminal that is busy, or on a machine that is, takes what was written so late, and a new size before it. */
const busyMs = 250;

/** With what the terminal answered. The same object when it says nothing new. */
export function withReply(capabilities: Capabilities, reply: Reply): Capabilities {
  const learned = learnedFrom(capabilities, reply);
  const isNew = Object.entries(learned).some(([key, value]) => Reflect.get(capabilities, key) !== value);
  return isNew ? { ...capabilities, ...learned } : capabilities;
}

function learnedFrom(capabilities: Capabilities, reply: Reply): Partial<Capabilities> {
  switch (reply.type) {
    case 'mode':
      // 0 is unknown, 4 is known and cannot be switched on.
      return reply.mode === 2026 ? { synchronizedOutput: reply.state > 0 && reply.state < 4 } : {};
    case 'keyboard':
      return { kittyKeyboard: true };
    case 'colour':
      if (reply.of === 'foreground') return { foreground: reply.value };
      return reply.of === 'background' ? { background: reply.value } : {};
    case 'graphics':
      return reply.ok ? { images: 'kitty' } : {};
    case 'version':
      return learnedFromName(capabilities, reply.text);
    case 'attributes':
    case 'scheme':
    case 'cursor':
    case 'size':
      return {};
    default:
      return reply satisfies never;
  }
}

/** A name only adds: what the environment or another answer said before stays. Some things are known by name alone. */
function learnedFromName(capabilities: Capabilities, version: string): Partial<Capabilities> {
  const name = firstMatch(byVersion, version);
  const known = terminals[name ?? ''];
  if (name === undefined || known === undefined) return { name: version };
  const { synchronizedOutput: _asked, kittyKeyboard: _askedToo, ...rest } = known;
  return { name: version, images: capabilities.images, reflow: 'exact', alternateScreen: true, ...rest };
}

function nameOf(environment: Environment): string {
  if (environment.KITTY_WINDOW_ID) return 'kitty';
  if (environment.WT_SESSION) return 'windows terminal';
  const program = firstMatch(byProgram, environment.TERM_PROGRAM ?? '');
  if (program !== undefined) return program;
  const term = firstMatch(byTerm, environment.TERM ?? '');
  if (term !== undefined) return term;
  if (environment.KONSOLE_VERSION) return 'konsole';
  if (environment.VTE_VERSION) return 'vte';
  if (environment.XTERM_VERSION) return 'xterm';
  return environment.TERM || 'unknown';
}

/** A variable of a terminal around it is inherited, so TERM, which a multiplexer sets itself, has a say. */
function multiplexerOf(environment: Environment): Capabilities['multiplexer'] {
  const term = environment.TERM ?? '';
  // In tmux in screen both are set, and tmux says what it is when it is asked.
  if (environment.STY && term.startsWith('screen')) return 'screen';
  if (environment.TMUX || term.startsWith('tmux')) return 'tmux';
  if (environment.ZELLIJ !== undefined) return 'zellij';
  return environment.STY || term.startsWith('screen') ? 'screen' : undefined;
}

function firstMatch(table: readonly [RegExp, string][], text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}
