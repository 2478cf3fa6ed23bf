/**
 * A terminal for tests: a headless xterm behind the `Terminal` interface, with a recorder that checks every write and
 * throws at the first that does what no write may do.
 */
import xterm from '@xterm/headless';
import type { Region } from '../../src/screen/canvas.ts';
import type { Terminal, TerminalListener, TerminalMode } from '../../src/terminal/terminal.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { clusters } from './unicode.ts';

export interface VirtualOptions {
  columns?: number;
  rows?: number;
  /** As most terminals do. Those of the xterm.js family leave the cursor's line as it is. */
  reflowCursorLine?: boolean;
  /** Without one, as GNU screen is by default, what is drawn there is drawn over everything. */
  hasAlternate?: boolean;
  /** Gets what the terminal answers to queries. */
  onAnswer?(data: string): void;
}

export interface VirtualTerminal extends Terminal {
  /** Everything that was written, a string per write. */
  readonly writes: readonly string[];
  readonly modes: readonly TerminalMode[];
  resize(columns: number, rows: number): void;
  /** Bytes from the keyboard. */
  type(data: string): void;
  /** What the terminal itself answered to queries. */
  readonly answers: readonly string[];
  /** The rows that are seen, without spaces at their ends. */
  screenOf(): string[];
  /** The rows above those. */
  scrollbackOf(): string[];
  /** Scrollback and screen as lines: rows that a narrower window broke are joined. Blank ones at the end are left out. */
  linesOf(): string[];
  cursorOf(): { row: number; column: number; visible: boolean };
  /** From now on every write is checked against what the screen believes to show. */
  watch(screen: { region(): Region }): void;
  resume(): void;
}

const alternateOff = '\u001b[?1049l';

