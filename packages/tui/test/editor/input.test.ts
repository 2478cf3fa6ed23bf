/** The single line to type into, and files dropped on it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cursorMarker } from '../../src/component.ts';
import { droppedPaths } from '../../src/editor/drops.ts';
import { createInput, type InputOptions } from '../../src/editor/input.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { colours, hostile, linesAt, plain, screens } from '../lines.ts';
import { defaultKeys, press } from '../press.ts';
import { hostileText } from '../text/hostile.ts';
import { cursorOf, keys } from './stage.ts';

function stage(options: Partial<InputOptions> = {}) {
  const sent: string[] = [];
  const input = createInput({ theme: plain, keys: defaultKeys(), onSubmit: (text) => sent.push(text), ...options });
  input.focused = true;
  const type = (...typed: string[]) => press(input, ...typed);
  const shown = (width: number) => stripAnsi(input.render(width).join('\n').replaceAll(cursorMarker, '¦'));
  return { input, sent, type, shown };
}

describe('a single line', () => {
  test('is edited with the same keys, undone by words, and sent', () => {
    const { type, shown, sent } = stage({ prompt: '? ' });
    type('o', 'n', 'e', ' ', 't', 'w', 'o', keys.undo, keys.ctrl('a'), 'x', keys.alt('f'));
    expect(shown(20)).toBe('? xone¦ ');
    type(keys.enter);
    expect(sent).toEqual(['xone ']);
  });

  test('keeps one line: pasted line breaks are blanks, and keys for more lines are not its own', () => {
    const { input, type } = stage();
    input.handleInput({ type: 'paste', text: 'a\nb\r\nc' });
    expect(input.text()).toBe('a b c');
    expect(type(keys.up, keys.ctrl('j'), keys.tab)).toEqual([false, false, false]);
    expect(input.text()).toBe('a b c');
  });

  test('scrolls sideways: the cursor is centred when it would leave, and nothing is wasted at the end', () => {
    const { input, type, shown } = stage();
    input.setText('0123456789abcdefghij');
    expect(shown(11)).toBe('abcdefghij¦');
    type(keys.ctrl('b'), keys.ctrl('b'));
    expect(shown(11)).toBe('abcdefgh¦ij');
    type(keys.ctrl('a'));
    expect(shown(11)).toBe('¦0123456789a');
    type(...Array.from({ length: 10 }, () => keys.right));
    expect(shown(11)).toBe('0123456789¦a');
    type(keys.right);
    expect(shown(11)).toBe('6789a¦bcdefg');
    type(keys.end, ...Array.from({ length: 12 }, () => keys.backspace));
    expect(shown(11)).toBe('01234567¦');
  });

  test('a password is masked and not copied', () => {
    const copied: string[] = [];
    const { type, shown, sent } = stage({ mask: '•', onCopy: (text) => copied.push(text) });
    type('s3cré漢t', keys.shiftLeft, keys.alt('w'), keys.right);
    expect(shown(20)).toBe('•••••••¦');
    type(keys.enter);
    expect([sent, copied]).toEqual([['s3cré漢t'], []]);
  });

  test('what is wrong is said on enter, follows the text, and nothing is sent until it is right', () => {
    const { type, shown, sent } = stage({
      validate: (text) => (/^\d+$/.test(text) ? undefined : 'A number, please.'),
      placeholder: 'How many?',
    });
    expect(shown(30)).toBe('¦How many?');
    type('x');
    expect(shown(30)).toBe('x¦');
    type(keys.enter);
    expect(shown(30)).toBe('x¦\nA number, please.');
    type(keys.backspace, '7');
    expect(shown(30)).toBe('7¦');
    type(keys.enter);
    expect(sent).toEqual(['7']);
  });

  test('whatever is in it, it fits and the cursor is inside', () => {
    const way = fc.array(
      fc.constantFrom(keys.left, keys.right, keys.home, keys.end, keys.ctrlLeft, keys.backspace, 'x'),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(hostileText, way, fc.integer({ min: 2, max: 30 }), (text, steps, width) => {
        const { input, type } = stage({ theme: colours });
        input.setText(text);
        for (const one of steps) {
          type(one);
          linesAt(input, width);
          const cursor = cursorOf(input.render(width));
          expect(cursor?.cell ?? width).toBeLessThan(width);
        }
      }),
      { seed: 41, numRuns: 150 },
    );
  });

  test('on a terminal, with hostile text', () => {
    const { input, type } = stage({ prompt: 'Name: ' });
    input.setText(hostile.slice(0, 6).join(' '));
    type(keys.home);
    expect(screens(input)).toMatchSnapshot();
  });
});

describe('dropped files', () => {
  test('are told from text, however their names are quoted', () => {
    expect(droppedPaths('/a/b.png')).toEqual(['/a/b.png']);
    expect(droppedPaths("'/a b/c.png' /d\\ e.txt ")).toEqual(['/a b/c.png', '/d e.txt']);
    expect(droppedPaths('file:///a%20b.png')).toEqual(['/a b.png']);
    expect(droppedPaths('"C:\\a b\\c.png"')).toEqual(['C:\\a b\\c.png']);
    expect(droppedPaths('/a and more')).toBeUndefined();
    expect(droppedPaths("/it's")).toBeUndefined();
    expect(droppedPaths('plain')).toBeUndefined();
    expect(droppedPaths('')).toBeUndefined();
  });
});
