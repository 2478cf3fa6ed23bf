/**
 * A window that is dragged while words are committed. What the program writes arrives later and in pieces, and the size
 * changes at the terminal first: a frame for the old size meets rows that were already broken or joined.
 */
import xterm from '@xterm/headless';
import { cursorMarker } from '../../src/component.ts';
import type { ScreenCapabilities } from '../../src/screen/canvas.ts';
import { createScreen } from '../../src/screen/screen.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';
import { type PlayedClock, withClock } from './clock.ts';

export interface StormOptions extends ScreenCapabilities {
  /** The longest that a byte is on its way, and that news of a size are. */
  latencyMs: number;
  /** After news of a size there are none for so long, and then only of the last. */
  newsEveryMs?: number;
  /** Now and then the terminal takes nothing of what was written for up to so long, but every new size. */
  terminalLagMs?: number;
  /** Now and then the program does nothing for up to so long, and hears only of the last size after that. */
  programLagMs?: number;
  /** From one size to the next, at least and at most. */
  every: readonly [number, number];
  /** Any width follows any other, or they go one way for a while, as when somebody drags the edge. */
  widths?: 'any' | 'dragged';
  /** Lines are committed all the time, or seldom while the live region grows and shrinks. */
  life?: 'commits' | 'grows';
  words: number;
  seed: number;
}

/** The words that stand on the terminal in the end, in their order. */
export function storm(options: StormOptions): number[] {
  return withClock((clock) => play(options, clock));
}

function play(options: StormOptions, clock: PlayedClock) {
  const { latencyMs, newsEveryMs = 0, terminalLagMs = 0, programLagMs = 0, every, words, seed, ...able } = options;
  const { widths = 'any', life = 'commits' } = options;
  const upTo = numbers(seed);
  const [commitsIn, framesIn, tallest] = life === 'commits' ? [40, 20, 0] : [300, 10, 6];
  // A step more than it takes.
  const known = { ...able, latencyMs: latencyMs + 1, doubtMs: latencyMs + 1 + terminalLagMs, newsEveryMs };
  const link = createLink(able.reflow === 'exact', upTo, latencyMs, newsEveryMs);
  let at = 0;
  let ticks = 0;
  const root = {
    render: (width: number) => [
      ...Array.from({ length: tallest && ticks % tallest }, (_, row) => 'x'.repeat((row * 37 + ticks) % width)),
      `working${'.'.repeat(ticks % 40)}`,
      '─'.repeat(width),
      `> some words that were typed${cursorMarker}`,
      '─'.repeat(width),
      `footer ${'of'.repeat(width / 4)}`,
    ],
  };
  const screen = createScreen({ terminal: link.terminal, root, capabilities: () => known });
  link.terminal.start({ onInput: () => undefined, onResize: screen.resized });
  screen.draw();
  link.settle();
  const nextWidth = widths === 'any' ? () => 18 + upTo(50) : dragged(upTo);
  let nextSize = 0;
  let busyUntil = 0;
  for (let ms = 0; at < words; ms++) {
    if (ms >= nextSize) {
      link.resize(nextWidth(), 6 + upTo(14));
      nextSize = ms + every[0] + upTo(every[1] - every[0]);
    }
    if (terminalLagMs > 0 && upTo(300) === 0) link.stall(upTo(terminalLagMs));
    if (programLagMs > 0 && upTo(300) === 0) busyUntil = ms + upTo(programLagMs);
    link.step();
    if (ms >= busyUntil) {
      // Timers that are due come before news.
      clock.run();
      link.tell();
      if (upTo(commitsIn) === 0) {
        const line = Array.from({ length: Math.min(1 + upTo(9), words - at) }, () => `[${at++}]`);
        screen.commit([line.join(' ')]);
      } else if (upTo(framesIn) === 0) {
        ticks++;
        screen.requestFrame();
      }
    }
    clock.pass(1);
  }
  link.settle();
  for (let ms = 0; ms < 2000; ms++) {
    clock.pass(1);
    clock.run();
  }
  link.settle();
  // Rows of the live region may stand between them, or begin where a committed row ends.
  return [
    ...link
      .text()
      .replace(/[^\d[\]]/g, '')
      .matchAll(/\[(\d+)\]/g),
  ].map(([, word]) => Number(word));
}

