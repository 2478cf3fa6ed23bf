import { expect, test } from 'vitest';
import { copy, mark, notification, progress, throughTmux, title } from '../../src/terminal/sequences.ts';
import { createStage } from '../screen/stage.ts';

test('a title cannot end its sequence early', () => {
  expect(title('a\u0007b\u001b]2;c\nd\u009c')).toBe('\u001b]2;a b ]2;c d \u0007');
});

test('a notification takes the way the terminal knows', () => {
  expect(notification('tau', 'done', 'osc9')).toBe('\u001b]9;tau: done\u0007');
  expect(notification('a;b', 'done', 'osc777')).toBe('\u001b]777;notify;a,b;done\u0007');
  expect(notification('tau', 'done', 'bell')).toBe('\u0007');
});

test('progress is bounded and can be taken away', () => {
  expect(progress({ state: 'running', percent: 140 })).toBe('\u001b]9;4;1;100\u0007');
  expect(progress({ state: 'none' })).toBe('\u001b]9;4;0\u0007');
});

test('a copy is encoded, and one that no terminal takes is refused', () => {
  expect(copy('ä')).toBe('\u001b]52;c;w6Q=\u0007');
  expect(copy('x'.repeat(1_000_000))).toBeUndefined();
  expect(throughTmux('\u001b]52;c;\u0007')).toBe('\u001bPtmux;\u001b\u001b]52;c;\u0007\u001b\\');
});

test('marks before lines take no room and come through to the terminal', () => {
  const { terminal, screen, show, bytes } = createStage({ columns: 10, rows: 4 });
  screen.commit([`${mark('prompt')}0123456789`, `${mark('output')}answer`]);
  show('> |');
  expect(terminal.linesOf()).toEqual(['0123456789', 'answer', '>']);
  expect(bytes()).toContain('\u001b]133;A\u00070123456789');
});
