import { expect, test } from 'vitest';
import { cursorMarker } from '../src/component.ts';
import { startTui, type TuiOptions } from '../src/start.ts';
import { createVirtualTerminal } from './terminal/virtual.ts';

function started(options: Partial<TuiOptions> = {}) {
  const terminal = createVirtualTerminal({ columns: 40, rows: 8 });
  let typed = '';
  const tui = startTui({
    root: {
      render: () => [`> ${typed}${cursorMarker}`],
      handleInput(event) {
        if (event.type !== 'key' || event.text === undefined) return false;
        typed += event.text;
        return true;
      },
    },
    terminal,
    environment: { TERM: 'xterm-256color' },
    isTerminal: true,
    ...options,
  });
  return { terminal, tui, typed: () => typed };
}

test('what is typed reaches the root, answers do not, and the end leaves the screen in order', async () => {
  const { terminal, tui, typed } = started();
  terminal.watch(tui.screen);
  terminal.type('hi\u001b[?2026;2$y\u001b]11;rgb:1010/2020/3030\u001b\\!\u001b[?62;4c');
  tui.screen.commit(['said']);
  await tui.stop();
  expect(typed()).toBe('hi!');
  expect(tui.capabilities()).toMatchObject({ synchronizedOutput: true, background: '#102030' });
  expect(terminal.linesOf()).toEqual(['said', '> hi!']);
  expect(terminal.cursorOf()).toEqual({ row: 2, column: 0, visible: true });
});

test('the first frame does not wait for an answer', () => {
  const { terminal, tui } = started();
  expect(terminal.linesOf()).toEqual(['>']);
  void tui.stop();
});

test('the keyboard gets the best protocol that the terminal answers to', async () => {
  const kitty = started();
  kitty.terminal.type('\u001b[?0u\u001b[?62c');
  const other = started();
  other.terminal.type('\u001b[?62c');
  expect([kitty.terminal.modes, other.terminal.modes]).toEqual([['kittyKeyboard'], ['modifyOtherKeys']]);
  await Promise.all([kitty.tui.stop(), other.tui.stop()]);
});

test('a program may see keys first, and hears of the colour scheme', async () => {
  const keys: string[] = [];
  const schemes: string[] = [];
  const { terminal, tui, typed } = started({
    onInput: (event) => event.type === 'key' && event.key === 'ctrl+t' && keys.push(event.key) > 0,
    onScheme: (scheme) => void schemes.push(scheme),
  });
  terminal.type('\u0014a\u001b[?997;2n');
  await tui.stop();
  expect([keys, schemes, typed()]).toEqual([['ctrl+t'], ['light'], 'a']);
});

test.each([
  ['a dumb terminal', { environment: { TERM: 'dumb' } }],
  ['output that is no terminal', { isTerminal: false }],
  ['accessible mode', { accessible: true, environment: { TERM: 'xterm', NO_COLOR: '1' } }],
])('%s gets plain lines and no sequence', async (_, options) => {
  const { terminal, tui } = started(options);
  tui.screen.commit(['\u001b[1mone\u001b[22m', 'two']);
  tui.screen.requestFrame();
  await tui.stop();
  expect(terminal.writes.join('')).toBe('one\r\ntwo\r\n>\r\n');
});

test('on a plain screen what was typed is said again line by line, and a line of keys alone is not entered', async () => {
  const keys: string[] = [];
  const { terminal, tui } = started({
    accessible: true,
    onInput: (event) => event.type === 'key' && keys.push(event.key) > 0 && event.key !== 'b',
  });
  const said = () => new Promise((resolve) => setImmediate(resolve));
  await said();
  terminal.type('ab\n');
  await said();
  terminal.type('\u001b[B\n');
  terminal.type('\u001b\n\nc\r\n');
  await said();
  await tui.stop({ keep: false });
  expect(keys).toEqual(['a', 'b', 'enter', 'down', 'escape', 'enter', 'c', 'enter']);
  expect(terminal.writes.join('')).toBe('>\r\n> b\r\n');
});
