/**
 * A terminal to look at from outside of the program in it: a headless xterm that answers as a real one does and writes down
 * whatever no program of ours may do to it.
 */
import xterm from '@xterm/headless';

export interface DeviceOptions {
  columns: number;
  rows: number;
  /** Cells that a character takes; by itself the device knows those of 2010. */
  widthOf(text: string): number;
  onAnswer(data: string): void;
}

export interface Device {
  write(data: string): void;
  /** Widths are not looked at until it is settled: frames for the old size may be on their way. */
  resize(columns: number, rows: number): void;
  settled(): void;
  readonly columns: number;
  readonly rows: number;
  /** Rows that are seen, without spaces at their ends. */
  screen(): string[];
  /** Scrollback and screen as lines: rows that a narrower window broke are joined. Blank ones at the end are left out. */
  lines(): string[];
  readonly isAlternate: boolean;
  /** A frame has begun and the rest of it has not arrived. */
  readonly isDrawing: boolean;
  /** What was done wrong so far. */
  faults(): readonly string[];
  /** What a program left switched on. */
  leftOn(): readonly string[];
  dispose(): void;
}

/** On while a program of ours draws, and off before and after it. */
const watchedModes = [1004, 1049, 2004, 2026, 2031];

export function createDevice({ columns, rows, widthOf, onAnswer }: DeviceOptions): Device {
  const device = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 200_000,
    allowProposedApi: true,
    logLevel: 'off',
    reflowCursorLine: false,
  });
  device.unicode.register(clusters(widthOf));
  device.unicode.activeVersion = 'clusters';
  device.onData(onAnswer);
  const writeNow = synchronousWrite(device);
  const buffer = () => device.buffer.active;
  const isAlternate = () => buffer().type === 'alternate';
  const faults: string[] = [];
  const on = new Set<number>();
  let isHidden = false;
  let keyboards = 0;
  /** Between the two switches that every frame has around it, a line that is too wide would be clipped silently. */
  let isFrame = false;
  let wrappedBefore = 0;
  let isResizing = false;

  forbid(device, faults, () => !isAlternate());
  const wrapped = () => {
    let count = 0;
    for (let at = buffer().baseY; at < buffer().length; at++) if (buffer().getLine(at)?.isWrapped) count += 1;
    return count;
  };
  device.parser.registerCsiHandler({ prefix: '?', final: 'h' }, ([mode]) => {
    if (typeof mode === 'number') on.add(mode);
    if (mode === 25) isHidden = false;
    if (mode === 7 && isFrame) {
      isFrame = false;
      if (wrapped() > wrappedBefore && !isResizing) faults.push(`wrote past the width of ${device.cols}`);
    }
    return false;
  });
  device.parser.registerCsiHandler({ prefix: '?', final: 'l' }, ([mode]) => {
    if (typeof mode === 'number') on.delete(mode);
    if (mode === 25) isHidden = true;
    if (mode !== 7) return false;
    isFrame = true;
    wrappedBefore = wrapped();
    // With wrapping on, a line that is too wide shows.
    return !isResizing;
  });
  device.parser.registerCsiHandler({ prefix: '>', final: 'u' }, () => {
    keyboards += 1;
    return false;
  });
  device.parser.registerCsiHandler({ prefix: '<', final: 'u' }, () => {
    keyboards -= 1;
    return false;
  });
  const rowAt = (at: number) => buffer().getLine(at)?.translateToString(true, 0, device.cols) ?? '';

  return {
    write: writeNow,
    resize(newColumns, newRows) {
      isResizing = true;
      device.resize(newColumns, newRows);
    },
    settled() {
      isResizing = false;
    },
    get columns() {
      return device.cols;
    },
    get rows() {
      return device.rows;
    },
    get isAlternate() {
      return isAlternate();
    },
    get isDrawing() {
      return isFrame || on.has(2026);
    },
    screen: () => Array.from({ length: device.rows }, (_, row) => rowAt(buffer().baseY + row).trimEnd()),
    lines() {
      const lines: string[] = [];
      for (let at = 0; at < buffer().length; at++) {
        const before = buffer().getLine(at)?.isWrapped === true ? (lines.pop() ?? '') : '';
        lines.push(before + rowAt(at));
      }
      const trimmed = lines.map((line) => line.trimEnd());
      while (trimmed.at(-1) === '') trimmed.pop();
      return trimmed;
    },
    faults: () => faults,
    leftOn: () => [
      ...watchedModes.filter((mode) => on.has(mode)).map((mode) => `mode ${mode}`),
      ...(isHidden ? ['a hidden cursor'] : []),
      ...(keyboards > 0 ? ['a keyboard mode'] : []),
      ...(isFrame ? ['clipped lines'] : []),
    ],
    dispose: () => device.dispose(),
  };
}

