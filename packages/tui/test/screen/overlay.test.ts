import { expect, test } from 'vitest';
import { cursorMarker, type Focusable } from '../../src/component.ts';
import type { InputEvent } from '../../src/input/event.ts';
import type { Anchor } from '../../src/screen/overlay.ts';
import { createStage } from './stage.ts';

const key = (text: string): InputEvent => ({ type: 'key', key: text, text, kind: 'press' });

function field(name: string): Focusable & { typed: string } {
  return {
    focused: false,
    typed: '',
    render() {
      return [`[${name} ${this.typed}${this.focused ? cursorMarker : ''}]`];
    },
    handleInput(event) {
      if (event.type !== 'key') return false;
      this.typed += event.text ?? '';
      return true;
    },
  };
}

test('an overlay is laid over the live region, and what is behind comes back when it closes', () => {
  const { terminal, screen, show } = createStage({ columns: 20, rows: 8 });
  screen.commit(['committed']);
  show('aaaaaaaaaaaaaaaaaaaa', '\u001b[31mbbbbbbbbbbbbbbbbbbbb\u001b[39m', '漢漢漢漢漢漢漢漢漢漢');
  const box = screen.showOverlay({ render: () => ['+---+', '|box|', '+---+'] }, { width: 5 });
  screen.draw();
  expect(terminal.linesOf()).toEqual([
    'committed',
    'aaaaaaa+---+aaaaaaaa',
    'bbbbbbb|box|bbbbbbbb',
    '漢漢漢 +---+漢漢漢漢',
  ]);
  box.close();
  box.close();
  screen.draw();
  expect(terminal.linesOf()[3]).toBe('漢漢漢漢漢漢漢漢漢漢');
});

test('an overlay higher than the live region gets room above it, and the rows go when it closes', () => {
  const { terminal, screen, show } = createStage({ columns: 10, rows: 6 });
  show('editor|');
  const box = screen.showOverlay({ render: () => ['1', '2', '3', '4', '5', '6', '7'] }, { width: 1, anchor: 'right' });
  screen.draw();
  expect(terminal.screenOf()).toEqual(['         1', '         2', '         3', '         4', 'editor   5', '']);
  box.close();
  screen.draw();
  expect(terminal.linesOf()).toEqual(['editor']);
});

test.each<[Anchor, number, number]>([
  ['topLeft', 0, 0],
  ['top', 0, 4],
  ['topRight', 0, 8],
  ['left', 1, 0],
  ['center', 1, 4],
  ['right', 1, 8],
  ['bottomLeft', 3, 0],
  ['bottom', 3, 4],
  ['bottomRight', 3, 8],
])('the anchor %s puts a box at row %i, column %i', (anchor, row, column) => {
  const { terminal, screen, show } = createStage({ columns: 10, rows: 8 });
  show('..........', '..........', '..........', '..........');
  screen.showOverlay({ render: () => ['##'] }, { width: '20%', anchor });
  screen.draw();
  const lines = terminal.linesOf();
  expect(lines.findIndex((line) => line.includes('##'))).toBe(row);
  expect(lines[row]?.indexOf('##')).toBe(column);
});

test('offsets move a box, but never out of sight', () => {
  const { terminal, screen, show } = createStage({ columns: 10, rows: 8 });
  show('..........', '..........', '..........');
  const box = screen.showOverlay({ render: () => ['##'] }, { width: 2, anchor: 'topLeft', offsetX: 3, offsetY: 1 });
  screen.draw();
  expect(terminal.linesOf()).toEqual(['..........', '...##.....', '..........']);
  box.close();
  screen.showOverlay({ render: () => ['##'] }, { width: 2, anchor: 'topLeft', offsetX: 99, offsetY: -3 });
  screen.draw();
  expect(terminal.linesOf()[0]).toBe('........##');
});

test('typing goes to what was opened last, and back when it closes, whatever the order', () => {
  const { terminal, screen } = createStage({ columns: 20, rows: 8 });
  const [editor, first, second] = [field('editor'), field('first'), field('second')];
  screen.setRoot(editor);
  screen.focus(editor);
  screen.handleInput(key('a'));
  const one = screen.showOverlay(first, { width: 12 });
  const two = screen.showOverlay(second, { width: 12 });
  screen.showOverlay({ render: () => ['toast'] }, { passive: true, anchor: 'topRight', width: 5 });
  screen.handleInput(key('b'));
  one.close();
  screen.handleInput(key('c'));
  screen.draw();
  expect(terminal.cursorOf().visible).toBe(true);
  two.close();
  screen.handleInput(key('d'));
  expect([editor.typed, first.typed, second.typed]).toEqual(['ad', '', 'bc']);
  expect([editor.focused, first.focused, second.focused]).toEqual([true, false, false]);
});