export function createVirtualTerminal(options: VirtualOptions = {}): VirtualTerminal {
  const { columns = 80, rows = 24, reflowCursorLine = true, hasAlternate = true, onAnswer } = options;
  const device = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 200_000,
    allowProposedApi: true,
    logLevel: 'off',
    reflowCursorLine,
  });
  device.unicode.register(clusters);
  device.unicode.activeVersion = clusters.version;
  const writeNow = synchronousWrite(device);
  const writes: string[] = [];
  const answers: string[] = [];
  const modes: TerminalMode[] = [];
  const faults: string[] = [];
  let listener: TerminalListener | undefined;
  let watched: { region(): Region } | undefined;
  let known: Region | undefined;
  let visible = true;
  let stopped = false;
  /** Where there is no other screen, this one is given away for that time. */
  let givenAway = false;

  device.onData((data) => {
    answers.push(data);
    onAnswer?.(data);
  });
  const buffer = () => device.buffer.active;
  const isMain = () => buffer().type === 'normal' && !givenAway;
  forbid(device, faults, isMain);
  device.parser.registerCsiHandler({ prefix: '?', final: 'h' }, ([mode]) => {
    if (mode === 25) visible = true;
    if (mode === 1049 && !hasAlternate) givenAway = true;
    return mode === 1049 && !hasAlternate;
  });
  device.parser.registerCsiHandler({ prefix: '?', final: 'l' }, ([mode]) => {
    if (mode === 25) visible = false;
    if (mode === 1049 && !hasAlternate) givenAway = false;
    // Lines would be clipped silently; with wrapping on, one that is too wide shows.
    return mode === 7 || (mode === 1049 && !hasAlternate);
  });

  const cursorRow = () => buffer().baseY + buffer().cursorY;

  /** Cells right of the last column are left over from a wider window. */
  const rowAt = (at: number) => buffer().getLine(at)?.translateToString(true, 0, device.cols) ?? '';

  function rowsOf(from: number, to: number): string[] {
    const rows: string[] = [];
    for (let at = Math.max(0, from); at < to; at++) rows.push(rowAt(at).trimEnd());
    return rows;
  }

  function joined(): string[] {
    const lines: string[] = [];
    for (let at = 0; at < buffer().length; at++) {
      const before = buffer().getLine(at)?.isWrapped === true ? (lines.pop() ?? '') : '';
      lines.push(before + rowAt(at));
    }
    const trimmed = lines.map((line) => line.trimEnd());
    while (trimmed.at(-1) === '') trimmed.pop();
    return trimmed;
  }

  function write(data: string): void {
    writes.push(data);
    const top = known && isMain() ? cursorRow() - known.cursorRow : undefined;
    const first = buffer().baseY;
    const above = top === undefined ? [] : rowsOf(first, top);
    writeNow(data);
    if (isMain()) {
      const after = rowsOf(first, first + above.length);
      const touched = above.findIndex((row, at) => row !== after[at]);
      if (touched >= 0) faults.push(`touched above the live region: "${above[touched]}" became "${after[touched]}"`);
      checkWrapped(top ?? first);
      // Back from the alternate screen after a resize, nothing is drawn for the new size yet.
      if (watched && (known || data !== alternateOff)) checkRegion(watched.region());
    }
    if (faults.length > 0) throw new Error(`${faults.splice(0).join('; ')}, in ${JSON.stringify(data)}`);
  }

  function checkWrapped(from: number): void {
    if (known === undefined) return;
    for (let at = Math.max(from, buffer().baseY); at < buffer().length; at++) {
      if (buffer().getLine(at)?.isWrapped) faults.push(`wrote past the width: "${rowsOf(at - 1, at + 1)}"`);
    }
  }

  /** What the screen believes to show is what is there. */
  function checkRegion(region: Region): void {
    known = region;
    const top = cursorRow() - region.cursorRow;
    const shown = rowsOf(top, buffer().length);
    const wanted = region.lines.map((line) => stripAnsi(line).trimEnd());
    const wrong = shown.findIndex((row, at) => row !== (wanted[at] ?? ''));
    if (wrong >= 0) faults.push(`row ${wrong} shows "${shown[wrong]}" for "${wanted[wrong] ?? ''}"`);
    if (wanted.length > shown.length) faults.push(`${wanted.length - shown.length} rows are below the screen`);
    const column = Math.min(buffer().cursorX, device.cols - 1);
    if (column !== region.cursorColumn) faults.push(`the cursor is in column ${column}, not ${region.cursorColumn}`);
    if (visible !== region.cursorVisible) faults.push(`the cursor is ${visible ? 'visible' : 'hidden'}`);
  }

  return {
    writes,
    answers,
    modes,
    get columns() {
      return device.cols;
    },
    get rows() {
      return device.rows;
    },
    write,
    start(events) {
      listener = events;
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      listener?.onStop?.();
      listener = undefined;
    },
    alternate(on) {
      write(on ? '\u001b[?1049h' : alternateOff);
    },
    enable(mode) {
      if (!modes.includes(mode)) modes.push(mode);
    },
    resize(newColumns, newRows) {
      device.resize(newColumns, newRows);
      known = undefined;
      listener?.onResize();
    },
    type(data) {
      listener?.onInput(data);
    },
    suspend() {
      listener?.onSuspend?.();
    },
    lend() {
      listener?.onSuspend?.();
      return () => listener?.onResume?.();
    },
    resume() {
      known = undefined;
      listener?.onResume?.();
    },
    screenOf: () => rowsOf(buffer().baseY, buffer().length),
    scrollbackOf: () => rowsOf(0, buffer().baseY),
    linesOf: joined,
    cursorOf: () => ({ row: buffer().cursorY, column: buffer().cursorX, visible }),
    watch(screen) {
      watched = screen;
      known = screen.region();
    },
  };
}

/** Its own `write` parses later; a recorder has to see the state between two writes. */
function synchronousWrite(device: xterm.Terminal): (data: string) => void {
  const core: unknown = Reflect.get(device, '_core');
  if (!hasWriteSync(core)) throw new Error('this version of @xterm/headless has no synchronous write');
  return (data) => core.writeSync(data);
}

function hasWriteSync(value: unknown): value is { writeSync(data: string): void } {
  return typeof value === 'object' && value !== null && 'writeSync' in value && typeof value.writeSync === 'function';
}

/** What would flicker, lose lines or depend on where the terminal happens to be. */
function forbid(device: xterm.Terminal, faults: string[], main: () => boolean): void {
  device.parser.registerCsiHandler({ final: 'J' }, ([how]) => {
    if (how === 2 || how === 3) faults.push('cleared the whole screen');
    const { cursorX, cursorY } = device.buffer.active;
    if (how === 0 && cursorX === 0 && cursorY === 0 && main()) faults.push('erased everything from the top corner');
    if (how === 1 && main()) faults.push('erased what is above');
    return false;
  });
  for (const [final, what] of [
    ['H', 'an absolute place'],
    ['f', 'an absolute place'],
    ['d', 'an absolute row'],
    ['r', 'scroll margins'],
    ['S', 'a scroll'],
    ['T', 'a scroll'],
  ] as const) {
    device.parser.registerCsiHandler({ final }, () => {
      if (main()) faults.push(`used ${what} on the main screen`);
      return false;
    });
  }
  device.parser.registerEscHandler({ final: 'c' }, () => {
    faults.push('reset the terminal');
    return false;
  });
}
