import { describe, expect, test } from 'vitest';
import { type BorderStyle, createBox } from '../../src/boxes/box.ts';
import { createHints } from '../../src/boxes/hints.ts';
import { createColumn, createRow } from '../../src/boxes/layout.ts';
import { createLoader } from '../../src/boxes/loader.ts';
import { createProgress } from '../../src/boxes/progress.ts';
import { createSpinner } from '../../src/boxes/spinner.ts';
import { createCutText, createLines, createRule, createSpacer, createText } from '../../src/boxes/text.ts';
import { createToasts } from '../../src/boxes/toasts.ts';
import { cursorMarker } from '../../src/component.ts';
import { createSelectList } from '../../src/lists/select-list.ts';
import { colours, hostile, linesAt, plain, screens } from '../lines.ts';
import { bytes, defaultKeys, press } from '../press.ts';

const theme = plain;
const everyWidth = [1, 2, 3, 5, 11, 40];

describe('text', () => {
  test('wraps, aligns, and shows what is hostile', () => {
    expect(linesAt(createText({ theme, text: 'one two three' }), 8)).toEqual(['one two', 'three']);
    expect(linesAt(createText({ theme, text: 'one', align: 'right' }), 8)).toEqual(['     one']);
    expect(linesAt(createText({ theme, text: 'a\u001b[2Jb' }), 20)).toEqual(['a␛[2Jb']);
    expect(linesAt(createText({ theme, text: '' }), 20)).toEqual([]);
    const text = createText({ theme, text: 'old' });
    const before = text.render(10);
    text.setText('old');
    expect(text.render(10)).toBe(before);
    text.setText('new');
    expect(text.render(10)).toEqual(['new']);
  });

  test('made by us keeps its styles', () => {
    const text = createText({ theme, text: colours.paint('accent', 'red'), styled: true });
    expect(text.render(10)).toEqual(['\u001b[35mred\u001b[39m']);
  });

  test('is cut where it matters least', () => {
    const path = '/home/someone/project/file.ts';
    expect(linesAt(createCutText({ theme, text: path }), 12)).toEqual(['/home/someo…']);
    expect(linesAt(createCutText({ theme, text: path, lose: 'start' }), 12)).toEqual(['…ect/file.ts']);
    expect(linesAt(createCutText({ theme, text: path, lose: 'middle' }), 12)).toEqual(['/home…ile.ts']);
  });

  test('lines that others made are cut to the width', () => {
    const lines = createLines([colours.paint('accent', 'abcdef'), 'x']);
    expect(linesAt(lines, 4)).toEqual(['abc…', 'x']);
    lines.set(['y']);
    expect(linesAt(lines, 4)).toEqual(['y']);
  });

  test('a spacer is empty lines, a rule a line across with its title', () => {
    expect(linesAt(createSpacer(2), 9)).toEqual(['', '']);
    expect(linesAt(createRule({ theme }), 5)).toEqual(['─────']);
    expect(linesAt(createRule({ theme, title: 'Title' }), 14)).toEqual(['── Title ─────']);
  });
});

describe('a box', () => {
  const child = createText({ theme, text: 'hello world' });

  test.each<[BorderStyle, string[]]>([
    ['single', ['┌─ T ───────┐', '│ hello     │', '│ world     │', '└───────────┘']],
    ['round', ['╭─ T ───────╮', '│ hello     │', '│ world     │', '╰───────────╯']],
    ['double', ['╔═ T ═══════╗', '║ hello     ║', '║ world     ║', '╚═══════════╝']],
    ['heavy', ['┏━ T ━━━━━━━┓', '┃ hello     ┃', '┃ world     ┃', '┗━━━━━━━━━━━┛']],
    ['ascii', ['+- T -------+', '| hello     |', '| world     |', '+-----------+']],
    ['none', [' hello world ']],
  ])('with a %s border', (border, lines) => {
    expect(linesAt(createBox({ theme, child, border, title: 'T' }), 13)).toEqual(lines);
  });

  test('pads, grounds, has a footer, and hands input on', () => {
    const seen: string[] = [];
    const drawn = ['x'];
    const inner = { render: () => drawn, handleInput: () => seen.push('input') > 0 };
    const box = createBox({ theme: colours, child: inner, padX: 2, padY: 1, footer: 'f', ground: 'userMessageBg' });
    expect(linesAt(box, 9)).toEqual(['┌───────┐', '│       │', '│  x    │', '│       │', '└─ f ───┘']);
    expect(box.render(9)[2]).toContain('\u001b[44m  x    \u001b[49m');
    expect(box.handleInput?.({ type: 'paste', text: '' })).toBe(true);
    expect(seen).toEqual(['input']);
  });

  test('lets what is inside know that it has the focus', () => {
    const list = createSelectList({ theme, keys: defaultKeys(), items: [], filter: true });
    const box = createBox({ theme, child: list });
    if ('focused' in box) box.focused = true;
    expect(list.focused).toBe(true);
    expect(box.render(20).join()).toContain(cursorMarker);
    expect('focused' in createBox({ theme, child })).toBe(false);
  });

  test('is drawn again only when what is inside changed', () => {
    const text = createText({ theme, text: 'a' });
    const box = createBox({ theme, child: text });
    const before = box.render(10);
    expect(box.render(10)).toBe(before);
    text.setText('b');
    expect(box.render(10)).not.toBe(before);
  });

  test('too narrow for its border leaves it out', () => {
    expect(linesAt(createBox({ theme, child: createText({ theme, text: 'ab' }) }), 3)).toEqual([' a ', ' b ']);
  });
});