/** Its own `write` parses later; who waits for a text wants to see it when it was read. */
function synchronousWrite(device: xterm.Terminal): (data: string) => void {
  const core: unknown = Reflect.get(device, '_core');
  if (!hasWriteSync(core)) throw new Error('this version of @xterm/headless has no synchronous write');
  return (data) => core.writeSync(data);
}

function hasWriteSync(value: unknown): value is { writeSync(data: string): void } {
  return typeof value === 'object' && value !== null && 'writeSync' in value && typeof value.writeSync === 'function';
}

/** What would flicker, lose lines or depend on where the terminal happens to be. */
function forbid(device: xterm.Terminal, faults: string[], isMain: () => boolean): void {
  device.parser.registerCsiHandler({ final: 'J' }, ([how]) => {
    const { cursorX, cursorY, baseY } = device.buffer.active;
    if (how === 2 || how === 3) faults.push('cleared the whole screen');
    if (how === 1 && isMain()) faults.push('erased what is above');
    if (how === 0 && cursorX === 0 && cursorY === 0 && baseY > 0 && isMain()) faults.push('erased the whole screen');
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
      if (isMain()) faults.push(`used ${what} on the main screen`);
      return false;
    });
  }
  device.parser.registerEscHandler({ final: 'c' }, () => {
    faults.push('reset the terminal');
    return false;
  });
}

const [joiner, emojiStyle] = [0x200d, 0xfe0f];
/** What the device keeps about the character before, packed as it wants it. */
const [joinerState, flagState] = [1, 2];

/** The widths of a terminal that knows clusters. */
function clusters(widthOf: (text: string) => number): Parameters<xterm.Terminal['unicode']['register']>[0] {
  const width = (code: number): 0 | 1 | 2 => {
    const cells = widthOf(String.fromCodePoint(code));
    return cells === 0 ? 0 : cells === 1 ? 1 : 2;
  };
  const pack = (state: number, cells: number, joins: boolean) => (state << 3) | ((cells & 3) << 1) | (joins ? 1 : 0);
  const isFlag = (code: number) => code >= 0x1f1e6 && code <= 0x1f1ff;
  const isSkinTone = (code: number) => code >= 0x1f3fb && code <= 0x1f3ff;
  return {
    version: 'clusters',
    wcwidth: width,
    charProperties(code, preceding) {
      const cells = width(code);
      const before = { state: preceding >> 3, cells: (preceding >> 1) & 3 };
      if (preceding !== 0) {
        if (code === joiner) return pack(joinerState, before.cells, true);
        if (code === emojiStyle) return pack(0, before.cells === 0 ? 0 : 2, true);
        if (before.state === joinerState || isSkinTone(code)) return pack(0, Math.max(before.cells, cells), true);
        if (isFlag(code) && before.state === flagState) return pack(0, 2, true);
        if (cells === 0) return pack(before.state, before.cells, true);
      }
      return pack(isFlag(code) ? flagState : 0, cells, false);
    },
  };
}
