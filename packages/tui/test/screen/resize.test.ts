import { afterEach, expect, test, vi } from 'vitest';
import { rowsAboveCursor } from '../../src/screen/reflow.ts';
import { type PlayedClock, withClock } from './clock.ts';
import { createStage, type Stage } from './stage.ts';

const wide = '0123456789'.repeat(3);

afterEach(() => {
  vi.useRealTimers();
});

test('a narrower window leaves one live region and every committed line', () => {
  const { terminal, screen, show } = createStage({ columns: 30, rows: 12, reflowCursorLine: false });
  screen.commit(['one', wide]);
  show('─'.repeat(30), '> words|', '─'.repeat(30), 'footer');
  terminal.resize(20, 12);
  show('─'.repeat(20), '> words|', '─'.repeat(20), 'footer');
  expect(terminal.linesOf()).toEqual(['one', wide, '─'.repeat(20), '> words', '─'.repeat(20), 'footer']);
  terminal.resize(40, 9);
  show('─'.repeat(40), '> words|', '─'.repeat(40), 'footer');
  expect(terminal.linesOf()).toEqual(['one', wide, '─'.repeat(40), '> words', '─'.repeat(40), 'footer']);
});

test('a storm of resizes before a frame costs that one frame', () => {
  const { terminal, screen, show, bytes } = createStage({ columns: 30, rows: 12, reflowCursorLine: false });
  screen.commit(['one']);
  show(wide, '> |');
  const before = terminal.writes.length;
  for (const columns of [29, 25, 20, 15, 12, 18, 24]) terminal.resize(columns, 12);
  bytes();
  screen.draw();
  expect(terminal.writes.length - before).toBe(1);
  expect(terminal.linesOf()).toEqual(['one', wide.slice(0, 24), '>']);
});

test('the main screen is right after the window changed behind a full view', () => {
  const { terminal, screen, show } = createStage({ columns: 30, rows: 10, reflowCursorLine: false });
  screen.commit(['one', 'two']);
  show(wide, '> |');
  const view = screen.openFull({ render: (width, height) => [`${width}x${height}`], handleInput: () => false });
  screen.draw();
  expect(terminal.screenOf()[0]).toBe('30x10');
  terminal.resize(20, 8);
  screen.commit(['while it was open']);
  screen.draw();
  expect(terminal.screenOf()[0]).toBe('20x8');
  view.close();
  screen.draw();
  expect(terminal.linesOf()).toEqual(['one', 'two', 'while it was open', wide.slice(0, 20), '>']);
});

test.each([
  ['none', { row: 1, column: 0 }, 1],
  ['exact', { row: 1, column: 5 }, 3],
  ['exact', { row: 1, column: 15 }, 4],
  ['exact', { row: 1, column: 30 }, 5],
  ['exact', { row: 0, column: 0 }, 0],
  ['xtermjs', { row: 1, column: 0 }, 6],
  ['xtermjs', { row: 2, column: 0 }, 6],
] as const)(
  'in a terminal of the kind %s with the cursor at %o the region begins %i rows above',
  (kind, cursor, rows) => {
    expect(rowsAboveCursor([wide, wide, 'a'.repeat(15)], cursor, 10, kind)).toBe(rows);
  },
);

test('a wide character that does not fit goes to the next row as a whole', () => {
  expect(rowsAboveCursor(['漢漢漢漢漢', ''], { row: 1, column: 0 }, 3, 'exact')).toBe(5);
});

test('after a resize final lines may wrap, since the window may be narrower by now; those that are drawn again may not', () => {
  const { terminal, screen, show, bytes } = createStage({ columns: 40, rows: 10 });
  show('live');
  terminal.resize(30, 10);
  bytes();
  screen.commit(['final']);
  show('live');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
  const switches = bytes().match(/\x1b\[\?7[hl]|final|live/g);
  expect(switches).toEqual(['\u001b[?7l', '\u001b[?7h', 'final', '\u001b[?7l', 'live', '\u001b[?7h']);
});

test('while the window goes on changing a frame brings a part of what was committed, and the rest comes when it rests', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
  const { terminal, screen, show, bytes } = createStage({ columns: 40, rows: 10 });
  show('live');
  bytes();
  const lines = Array.from({ length: 200 }, (_, at) => `line ${at} of those that were committed`);
  screen.commit(lines);
  for (let ms = 0; ms < 1100; ms += 20) {
    terminal.resize(40 + (ms % 3), 10);
    vi.advanceTimersByTime(20);
  }
  const part = bytes();
  expect(part).toContain('line 0 of');
  expect(part.length).toBeLessThan(3000);
  vi.advanceTimersByTime(500);
  expect(terminal.linesOf()).toEqual([...lines, 'live']);
});

/** A final line and a long live row, and a tenth of a second later a window in which that row is broken. */
function narrowedAfter(before: (stage: Stage, clock: PlayedClock) => void): string[] {
  return withClock((clock) => {
    const stage = createStage({ columns: 40, rows: 12, reflow: 'exact', latencyMs: 20, doubtMs: 270, calmMs: 60 });
    clock.pass(5000);
    before(stage, clock);
    stage.screen.commit(['done']);
    stage.show('a'.repeat(30), '> |');
    clock.pass(100);
    stage.terminal.resize(20, 12);
    clock.pass(500);
    clock.run();
    return stage.terminal.linesOf();
  });
}

const whole = ['done', 'a'.repeat(20), '>'];
const doubled = ['done', 'a'.repeat(20), 'a'.repeat(20), '>'];

test('where all was calm, a narrower window leaves nothing behind of what was drawn a moment ago', () => {
  expect(narrowedAfter(() => {})).toEqual(whole);
});

test('where the size had just changed, or a frame came late, what was drawn a moment ago may not have been there: a row is kept', () => {
  const resized = narrowedAfter(({ terminal }, clock) => {
    terminal.resize(41, 12);
    clock.pass(500);
    clock.run();
    terminal.resize(40, 12);
    clock.pass(500);
    clock.run();
  });
  const late = narrowedAfter(({ screen }, clock) => {
    screen.requestFrame();
    clock.pass(50);
    clock.run();
  });
  expect([resized, late]).toEqual([doubled, doubled]);
});
