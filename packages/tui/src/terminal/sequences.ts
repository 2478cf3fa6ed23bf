/** What a program says to a terminal beside its lines: modes, title, progress, notifications, clipboard, marks. */
import type { Capabilities } from './capabilities.ts';

const esc = '\u001b';
const bell = '\u0007';

export const modesOn = `${esc}[?2004h${esc}[?1004h${esc}[?2031h`;
/** Also the end of a frame that was cut off: cursor, wrapping, synchronized output, colours, link. */
export const modesOff =
  `${esc}[?2026l${esc}[?7h${esc}[?25h${esc}]8;;${esc}\\${esc}[0m` + `${esc}[?2031l${esc}[?1004l${esc}[?2004l`;

/** Kitty keyboard: keys told apart, presses and releases, shifted keys too. Each screen has a stack of its own. */
export const keyboardPush = `${esc}[>7u`;
export const keyboardPop = `${esc}[<u`;
export const otherKeysOn = `${esc}[>4;2m`;
export const otherKeysOff = `${esc}[>4;0m`;

/** With the wheel as arrow keys: there is no scrollback there. */
export const alternateOn = `${esc}[?1049h${esc}[?1007h`;
export const alternateOff = `${esc}[?1007l${esc}[?1049l`;

/** Every terminal answers it, and after everything that was asked before. */
export const fence = `${esc}[c`;

export function title(text: string): string {
  return `${esc}]2;${oneLine(text)}${bell}`;
}

/** The title that was there is put aside before the first of ours, and comes back at the end. */
export const titlePush = `${esc}[22;0t`;
export const titlePop = `${esc}[23;0t`;

export type Progress =
  | { state: 'none' | 'busy' }
  /** From 0 to 100. */
  | { state: 'running' | 'failed' | 'paused'; percent: number };

/** In the taskbar or tab. Terminals that do not know it may take it for a notification, so it is asked for by name. */
export function progress(value: Progress): string {
  switch (value.state) {
    case 'none':
      return `${esc}]9;4;0${bell}`;
    case 'busy':
      return `${esc}]9;4;3${bell}`;
    case 'running':
    case 'failed':
    case 'paused': {
      const code = value.state === 'running' ? 1 : value.state === 'failed' ? 2 : 4;
      return `${esc}]9;4;${code};${Math.round(Math.max(0, Math.min(100, value.percent)))}${bell}`;
    }
    default:
      return value satisfies never;
  }
}

/** As the terminal can: on the desktop, or with its bell. */
export function notification(heading: string, text: string, way: Capabilities['notifications']): string {
  switch (way) {
    case 'osc9':
      return `${esc}]9;${oneLine(text ? `${heading}: ${text}` : heading)}${bell}`;
    case 'osc777':
      return `${esc}]777;notify;${oneLine(heading).replaceAll(';', ',')};${oneLine(text)}${bell}`;
    case 'bell':
      return bell;
    default:
      return way satisfies never;
  }
}

/** What terminals take at most; tmux takes a little less than its limit of a megabyte. */
const maxCopied = 750_000;

/** To the clipboard of the machine that the terminal runs on, over ssh too. Undefined when it is too long for that. */
export function copy(text: string): string | undefined {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  return encoded.length > maxCopied ? undefined : `${esc}]52;c;${encoded}${bell}`;
}

/** Put before a line: where a prompt, its input and the answer begin, so that a terminal can jump from one to the next. */
export function mark(what: 'prompt' | 'input' | 'output' | 'end'): string {
  const letter = { prompt: 'A', input: 'B', output: 'C', end: 'D' }[what];
  return `${esc}]133;${letter}${bell}`;
}

/** tmux hands on what it does not understand only when it is wrapped, and only if its user allows it. */
export function throughTmux(sequence: string): string {
  return `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const controls = /[\x00-\x1f\x7f-\x9f]+/g;

/** No sequence ends early and none begins inside. */
function oneLine(text: string): string {
  return text.replace(controls, ' ').slice(0, 500);
}
