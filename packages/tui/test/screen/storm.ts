/**
 * A window that is dragged while words are committed. What the program writes arrives later and in pieces, and the size
 * changes at the terminal first: a frame for the old size meets rows that were already broken or joined.
 */
import xterm from '@xterm/headless';
import { vi } from 'vitest';
import { cursorMarker } from '../../src/component.ts';
import type { ScreenCapabilities } from '../../src/screen/canvas.ts';
import { createScreen } from '../../src/screen/screen.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';

export interface StormOptions extends ScreenCapabilities {
  /** The longest that a byte is on its way, and that news of a size are. */
  latencyMs: number;
  /** After news of a size there are none for so long, and then only of the last. */
  newsEveryMs?: number;
  /** From one size to the next, at least and at most. */
  every: readonly [number, number];
  words: number;
  seed: number;
}

/** The words that stand on the terminal in the end, in their order. */
export function storm(options: StormOptions): number[] {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
  try {
    return play(options);
  } finally {
    vi.useRealTimers();
  }
}

function play({ latencyMs, newsEveryMs = 0, every, words, seed, ...able }: StormOptions) {
  const upTo = numbers(seed);
  // A frame out and the news of a size back, and a step for each.
  const known = { ...able, latencyMs: 2 * latencyMs + 2, newsEveryMs };
  const link = createLink(able.reflow === 'exact', upTo, latencyMs, newsEveryMs);
  let at = 0;
  let ticks = 0;
  const root = {
    render: (width: number) => [
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
  let nextSize = 0;
  for (let ms = 0; at < words; ms++) {
    if (ms >= nextSize) {
      link.resize(18 + upTo(50), 6 + upTo(14));
      nextSize = ms + every[0] + upTo(every[1] - every[0]);
    }
    if (upTo(40) === 0) {
      const line = Array.from({ length: Math.min(1 + upTo(9), words - at) }, () => `[${at++}]`);
      screen.commit([line.join(' ')]);
    } else if (upTo(20) === 0) {
      ticks++;
      screen.requestFrame();
    }
    link.step();
    vi.advanceTimersByTime(1);
  }
  link.settle();
  vi.advanceTimersByTime(2000);
  link.settle();
  // Rows of the live region may stand between them, or begin where a committed row ends.
  return [
    ...link
      .text()
      .replace(/[^\d[\]]/g, '')
      .matchAll(/\[(\d+)\]/g),
  ].map(([, word]) => Number(word));
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
  /** A millisecond passes. */
  step(): void;
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
  const due: { at: number; bytes: number }[] = [];
  let onResize = () => {};
  const arrive = (bytes: number) => {
    core.writeSync(coming.slice(0, bytes));
    coming = coming.slice(bytes);
  };
  return {
    terminal: {
      get columns() {
        return columns;
      },
      get rows() {
        return rows;
      },
      write(data) {
        coming += data;
        const last = due.at(-1)?.at ?? 0;
        // One that does not break the cursor's line cuts it off, so there a frame comes in one piece.
        const first = reflowCursorLine ? upTo(data.length) : data.length;
        for (const bytes of [first, data.length - first])
          due.push({ at: Math.max(last, now + upTo(latencyMs)), bytes });
        due.sort((a, b) => a.at - b.at);
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
      while (due[0] && due[0].at <= now) arrive(due.shift()?.bytes ?? 0);
      while (told[0] && told[0].at <= now) {
        const size = told.shift();
        if (!size) break;
        ({ columns, rows } = size);
        onResize();
      }
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
