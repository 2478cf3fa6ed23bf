/** The editor at the keyboard: bytes in, lines and texts out. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHistory } from '../../src/editor/history.ts';
import type { Role } from '../../src/theme/theme.ts';
import { colours, hostile, linesAt, plain, screens } from '../lines.ts';
import { press } from '../press.ts';
import { hostileText } from '../text/hostile.ts';
import { cursorOf, keys, stage } from './stage.ts';

describe('typing', () => {
  test('enter sends and empties; shift+enter, alt+enter, ctrl+j and a backslash before enter make a new line', () => {
    const { type, sent, editor } = stage();
    type('a', keys.shiftEnter, 'b', keys.altEnter, 'c', keys.ctrl('j'), 'd\\', keys.enter, 'e');
    expect(editor.text()).toBe('a\nb\nc\nd\ne');
    type(keys.enter);
    expect(sent).toEqual(['a\nb\nc\nd\ne']);
    expect(editor.text()).toBe('');
    type('even\\\\', keys.enter);
    expect(sent[1]).toBe('even\\\\');
  });

  test('nothing but blanks is not sent', () => {
    const { type, sent } = stage();
    type('  ', keys.enter);
    expect(sent).toEqual([]);
  });

  test('a new line keeps the indentation', () => {
    const { type, editor } = stage();
    type('  a', keys.ctrl('j'), 'b');
    expect(editor.text()).toBe('  a\n  b');
  });

  test('the readline keys do what they do everywhere', () => {
    const { type, shown } = stage();
    type('one two three', keys.ctrl('a'));
    expect(shown()).toBe('¦one two three');
    type(keys.alt('f'), keys.ctrl('f'));
    expect(shown()).toBe('one ¦two three');
    type(keys.alt('d'));
    expect(shown()).toBe('one ¦ three');
    type(keys.ctrl('e'), keys.ctrl('w'));
    expect(shown()).toBe('one  ¦');
    type(keys.ctrl('y'), keys.alt('y'));
    expect(shown()).toBe('one  two¦');
    type(keys.ctrl('u'), 'x', keys.ctrl('b'), keys.ctrl('k'));
    expect(shown()).toBe('¦');
    type('hello world', keys.alt('b'), keys.alt('u'), keys.ctrl('a'), keys.alt('c'));
    expect(shown()).toBe('Hello¦ WORLD');
    type(keys.ctrl('e'), keys.ctrl('x'), keys.ctrl('t'));
    expect(shown()).toBe('Hello WORDL¦');
  });

  test('kills one after the other come back together', () => {
    const { type, editor } = stage();
    type('one two three', keys.ctrl('w'), keys.ctrl('w'), 'x', keys.ctrl('y'));
    expect(editor.text()).toBe('one xtwo three');
  });

  test('a typed word is one step of undo, a paste is one, and redo brings them back', () => {
    const { type, paste, editor } = stage();
    type('o', 'n', 'e', ' ', 't', 'w', 'o');
    paste(' and more');
    type(keys.undo);
    expect(editor.text()).toBe('one two');
    type(keys.undo);
    expect(editor.text()).toBe('one ');
    type(keys.undo);
    expect(editor.text()).toBe('');
    type(keys.alt('_'), keys.alt('_'), keys.alt('_'));
    expect(editor.text()).toBe('one two and more');
  });

  test('jumps to the character that is typed next, forward and back', () => {
    const { type, shown } = stage();
    type('banana split', keys.ctrl('a'), keys.ctrl(']'), 's');
    expect(shown()).toBe('banana ¦split');
    type('\u001b\u001d', 'n');
    expect(shown()).toBe('bana¦na split');
  });

  test('a selection is copied, cut, replaced by typing and given up with escape', () => {
    const { type, copied, editor } = stage();
    type('hello', keys.shiftLeft, keys.shiftLeft, keys.alt('w'));
    expect(copied).toEqual(['lo']);
    type('p');
    expect(editor.text()).toBe('help');
    expect(type(keys.shiftLeft, keys.escape, keys.escape)).toEqual([true, true, false]);
    type(keys.backspace);
    expect(editor.text()).toBe('hep');
  });

  test('what an empty editor has no use for is left to the program', () => {
    const { type } = stage();
    expect(type(keys.backspace, keys.ctrl('d'), keys.escape, keys.ctrl('c'))).toEqual([false, false, false, false]);
  });
});

describe('moving', () => {
  test('up and down keep the column over shorter lines and go by rows of a wrapped line', () => {
    const { type, shown, editor } = stage();
    type('a long line', keys.ctrl('j'), 'b', keys.ctrl('j'), 'another one', keys.up, keys.up);
    expect(shown()).toBe('a long line¦\nb\nanother one');
    editor.setText('word '.repeat(14).trim());
    type(keys.up);
    expect(shown()).toBe(`${'word '.repeat(5)}word¦ word word \n${'word '.repeat(5)}word`);
  });

  test('home and end go to the ends of the row, then of the line', () => {
    const { type, shown, editor } = stage();
    editor.setText('word '.repeat(14).trim());
    type(keys.home);
    expect(shown()).toMatch(/\n¦word/);
    type(keys.home);
    expect(shown()).toMatch(/^¦word/);
    type(keys.end);
    expect(shown()).toMatch(/^[^\n]*¦ \n/);
    type(keys.end);
    expect(shown()).toMatch(/¦$/);
  });

  test('a window of rows follows the cursor, and the border says what is out of sight', () => {
    const { editor, type, rows } = stage({ maxRows: 3, look: { border: 'lines' } });
    editor.setText(Array.from({ length: 9 }, (_, line) => `line ${line}`).join('\n'));
    expect(rows()).toEqual([expect.stringContaining('↑ 6 more'), 'line 6', 'line 7', 'line 8', '─'.repeat(40)]);
    type(keys.up, keys.up, keys.up);
    expect(rows().slice(1)).toEqual(['line 5', 'line 6', 'line 7', expect.stringContaining('↓ 1 more')]);
  });
});

describe('big pastes', () => {
  const twelve = Array.from({ length: 12 }, (_, line) => `row ${line}`).join('\n');

  test('those that are still in the text are never dropped, and the loss of another is said when it is sent', () => {
    const { type, paste, editor, sent, errors } = stage();
    paste(`first${'\n'.repeat(12)}`);
    paste(`second${'\n'.repeat(12)}`);
    type(keys.backspace);
    for (let count = 0; count < 150; count++) {
      paste(`${count}${'\n'.repeat(12)}`);
      type(keys.backspace);
    }
    type(keys.enter);
    expect(sent).toEqual([`first${'\n'.repeat(12)}`]);
    expect(errors).toEqual([]);
    editor.setText('see [paste #2 +13 lines] and [paste #900 +13 lines]');
    type(keys.enter);
    expect(sent.at(-1)).toBe('see [paste #2 +13 lines] and [paste #900 +13 lines]');
    expect(errors.map(String)).toEqual([
      'Error: What [paste #2 +13 lines] stood for is no longer kept, so the words were sent as they are. Paste it again.',
    ]);
  });

  test('are a marker that is one character for the cursor and in full when sent', () => {
    const { type, paste, editor, sent, shown } = stage();
    type('see ');
    paste(twelve);
    paste('x'.repeat(1001));
    expect(shown()).toBe('see [paste #1 +12 lines]\n[paste #2 1001 chars]¦');
    type(keys.left, keys.left);
    expect(shown()).toBe('see ¦[paste #1 +12 lines]\n[paste #2 1001 chars]');
    expect(editor.expanded()).toBe(`see ${twelve}${'x'.repeat(1001)}`);
    type(keys.ctrl('d'), keys.undo, keys.enter);
    expect(sent).toEqual([`see ${twelve}${'x'.repeat(1001)}`]);
  });

  test('wider than a row, they are crossed by up and down in one step', () => {
    const { editor } = stage();
    editor.insert('ab\n');
    editor.handleInput({ type: 'paste', text: twelve });
    editor.insert('\ncd');
    editor.render(10);
    const places = [keys.up, keys.up, keys.up, keys.down, keys.down, keys.down].map((key) => {
      press(editor, key);
      return cursorOf(editor.render(10));
    });
    expect(places).toEqual([
      { row: 3, cell: 6 },
      { row: 1, cell: 0 },
      { row: 0, cell: 2 },
      { row: 1, cell: 0 },
      { row: 3, cell: 6 },
      { row: 4, cell: 2 },
    ]);
  });

  test('can be shown in full where they are', () => {
    const { type, paste, editor } = stage();
    paste(twelve);
    type(keys.ctrl('x'), 'e');
    expect(editor.text()).toBe(twelve);
    type(keys.undo);
    expect(editor.text()).toBe('[paste #1 +12 lines]');
  });

  test('that look like a marker, and words typed like one, stay what they are', () => {
    const { type, paste, editor } = stage();
    type('[paste #1 +12 lines] ');
    paste(`${'[paste #1 +13 lines]\n'.repeat(12)}end`);
    expect(editor.expanded()).toBe(`[paste #1 +12 lines] ${'[paste #1 +13 lines]\n'.repeat(12)}end`);
  });

  test('the program may put something else in their place', () => {
    const { paste, editor } = stage({ onPaste: (text) => (text.startsWith('/') ? `@${text} ` : undefined) });
    paste('/tmp/a.png');
    paste('plain');
    expect(editor.text()).toBe('@/tmp/a.png plain');
  });
});

describe('history', () => {
  const entries = ['first', 'second\nline', 'third'];

  test('up from the first row recalls, down from the last comes back to the draft', () => {
    const { type, editor } = stage({ history: createHistory(entries) });
    type('draft', keys.up);
    expect(editor.text()).toBe('third');
    type(keys.up, keys.up, keys.up);
    expect(editor.text()).toBe('first');
    type(keys.down, keys.down);
    expect(editor.text()).toBe('third');
    type(keys.down);
    expect(editor.text()).toBe('draft');
  });

  test('what was sent is recalled first, and a recalled text that is changed is a draft', () => {
    const { type, editor } = stage();
    type('one', keys.enter, 'two', keys.enter, keys.up, '!', keys.up);
    expect(editor.text()).toBe('two');
    type(keys.down);
    expect(editor.text()).toBe('two!');
  });

  test('ctrl+r finds as it is typed, goes on to older ones, and is taken or given up', () => {
    const { type, editor, shown } = stage({ history: createHistory(['git status', 'npm test', 'git log']) });
    type('draft', keys.ctrl('r'), 'gi');
    expect(shown()).toBe('git log\nsearch: gi¦');
    type(keys.ctrl('r'));
    expect(shown()).toBe('git status\nsearch: gi¦');
    type('x');
    expect(shown()).toBe('draft\nno match: gix¦');
    type(keys.escape);
    expect(editor.text()).toBe('draft');
    type(keys.ctrl('r'), 'np', keys.enter);
    expect(editor.text()).toBe('npm test');
    type(keys.ctrl('r'), 'sta', keys.left, 'X');
    expect(editor.text()).toBe('git statuXs');
  });

  test('ctrl+s puts the draft aside and brings it back', () => {
    const { type, editor } = stage();
    type('later', keys.ctrl('s'));
    expect([editor.text(), editor.stashed()]).toEqual(['', 1]);
    type('now', keys.enter, keys.ctrl('s'));
    expect([editor.text(), editor.stashed()]).toEqual(['later', 0]);
  });
});

describe('around the text', () => {
  test('what another editor made of the text is taken, and its failure is told', async () => {
    let answer: Promise<string | undefined> = Promise.resolve('edited\n');
    const { type, editor, errors } = stage({ onExternal: () => answer });
    type('draft', keys.ctrl('g'));
    await answer;
    await Promise.resolve();
    expect(editor.text()).toBe('edited');
    answer = Promise.reject(new Error('no editor'));
    type(keys.ctrl('g'));
    await answer.catch(() => undefined);
    await Promise.resolve();
    expect(errors).toHaveLength(1);
    type('!');
    expect(editor.text()).toBe('edited!');
  });

  test('a suggestion is taken with the right arrow and dropped by typing', () => {
    const { type, editor, shown } = stage();
    type('run');
    editor.suggest(' the tests');
    expect(shown()).toBe('run¦ the tests');
    type(keys.right);
    expect(editor.text()).toBe('run the tests');
    editor.suggest(' again');
    type('!');
    expect(shown()).toBe('run the tests!¦');
  });

  test('in vim a change is done again with all that was typed, pasted and deleted in it', () => {
    const { editor, type, paste } = stage({ vim: true });
    type('one two three', keys.escape, '0', 'cw', 'fou', keys.backspace, 'x');
    paste('!');
    type(keys.escape, 'w', '.');
    expect(editor.text()).toBe('fox! fox! three');
  });

  test('vim shows its mode, and escape goes to normal mode and no further than that', () => {
    const { editor, type, shown } = stage({ vim: true });
    type('one two', keys.escape);
    expect(editor.mode()).toBe('normal');
    expect(shown()).toBe('one tw¦o\nNORMAL');
    type('bcw', 'x', keys.escape, 'u');
    expect(editor.text()).toBe('one two');
    expect(type(keys.escape)).toEqual([false]);
    type(':w', keys.enter);
    expect(editor.text()).toBe('');
    expect(editor.mode()).toBe('insert');
  });

  test('what the program points out is drawn in its colour, except where it is selected', () => {
    const theme = {
      ...plain,
      paint: (role: Role, text: string) => (role === 'editorText' ? text : `<${role}:${text}>`),
    };
    const { type, shown } = stage({
      theme,
      highlight: (text, line) =>
        [...text.matchAll(/@\S+/g)].map(({ index, 0: { length } }) => ({
          from: index,
          to: index + length,
          role: line === 0 ? 'editorMention' : 'link',
        })),
    });
    type('see @a.ts', keys.ctrl('j'), '@b', keys.shiftLeft);
    expect(shown()).toBe('see <editorMention:@a.ts>\n<link:@>¦<editorSelection:b>');
  });

  test('nothing changed is the same lines again', () => {
    const { editor, type } = stage();
    type('a');
    const lines = editor.render(30);
    expect(editor.render(30)).toBe(lines);
    type(keys.left, keys.left);
    const moved = editor.render(30);
    expect(moved).not.toBe(lines);
    type(keys.left);
    editor.render(30);
    expect(cursorOf(editor.render(30))).toEqual({ row: 0, cell: 0 });
  });
});

describe('drawn', () => {
  test('whatever the text, the width and the way there, no line is too wide and the cursor is in it', () => {
    const way = fc.array(
      fc.constantFrom(
        keys.up,
        keys.down,
        keys.left,
        keys.home,
        keys.end,
        keys.ctrlLeft,
        keys.shiftUp,
        keys.ctrl('k'),
        'x',
      ),
      { maxLength: 6 },
    );
    const look = fc.record({
      border: fc.constantFrom('none' as const, 'lines' as const, 'box' as const),
      prompt: fc.constantFrom('', '> ', '漢 '),
      title: fc.constantFrom('', 'a title that is long'),
    });
    fc.assert(
      fc.property(hostileText, way, look, fc.integer({ min: 4, max: 60 }), (text, steps, some, width) => {
        const { editor, type } = stage({ look: some, theme: colours, maxRows: 4 });
        editor.insert(text);
        type(...steps);
        const lines = editor.render(width);
        linesAt(editor, width);
        const cursor = cursorOf(lines);
        expect(cursor).toBeDefined();
        expect(cursor?.cell).toBeLessThan(width);
      }),
      { seed: 31, numRuns: 120 },
    );
  });

  test('on a terminal, at several widths, with hostile text', () => {
    const { editor, type } = stage({
      maxRows: 30,
      look: { border: 'box', prompt: '> ', title: 'medium', status: 'main' },
    });
    editor.insert(hostile.join('\n'));
    editor.handleInput({ type: 'paste', text: 'x\n'.repeat(50) });
    type(keys.shiftLeft);
    expect(screens(editor)).toMatchSnapshot();
  });

  test('with completions and with a search below it, on a terminal', () => {
    const items = hostile.map((text, index) => ({ value: text, label: `${index} ${text}`, description: 'what it is' }));
    const { editor, type } = stage({
      look: { border: 'lines', prompt: '> ' },
      history: createHistory(hostile),
      provider: { complete: () => ({ replaces: 1, items }) },
    });
    type('a', keys.down);
    expect(screens(editor)).toMatchSnapshot();
    type(keys.escape, keys.ctrl('r'), 'fam');
    expect(screens(editor)).toMatchSnapshot();
  });

  test('empty, on a terminal', () => {
    const { editor } = stage({ look: { border: 'lines', prompt: '> ', placeholder: 'Ask anything' } });
    expect(screens(editor)).toMatchSnapshot();
  });
});