function dragged(upTo: (limit: number) => number): () => number {
  let [width, way] = [60, -1];
  return () => {
    if (upTo(8) === 0 || width <= 18 || width >= 68) way = width <= 18 ? 1 : width >= 68 ? -1 : -way;
    width = Math.max(18, Math.min(68, width + way * upTo(8)));
    return width;
  };
}

/** The same for the same seed: from 0 to a limit. */
function numbers(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (limit + 1));
  };
}

interface Link {
  terminal: Terminal;
  resize(columns: number, rows: number): void;
  /** A millisecond passes at the terminal. */
  step(): void;
  /** The program hears what has come: of many sizes the last. */
  tell(): void;
  /** The terminal takes nothing that is written for so long. */
  stall(ms: number): void;
  /** All that is on its way arrives. */
  settle(): void;
  /** Scrollback and screen. */
  text(): string;
}

function createLink(
  reflowCursorLine: boolean,
  upTo: (limit: number) => number,
  latencyMs: number,
  newsEveryMs: number,
): Link {
  const device = new xterm.Terminal({
    ...{ cols: 60, rows: 20, scrollback: 3000, allowProposedApi: true, logLevel: 'off' as const, reflowCursorLine },
  });
  const core: unknown = Reflect.get(device, '_core');
  if (!hasWriteSync(core)) throw new Error('this version of @xterm/headless has no synchronous write');
  let [columns, rows] = [device.cols, device.rows];
  let now = 0;
  let coming = '';
  const told: { sent: number; at: number; columns: number; rows: number }[] = [];
  let silentUntil = 0;
  let stalledUntil = 0;
  const due: { at: number; bytes: number }[] = [];
  let onResize = () => {};
  const arrive = (bytes: number) => {
    core.writeSync(coming.slice(0, bytes));
    coming = coming.slice(bytes);
  };
  /** Of the sizes that have come, the program hears of the last. */
  const look = () => {
    const come = told.filter(({ at }) => at <= now);
    const size = come.at(-1);
    if (!size) return;
    told.splice(0, come.length);
    ({ columns, rows } = size);
    onResize();
  };
  return {
    terminal: {
      look,
      get columns() {
        return columns;
      },
      get rows() {
        return rows;
      },
      write(data) {
        coming += data;
        let last = due.at(-1)?.at ?? 0;
        // One that does not break the cursor's line cuts it off, so there a frame comes in one piece. The other is to keep
        // the cursor at its character, which the device does only where nothing is written on right there.
        const first = reflowCursorLine ? data.lastIndexOf('\n', upTo(data.length)) + 1 : data.length;
        for (const bytes of [first, data.length - first]) {
          last = Math.max(last, now + upTo(latencyMs));
          due.push({ at: last, bytes });
        }
      },
      start(listener) {
        onResize = listener.onResize;
      },
      stop: async () => {},
      suspend: () => {},
      lend: () => () => {},
      alternate: () => {},
      enable: () => {},
    },
    resize(toColumns, toRows) {
      device.resize(toColumns, toRows);
      const last = told.at(-1);
      if (last && last.sent > now) {
        Object.assign(last, { columns: toColumns, rows: toRows });
        return;
      }
      const sent = Math.max(now, silentUntil);
      silentUntil = sent + newsEveryMs;
      const at = Math.max(last?.at ?? 0, sent + upTo(latencyMs));
      told.push({ sent, at, columns: toColumns, rows: toRows });
    },
    step() {
      now++;
      while (now >= stalledUntil && due[0] && due[0].at <= now) arrive(due.shift()?.bytes ?? 0);
    },
    tell: look,
    stall(ms) {
      // One right after another would be a longer one.
      if (now > stalledUntil) stalledUntil = now + ms;
    },
    settle() {
      due.length = 0;
      arrive(coming.length);
      for (const size of told.splice(0)) {
        ({ columns, rows } = size);
        onResize();
      }
    },
    text() {
      const { active } = device.buffer;
      const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row));
      return rows.map((row) => row?.translateToString(true, 0, device.cols) ?? '').join('');
    },
  };
}

function hasWriteSync(value: unknown): value is { writeSync(data: string): void } {
  return typeof value === 'object' && value !== null && 'writeSync' in value && typeof value.writeSync === 'function';
}
