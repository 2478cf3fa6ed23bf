import { expect, test } from 'vitest';
import { createScreen } from '../../src/screen/screen.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { createStage } from './stage.ts';

test('committed lines stand above the live region, once and in order', () => {
  const { terminal, screen, show } = createStage({ columns: 20, rows: 6 });
  show('> |', 'footer');
  screen.commit(['one', 'two']);
  show('> hi|', 'footer');
  screen.commit(['three']);
  show('> |', 'footer');
  expect(terminal.linesOf()).toEqual(['one', 'two', 'three', '>', 'footer']);
  expect(terminal.cursorOf()).toEqual({ row: 3, column: 2, visible: true });
});

test('more lines than the screen is high scroll into the scrollback, all of them', () => {
  const { terminal, screen, show } = createStage({ columns: 20, rows: 6 });
  show('> |', 'footer');
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  screen.commit(lines);
  show('> |', 'footer!');
  expect(terminal.linesOf()).toEqual([...lines, '>', 'footer!']);
  expect(terminal.screenOf().slice(-2)).toEqual(['>', 'footer!']);
});

test('a frame writes only the part of a line that changed', () => {
  const { show, bytes } = createStage({ columns: 60, rows: 10 });
  show('a long first line that stays', 'working 1 s, 20 tokens', '> |');
  bytes();
  show('a long first line that stays', 'working 2 s, 20 tokens', '> |');
  expect(bytes()).toBe('\u001b[?2026h\u001b[?7l\u001b[A\u001b[9G2\r\n\u001b[3G\u001b[?7h\u001b[?2026l');
});

test('a frame in which nothing changed writes nothing', () => {
  const { screen, show, bytes } = createStage();
  show('same', '> |');
  bytes();
  show('same', '> |');
  screen.draw();
  expect(bytes()).toBe('');
});

test('a styled line that changed in the middle keeps its colours on both sides', () => {
  const { terminal, show, bytes } = createStage({ columns: 40, rows: 5 });
  const line = (n: string) =>
    `\u001b[31mred words before\u001b[39m \u001b[1;32m${n}\u001b[0m \u001b[34mblue words after\u001b[39m`;
  show(line('1'));
  bytes();
  show(line('2'));
  expect(terminal.screenOf()[0]).toBe('red words before 2 blue words after');
  expect(bytes()).toContain('\u001b[18G\u001b[1;32m2\u001b[22;39m');
});

test('rows that move as a block are moved by the terminal', () => {
  const { terminal, show, bytes } = createStage({ columns: 40, rows: 12 });
  const below = ['working', '╭────────╮', '│ editor │', '╰────────╯', 'footer'];
  show('first line of text', ...below);
  bytes();
  show('first line of text', 'second line', ...below);
  expect(terminal.linesOf()).toEqual(['first line of text', 'second line', ...below]);
  const grown = bytes();
  expect(grown).not.toContain('editor');
  show(...below);
  expect(terminal.linesOf()).toEqual(below);
  expect(bytes()).not.toContain('editor');
});

test('a live region that shrinks leaves no row behind', () => {
  const { terminal, show } = createStage({ columns: 20, rows: 8, synchronizedOutput: false });
  show('1', '2', '3', '4', '5', '> |');
  show('1', '> |');
  expect(terminal.linesOf()).toEqual(['1', '>']);
  show();
  expect(terminal.linesOf()).toEqual([]);
  show('again');
  expect(terminal.linesOf()).toEqual(['again']);
});

test('a live region higher than the screen loses its top, and the caller may say so', () => {
  const overflow = (hidden: number) => `… ${hidden} more lines`;
  const { terminal, show } = createStage({ columns: 20, rows: 5, overflow });
  show('1', '2', '3', '4', '5', '> |');
  expect(terminal.screenOf()).toEqual(['… 3 more lines', '4', '5', '>', '']);
});

test('a line that is too wide is cut in the live region and goes on in the next row when committed', () => {
  const { terminal, screen, show } = createStage({ columns: 10, rows: 6 });
  screen.commit(['0123456789abcdef', '漢字漢字漢字']);
  show('0123456789abcdef', '漢字漢字漢字|');
  expect(terminal.linesOf()).toEqual(['0123456789', 'abcdef', '漢字漢字漢', '字', '0123456789', '漢字漢字漢']);
});

test('what a line must not hold does no harm', () => {
  const { terminal, screen, show } = createStage({ columns: 30, rows: 8 });
  screen.commit(['clear \u001b[2J\u001b[H me', 'bell\u0007 and\nbreak', '\u001bc reset']);
  show('up \u001b[5A here', 'tab\tstop', '\u009b2Jc1');
  expect(terminal.linesOf()).toEqual(['clear  me', 'bell andbreak', ' reset', 'up  here', 'tab stop', 'c1']);
});