describe('layout', () => {
  const a = createText({ theme, text: 'aa aa' });
  const b = createText({ theme, text: 'b' });

  test('a column puts its children below each other, without gaps for empty ones', () => {
    const empty = createText({ theme, text: '' });
    expect(linesAt(createColumn([a, empty, b], { gap: 1 }), 9)).toEqual(['aa aa', '', 'b']);
    let shown = [a];
    const changing = createColumn(() => shown);
    const before = changing.render(9);
    expect(changing.render(9)).toBe(before);
    shown = [a, b];
    expect(changing.render(9)).toEqual(['aa aa', 'b']);
  });

  test('a row puts them beside each other, or below where there is no room', () => {
    const row = createRow([
      { child: a, width: 3 },
      { child: b, width: 'rest', min: 2 },
    ]);
    expect(linesAt(row, 8)).toEqual(['aa  b   ', 'aa      ']);
    expect(linesAt(row, 5)).toEqual(['aa aa', 'b']);
    const shares = createRow(
      [a, b, createText({ theme, text: 'c' })].map((child) => ({ child, width: 'rest' as const })),
      { gap: 0 },
    );
    expect(linesAt(shares, 17)).toEqual(['aa aa b     c    ']);
  });
});

describe('a spinner', () => {
  test.each(['braille', 'dots', 'line'] as const)('of %s turns with the clock', (style) => {
    let time = 0;
    const spinner = createSpinner({ theme, now: () => time, text: 'Working', style });
    const seen = new Set<string>();
    for (; time < 3_000; time += spinner.everyMs ?? 3_000) seen.add(linesAt(spinner, 20).join());
    expect(seen.size).toBe({ braille: 10, dots: 6, line: 4 }[style]);
    for (const line of seen) expect(line).toMatch(/ Working$/);
  });

  test('shimmers column by column', () => {
    let time = 0;
    const lit = { ...plain, paint: (role: string, text: string) => (role === 'accent' ? `<${text}>` : text) };
    const spinner = createSpinner({ theme: lit, now: () => time, text: 'Think', shimmer: true });
    const seen: string[] = [];
    for (; time < 80 * 8; time += 80) seen.push(spinner.render(20).join().slice(2));
    expect(seen).toEqual(['Think', '<T>hink', '<Th>ink', '<Thi>nk', 'T<hin>k', 'Th<ink>', 'Thi<nk>', 'Thin<k>']);
  });

  test('stands still for who wants it, and needs no frames', () => {
    let time = 0;
    const spinner = createSpinner({
      theme,
      now: () => time,
      text: 'Working',
      shimmer: true,
      still: true,
      hint: () => 'Esc stops',
    });
    const before = spinner.render(40);
    time = 5_000;
    expect(spinner.render(40)).toBe(before);
    expect(before).toEqual(['• Working Esc stops']);
    expect(spinner.everyMs).toBeUndefined();
    spinner.setText('Done');
    expect(spinner.render(40)).toEqual(['• Done Esc stops']);
  });
});

