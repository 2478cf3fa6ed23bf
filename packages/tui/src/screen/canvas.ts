/** The main screen below the committed lines: what is drawn there, and what it takes to draw the next frame. */
import type { Terminal } from '../terminal/terminal.ts';
import { widthOf } from '../text/width.ts';
import type { LiveRegion } from './compose.ts';
import type { FrameWriter } from './frame.ts';
import { finalRows } from './line.ts';
import { type Drawn, type Place, patch } from './patch.ts';
import type { Reflow } from './reflow.ts';
import { createTrail, type Size } from './trail.ts';

/** What is believed to be shown below the committed lines, and where the terminal's cursor is in it. */
export interface Region {
  lines: readonly string[];
  cursorRow: number;
  cursorColumn: number;
  cursorVisible: boolean;
}

export interface ScreenCapabilities {
  synchronizedOutput: boolean;
  reflow: Reflow;
  /** Without an alternate screen, what is shown is first moved into the scrollback. Unsaid means that there is one. */
  alternateScreen?: boolean;
  /** A row that it broke counts as broken until it is deleted: in a wider window it would be joined with the next. */
  keepsBreaks?: boolean;
  /** How long news of another size are on their way. */
  latencyMs?: number;
  /** How long what is written may be on its way. */
  doubtMs?: number;
  /** The same while nothing is busy and the window keeps its size. Unsaid means that it makes no difference. */
  calmMs?: number;
  /** It tells of another size only so often: news that follow others within this time may be that old. */
  newsEveryMs?: number;
  /** How long a narrower size has to be the same before it is believed. */
  settleMs?: number;
}

export interface Canvas {
  /**
   * Writes nothing when all is as it should be. Not `settled` is what is drawn while the size of the window goes on
   * changing: then rows of the last live region may be left behind, and a committed one is touched in no case.
   */
  draw(committed: readonly string[], live: LiveRegion, settled?: boolean): void;
  /** The terminal has another size. True when it has broken rows, so that where they begin depends on that size. */
  resized(): boolean;
  /** The committed lines, and below them what was drawn last, with the cursor on a line of its own. Renders nothing. */
  finish(committed: readonly string[]): void;
  /** Another program had the terminal: a new live region begins where the cursor is. */
  forget(): void;
  region(): Region;
}

const nothing: LiveRegion = { lines: [], cursor: undefined };
/** Of a terminal whose delays nobody said. */
const careful = { latencyMs: 20, doubtMs: 270 };
const home: Place = { row: 0, column: 0 };

/** `isCalm`: nothing is busy, and the window has kept its size for a while. */
export function createCanvas(
  terminal: Terminal,
  frames: FrameWriter,
  able: () => ScreenCapabilities,
  isCalm: () => boolean,
): Canvas {
  const trail = createTrail(() => {
    const { latencyMs = careful.latencyMs, doubtMs = careful.doubtMs, calmMs = doubtMs, newsEveryMs = 0 } = able();
    return { latencyMs, doubtMs: isCalm() ? calmMs : doubtMs, newsEveryMs };
  });
  let drawn: Drawn = { rows: [], cursorRow: 0, stale: true };
  let column = 0;
  let last: LiveRegion | undefined;
  let size = sizeOf(terminal);
  /** So many rows below the live region are blank for sure. */
  let blankBelow = 0;

  /** The terminal has moved what it shows. Where the live region began can be told, what its rows show cannot. */
  function afterResize(settled: boolean): void {
    const now = sizeOf(terminal);
    if (now.columns === size.columns && now.rows === size.rows && !trail.isChanged) return;
    drawn = { rows: [], cursorRow: trail.rowsAbove(now, settled, able().reflow), stale: true };
    blankBelow = 0;
    size = now;
  }

  function isShown(lines: readonly string[], cursor: Place, visible: boolean): boolean {
    if (drawn.stale || visible !== frames.cursorVisible) return false;
    if (cursor.row !== drawn.cursorRow || cursor.column !== column) return false;
    return lines.length === drawn.rows.length && lines.every((line, row) => line === drawn.rows[row]);
  }

  function draw(committed: readonly string[], live: LiveRegion, settled = true): void {
    afterResize(settled);
    if (committed.length === 0 && live === last && !drawn.stale && (live.cursor !== undefined) === frames.cursorVisible)
      return;
    last = live;
    // Without a cursor to show it stands where a resize moves it least.
    const cursor = live.cursor ?? home;
    const visible = live.cursor !== undefined;
    if (committed.length === 0 && isShown(live.lines, cursor, visible)) return;
    const above = committed.flatMap((line) => finalRows(line, size.columns));
    const place = { row: above.length + cursor.row, column: cursor.column };
    const next = above.length > 0 ? [...above, ...live.lines] : live.lines;
    const { synchronizedOutput: synchronized, keepsBreaks = false } = able();
    const options = { height: size.rows, synchronized, committed: above.length, keepsBreaks };
    const out = patch(drawn, next, place, options);
    blankBelow = drawn.stale ? 0 : Math.max(0, blankBelow + drawn.rows.length - next.length);
    drawn = { rows: live.lines, cursorRow: cursor.row, stale: false };
    column = cursor.column;
    trail.sent({ rows: live.lines, cursor, final: above.length > 0, size, blankBelow });
    frames.write(out, visible);
  }

  return {
    draw,
    resized() {
      const now = sizeOf(terminal);
      trail.resized(now);
      return drawn.rows.some((row) => widthOf(row) > now.columns);
    },
    finish(committed) {
      const { lines } = last ?? nothing;
      const below = { row: lines.length, column: 0 };
      draw(committed, { lines: lines.length > 0 ? [...lines, ''] : [], cursor: below });
      drawn = { rows: [], cursorRow: 0, stale: true };
    },
    forget() {
      drawn = { rows: [], cursorRow: 0, stale: true };
      column = 0;
      last = undefined;
      trail.forget();
      size = sizeOf(terminal);
    },
    region: () => ({
      lines: drawn.rows,
      cursorRow: drawn.cursorRow,
      cursorColumn: column,
      cursorVisible: frames.cursorVisible,
    }),
  };
}

function sizeOf({ columns, rows }: Terminal): Size {
  return { columns: Math.max(1, columns), rows: Math.max(1, rows) };
}