test('without a cursor in any line it is hidden', () => {
  const { terminal, show } = createStage({ columns: 10, rows: 4 });
  show('a', 'b');
  expect(terminal.cursorOf()).toMatchObject({ visible: false });
  show('a', '漢b|');
  expect(terminal.cursorOf()).toEqual({ row: 1, column: 3, visible: true });
});

test('the smallest terminal there is does not crash', () => {
  const { terminal, screen, show } = createStage({ columns: 2, rows: 1 });
  screen.commit(['abc', '漢']);
  show('xyz', '漢|', 'z|');
  expect(terminal.scrollbackOf()).toEqual(['ab', 'c', '漢']);
  expect(terminal.screenOf()).toEqual(['z']);
  const written: string[] = [];
  const narrow = { ...terminal, columns: 1, rows: 1, write: (data: string) => void written.push(data) };
  const other = createScreen({ terminal: narrow, root: { render: () => ['漢', 'xy'] } });
  other.commit(['漢', 'ab']);
  other.draw();
  expect(
    stripAnsi(written.join(''))
      .trim()
      .split(/[\r\n ]+/),
  ).toEqual(['a', 'b', 'x']);
});

test('leaving puts the cursor below what was drawn last, and committed lines that waited are written', () => {
  const { terminal, screen, show } = createStage({ columns: 20, rows: 6 });
  show('> |', 'footer');
  screen.commit(['last words']);
  screen.leave();
  screen.leave();
  expect(terminal.linesOf()).toEqual(['last words', '>', 'footer']);
  expect(terminal.cursorOf()).toEqual({ row: 3, column: 0, visible: true });
});

test('a pause takes the live region away and a resume draws it below what came between', () => {
  const { terminal, screen, show } = createStage({ columns: 20, rows: 6 });
  screen.commit(['said']);
  show('> |', 'footer');
  terminal.suspend();
  expect(terminal.linesOf()).toEqual(['said']);
  terminal.write('$ ls\r\nfile\r\n');
  screen.commit(['more']);
  terminal.resume();
  expect(terminal.linesOf()).toEqual(['said', '$ ls', 'file', 'more', '>', 'footer']);
});

test('the rows below an image are cleared before it is drawn and left alone after that', () => {
  const { terminal, screen, show, bytes } = createStage({ columns: 20, rows: 8 });
  show('old row 1', 'old row 2', 'old row 3', '> |');
  bytes();
  const image = '\u001b_Ga=T,f=100;AAAA\u001b\\';
  screen.commit([image, '', '']);
  show('> |');
  expect(terminal.linesOf()).toEqual(['', '', '', '>']);
  const after = bytes().split(image)[1] ?? '';
  // The one below them is another matter.
  expect(after.match(/\n|\[K/g)).toEqual(['\n', '\n', '\n', '[K']);
  screen.commit(['next']);
  show('> |');
  expect(terminal.linesOf()).toEqual(['', '', '', 'next', '>']);
});

test('leaving without keeping takes the live region away and leaves what was committed', () => {
  const { terminal, screen, show } = createStage({ columns: 20, rows: 6 });
  show('choose', '> |', 'footer');
  screen.commit(['You chose nothing.']);
  screen.leave({ keep: false });
  expect(terminal.linesOf()).toEqual(['You chose nothing.']);
  expect(terminal.cursorOf()).toEqual({ row: 1, column: 0, visible: true });
});

test('rows that move because one in the middle came or went are right, and are not written again', () => {
  const rows = Array.from({ length: 8 }, (_, at) => `row ${at} with some words`);
  const { terminal, show, bytes } = createStage({ columns: 40, rows: 20 });
  show(...rows, '> |');
  bytes();
  for (const at of [3, 1]) {
    show(...rows.slice(0, at), ...rows.slice(at + 1), '> |');
    expect(terminal.screenOf().slice(0, 8)).toEqual([...rows.slice(0, at), ...rows.slice(at + 1), '>']);
    expect(bytes()).not.toContain('words');
    show(...rows, '> |');
    expect(terminal.screenOf().slice(0, 9)).toEqual([...rows, '>']);
    expect(bytes().match(/words/g)).toHaveLength(1);
  }
});

test('a line in which text runs the other way is written as a whole', () => {
  const { terminal, show, bytes } = createStage({ columns: 40, rows: 6 });
  show('a \u2068שלום\u2069 1', '> |');
  bytes();
  show('a \u2068שלום\u2069 2', '> |');
  expect(bytes()).toContain('a \u2068שלום\u2069 2');
  expect(terminal.screenOf()[0]).toContain('2');
});