test('a loader can be given up, once', () => {
  const said: string[] = [];
  const loader = createLoader({
    theme,
    now: () => 0,
    keys: defaultKeys(),
    text: 'Fetching',
    onCancel: () => said.push('cancelled'),
  });
  expect(linesAt(loader, 40)).toEqual(['⠋ Fetching (Esc cancels)']);
  expect(press(loader, 'x', bytes.escape, bytes.ctrl('c'))).toEqual([false, true, true]);
  expect([loader.signal.aborted, said]).toEqual([true, ['cancelled']]);
  expect(linesAt(loader, 40)).toEqual(['⠋ Fetching (cancelled)']);
});

describe('progress', () => {
  test('is a label, a bar and a percentage', () => {
    const progress = createProgress({ theme, label: 'Load', value: 0.5, barWidth: 10 });
    expect(linesAt(progress, 40)).toEqual(['Load █████░░░░░  50%']);
    progress.set(0.33);
    expect(linesAt(progress, 40)).toEqual(['Load ███▎░░░░░░  33%']);
    progress.set(2, 'Done');
    expect(linesAt(progress, 40)).toEqual(['Done ██████████ 100%']);
    progress.set(Number.NaN);
    expect(linesAt(progress, 6)).toEqual(['0%']);
  });
});

describe('toasts', () => {
  test('are three at most, counted when repeated, and gone when their time is over', () => {
    let time = 0;
    const toasts = createToasts({ theme, now: () => time, ms: 1_000 });
    expect(toasts.nextAt).toBeUndefined();
    toasts.show('one');
    time = 500;
    for (const text of ['two', 'three', 'four', 'four']) toasts.show(text, 'warning', 2_000);
    expect(linesAt(toasts, 30)).toEqual(['⚠ two', '⚠ three', '⚠ four (×2)']);
    toasts.show('saved', 'success', 100);
    expect(linesAt(toasts, 30)).toEqual(['⚠ three', '⚠ four (×2)', '✓ saved']);
    expect(toasts.nextAt).toBe(600);
    time = 600;
    expect(linesAt(toasts, 30)).toEqual(['⚠ three', '⚠ four (×2)']);
    time = 2_500;
    expect(linesAt(toasts, 30)).toEqual([]);
    toasts.show('x');
    toasts.dismiss();
    expect(toasts.render(30)).toEqual([]);
  });

  test('a long one is cut to three lines', () => {
    const toasts = createToasts({ theme, now: () => 0 });
    toasts.show('word '.repeat(40), 'error');
    const lines = linesAt(toasts, 20);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/…$/);
  });
});

test('hints say the keys in force and leave out what there is no room for', () => {
  const hints = createHints({
    theme,
    keys: defaultKeys(),
    hints: [
      { action: ['tui.list.up', 'tui.list.down'], label: 'move' },
      { action: 'tui.list.select', label: 'choose' },
      { action: 'no.such.action', label: 'nothing' },
      { action: 'tui.list.cancel', label: 'close' },
    ],
  });
  expect(linesAt(hints, 60)).toEqual(['↑/↓ move · Enter choose · Esc close']);
  expect(linesAt(hints, 26)).toEqual(['↑/↓ move · Enter choose']);
  expect(linesAt(hints, 4)).toEqual([]);
});

test('all hold hostile text at every width', () => {
  const toasts = createToasts({ theme: colours, now: () => 0, most: 10 });
  for (const text of hostile) toasts.show(text, 'error');
  const boxed = (text: string) =>
    createBox({ theme: colours, child: createText({ theme: colours, text, role: 'text' }), title: text, footer: text });
  const all = hostile.flatMap((text) => [
    createText({ theme: colours, text, role: 'text', align: 'center' }),
    createCutText({ theme: colours, text, role: 'text', lose: 'middle' }),
    createRule({ theme: colours, title: text }),
    boxed(text),
    createSpinner({ theme: colours, now: () => 400, text, shimmer: true, hint: () => text }),
    createProgress({ theme: colours, label: text, value: 0.4 }),
    createRow([
      { child: boxed(text), width: 'rest' },
      { child: boxed(text), width: 8 },
    ]),
  ]);
  for (const width of everyWidth) for (const component of [...all, toasts]) linesAt(component, width);
  const plainly = hostile
    .slice(0, 6)
    .map((text) => createBox({ theme, child: createText({ theme, text: text.slice(0, 60) }), title: text }));
  expect(screens(createColumn(plainly))).toMatchSnapshot();
});
