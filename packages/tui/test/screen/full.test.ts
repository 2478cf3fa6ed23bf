/** Views over the whole screen, on terminals with an alternate screen and on those without. */
import { describe, expect, test } from 'vitest';
import { createStage } from './stage.ts';

const view = { render: (_: number, height: number) => Array(height).fill('page'), handleInput: () => false };

describe.each([true, false])('with an alternate screen: %s', (hasAlternate) => {
  test('what was committed before, during and after a view is there once and in order, and nothing of the view', () => {
    const { terminal, screen, show } = createStage({ columns: 20, rows: 8, hasAlternate });
    screen.commit(['one', 'two', 'three']);
    show('live', 'editor|');
    const opened = screen.openFull(view);
    screen.draw();
    expect(terminal.screenOf()).toEqual(Array(8).fill('page'));
    screen.commit(['four']);
    screen.draw();
    opened.close();
    screen.draw();
    screen.commit(['five']);
    screen.draw();
    expect(terminal.linesOf()).toEqual(['one', 'two', 'three', 'four', 'five', 'live', 'editor']);
    expect(terminal.cursorOf().visible).toBe(true);
  });

  test('a program that is stopped or ends in a view leaves nothing of it', () => {
    const { terminal, screen, show } = createStage({ columns: 20, rows: 8, hasAlternate });
    screen.commit(['one']);
    show('editor|');
    screen.openFull(view);
    screen.draw();
    terminal.suspend();
    expect(terminal.linesOf()).toEqual(['one']);
    terminal.resume();
    expect(terminal.screenOf()).toEqual(Array(8).fill('page'));
    screen.leave({ keep: false });
    expect(terminal.linesOf()).toEqual(['one']);
    expect(terminal.cursorOf()).toMatchObject({ column: 0, visible: true });
  });
});
