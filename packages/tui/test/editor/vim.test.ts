/** Vim by example: text with the cursor, keys, and what vim itself makes of them. */
import { describe, expect, test } from 'vitest';
import { draftOf, offsetOf, positionAt, textOf } from '../../src/editor/draft.ts';
import { eraseBackward, newline, paste, type as typeText } from '../../src/editor/edits.ts';
import { type EditorState, editorState, move } from '../../src/editor/state.ts';
import { type Effect, type Machine, modeLabel, noteTyped, startVim, type Typed } from '../../src/editor/vim/machine.ts';
import { vimKey } from '../../src/editor/vim/vim.ts';

const names: Record<string, string> = {
  '<esc>': 'escape',
  '<cr>': 'enter',
  '<bs>': 'backspace',
  '<c-r>': 'ctrl+r',
  '<del>': 'delete',
  '<left>': 'left',
  '<up>': 'up',
};

function retype(state: EditorState, typed: Typed): EditorState {
  if (typed.kind === 'text') return typeText(state, typed.text);
  return typed.action === 'erase' ? eraseBackward(state) : newline(state);
}

/** Keys as someone at the keyboard, starting in normal mode. */
function run(machine: Machine, keys: string): Machine & { effects: Effect[] } {
  let { vim, state } = machine;
  const effects: Effect[] = [];
  for (const key of keys.match(/<[a-z-]+>|./gsu) ?? []) {
    const name = names[key] ?? key;
    const result = vimKey({ vim, state }, name, retype);
    ({ vim, state } = result);
    if (result.effect !== undefined) effects.push(result.effect);
    if (result.used || vim.mode !== 'insert') continue;
    const typed: Typed =
      name === 'backspace'
        ? { kind: 'action', action: 'erase' }
        : name === 'enter'
          ? { kind: 'action', action: 'newline' }
          : { kind: 'text', text: name };
    state = retype(state, typed);
    vim = noteTyped(vim, typed);
  }
  return { vim, state, effects };
}

/** `¦` is the cursor: it is on the character behind it. */
function machineOf(marked: string): Machine {
  const at = marked.indexOf('¦');
  const state = editorState(marked.replace('¦', ''));
  const placed = move(state, positionAt(state.draft, Math.max(0, at)));
  return { vim: { ...startVim(placed), mode: 'normal', insert: undefined }, state: placed };
}

function marked({ state }: Machine): string {
  const text = textOf(state.draft);
  const at = offsetOf(state.draft, state.draft.cursor);
  return `${text.slice(0, at)}¦${text.slice(at)}`;
}

type Row = readonly [text: string, keys: string, expected: string];

const motions: Row[] = [
  ['ab¦c', 'h', 'a¦bc'],
  ['¦abc', 'h', '¦abc'],
  ['¦abc', '2l', 'ab¦c'],
  ['¦abc', '9l', 'ab¦c'],
  ['¦ab\ncd', 'j', 'ab\n¦cd'],
  ['ab\nc¦d', 'k', 'a¦b\ncd'],
  ['abc¦d\nx\nabcd', 'jj', 'abcd\nx\nabc¦d'],
  ['¦abcd\nx\nabcd', '$jj', 'abcd\nx\nabc¦d'],
  ['¦one two', 'w', 'one ¦two'],
  ['¦one.two', 'w', 'one¦.two'],
  ['¦one.two three', 'W', 'one.two ¦three'],
  ['¦one two three', '2w', 'one two ¦three'],
  ['one ¦two\n  three', 'w', 'one two\n  ¦three'],
  ['¦one\n\nthree', 'w', 'one\n¦\nthree'],
  ['one\n¦\nthree', 'w', 'one\n\n¦three'],
  ['one ¦two', 'w', 'one tw¦o'],
  ['one tw¦o', 'b', 'one ¦two'],
  ['one ¦two', 'b', '¦one two'],
  ['one.tw¦o', 'b', 'one.¦two'],
  ['one.tw¦o', 'B', '¦one.two'],
  ['one\n  ¦two', 'b', '¦one\n  two'],
  ['one\n\n¦two', 'b', 'one\n¦\ntwo'],
  ['¦one two', 'e', 'on¦e two'],
  ['on¦e two', 'e', 'one tw¦o'],
  ['¦one.two', 'E', 'one.tw¦o'],
  ['¦one\ntwo', '2e', 'one\ntw¦o'],
  ['¦a\n\n', '2e', 'a\n\n¦'],
  ['one tw¦o', 'ge', 'on¦e two'],
  ['one ¦two', 'ge', 'on¦e two'],
  ['  on¦e', '0', '¦  one'],
  ['  on¦e', '^', '  ¦one'],
  ['¦one', '$', 'on¦e'],
  ['¦one\ntwo', '2$', 'one\ntw¦o'],
  ['a\nb\n¦c', 'gg', '¦a\nb\nc'],
  ['¦a\nb\n  c', 'G', 'a\nb\n  ¦c'],
  ['¦a\nb\nc', '2G', 'a\n¦b\nc'],
  ['¦a\nb\nc', '3gg', 'a\nb\n¦c'],
  ['¦banana', 'fn', 'ba¦nana'],
  ['¦banana', '2fn', 'bana¦na'],
  ['¦banana', 'fx', '¦banana'],
  ['banan¦a', 'Fn', 'bana¦na'],
  ['¦banana', 'tn', 'b¦anana'],
  ['banan¦a', 'Tb', 'b¦anana'],
  ['¦banana', 'fn;', 'bana¦na'],
  ['¦banana', 'fn;,', 'ba¦nana'],
  ['¦banana', 'tn;', 'ban¦ana'],
  ['¦f(a[0])', '%', 'f(a[0]¦)'],
  ['f(a[0]¦)', '%', 'f¦(a[0])'],
  ['f(\n  ¦{}\n)', '%', 'f(\n  {¦}\n)'],
  ['¦a\nb\n\nc\nd', '}', 'a\nb\n¦\nc\nd'],
  ['a\n\nc\n¦d', '{', 'a\n¦\nc\nd'],
  ['¦a\n\nb', '2}', 'a\n\n¦b'],
  ['¦漢字 ok', 'l', '漢¦字 ok'],
  ['e\u0301¦x', 'h', '¦e\u0301x'],
  ['¦👨‍👩‍👧‍👦 a', 'w', '👨‍👩‍👧‍👦 ¦a'],
  ['a ¦  b', 'w', 'a   ¦b'],
  ['¦a\n  b', '+', 'a\n  ¦b'],
  ['a\n¦b', '-', '¦a\nb'],
];

const operators: Row[] = [
  ['¦one two', 'dw', '¦two'],
  ['one ¦two', 'dw', 'one¦ '],
  ['¦one two three', 'd2w', '¦three'],
  ['¦one two three', '2dw', '¦three'],
  ['¦a b c d e f g', '2d3w', '¦g'],
  ['one ¦two\nthree', 'dw', 'one¦ \nthree'],
  ['one tw¦o', 'db', 'one ¦o'],
  ['¦one two', 'de', '¦ two'],
  ['one ¦two', 'd0', '¦two'],
  ['  one ¦two', 'd^', '  ¦two'],
  ['one ¦two', 'd$', 'one¦ '],
  ['one ¦two', 'D', 'one¦ '],
  ['¦one two', 'dtw', '¦wo'],
  ['¦one two', 'dfw', '¦o'],
  ['one tw¦o', 'dFt', 'one ¦o'],
  ['a\n¦b\nc', 'dd', 'a\n¦c'],
  ['a\nb\n¦c', 'dd', 'a\n¦b'],
  ['¦a', 'dd', '¦'],
  ['¦a\nb\nc\nd', '3dd', '¦d'],
  ['¦a\nb\nc', 'dj', '¦c'],
  ['a\nb\n¦c', 'dk', '¦a'],
  ['a\n¦b\nc', 'dG', '¦a'],
  ['a\n¦b\nc', 'dgg', '¦c'],
  ['¦a\nb', 'dk', '¦a\nb'],
  ['¦a\nb\n\nc', 'd}', '¦\nc'],
  ['f¦(a, b) c', 'd%', 'f¦ c'],
  ['¦abc', 'x', '¦bc'],
  ['¦abc', '2x', '¦c'],
  ['ab¦c', 'x', 'a¦b'],
  ['ab¦c', 'X', 'a¦c'],
  ['¦', 'x', '¦'],
  ['¦abc', '<del>', '¦bc'],
  ['¦漢字', 'x', '¦字'],
  ['¦one two', 'cwnew<esc>', 'ne¦w two'],
  ['¦a two', 'cwnew<esc>', 'ne¦w two'],
  ['¦one two three', 'c2wx<esc>', '¦x three'],
  ['one ¦two', 'ciwx<esc>', 'one ¦x'],
  ['  on¦e\ntwo', 'ccx<esc>', '  ¦x\ntwo'],
  ['  on¦e\ntwo', 'Sx<esc>', '  ¦x\ntwo'],
  ['one ¦two', 'Cx<esc>', 'one ¦x'],
  ['¦abc', 'sx<esc>', '¦xbc'],
  ['¦abc', '2sx<esc>', '¦xc'],
  ['¦abc', 'rx', '¦xbc'],
  ['¦abc', '3rx', 'xx¦x'],
  ['¦abc', '4rx', '¦abc'],
  ['¦one two', 'ywP', 'one¦ one two'],
  ['¦one two', 'ywwP', 'one one¦ two'],
  ['¦one two', 'yiwA <esc>p', 'one two on¦e'],
  ['¦a\nb', 'yyp', 'a\n¦a\nb'],
  ['¦a\nb', 'yyjp', 'a\nb\n¦a'],
  ['a\n¦b', 'yyP', 'a\n¦b\nb'],
  ['¦a\nb', '2yyP', '¦a\nb\na\nb'],
  ['¦a\nb', 'yy2p', 'a\n¦a\na\nb'],
  ['¦ab', 'xp', 'b¦a'],
  ['¦ab', 'x2p', 'ba¦a'],
  ['¦a\nb\nc', 'ddp', 'b\n¦a\nc'],
  ['¦a\nb', '>>', '  ¦a\nb'],
  ['¦a\nb', '>j', '  ¦a\n  b'],
  ['    ¦a', '<<', '  ¦a'],
  [' ¦a', '<<', '¦a'],
  ['\t¦a', '<<', '¦a'],
  ['¦abC', '~', 'A¦bC'],
  ['¦abC', '3~', 'AB¦c'],
  ['¦abC d', 'g~w', '¦ABc d'],
  ['¦abC d', 'gUiw', '¦ABC d'],
  ['¦ABC\nD', 'gUU', '¦ABC\nD'],
  ['  ab c¦d', 'gUU', '  ¦AB CD'],
  ['a¦b\ncd', 'gUj', 'A¦B\nCD'],
  ['¦ABC\nD', 'guu', '¦abc\nD'],
  ['¦a\n  b', 'J', 'a¦ b'],
  ['¦a\nb\nc', '3J', 'a b¦ c'],
  ['¦f(\n)', 'J', 'f(¦)'],
  ['¦a', 'J', '¦a'],
];

const objects: Row[] = [
  ['one t¦wo three', 'diw', 'one ¦ three'],
  ['one t¦wo three', 'daw', 'one ¦three'],
  ['one tw¦o', 'daw', 'on¦e'],
  ['one.t¦wo', 'diw', 'one¦.'],
  ['one.t¦wo x', 'diW', '¦ x'],
  ['one.t¦wo x', 'daW', '¦x'],
  ['a  ¦ b', 'diw', 'a¦b'],
  ['say "he¦llo" now', 'di"', 'say "¦" now'],
  ['say "he¦llo" now', 'da"', 'say ¦now'],
  ['¦say "hello" now', 'ci"x<esc>', 'say "¦x" now'],
  ["a 'b¦c' d", "di'", "a '¦' d"],
  ['a `b¦c` d', 'di`', 'a `¦` d'],
  ['f(a, ¦b)', 'di(', 'f(¦)'],
  ['f(a, ¦b)', 'da(', '¦f'],
  ['f(g(¦x), y)', 'dib', 'f(g(¦), y)'],
  ['f(g(¦x), y)', 'd2ib', 'f(¦)'],
  ['f¦(x)', 'di)', 'f(¦)'],
  ['f(x¦)', 'di)', 'f(¦)'],
  ['a[¦0]', 'di[', 'a[¦]'],
  ['a{¦0}', 'diB', 'a{¦}'],
  ['<¦b>', 'di<', '<¦>'],
  ['f {\n  ¦a\n  b\n}', 'di{', 'f {\n¦}'],
  ['¦x', 'di(', '¦x'],
  ['a\n¦b\n\nc', 'dip', '¦\nc'],
  ['¦a\nb\n\nc', 'dap', '¦c'],
  ['a\n\n¦b', 'dap', '¦a'],
  ['a\n¦\n\nb', 'dip', 'a\n¦b'],
  ['¦a\nb', 'yipP', '¦a\nb\na\nb'],
];

const modes: Row[] = [
  ['a¦b', 'ix<esc>', 'a¦xb'],
  ['a¦b', 'ax<esc>', 'ab¦x'],
  ['  a¦b', 'Ix<esc>', '  ¦xab'],
  ['¦ab', 'Ax<esc>', 'ab¦x'],
  ['  ¦a\nb', 'ox<esc>', '  a\n  ¦x\nb'],
  ['  ¦a\nb', 'Ox<esc>', '  ¦x\n  a\nb'],
  ['¦a', '3ix<esc>', 'xx¦xa'],
  ['¦a', '2ox<esc>', 'a\nx\n¦x'],
  ['¦a', 'ixy<bs>z<esc>', 'x¦za'],
  ['¦a', 'ix<cr>y<esc>', 'x\n¦ya'],
  ['¦one two', 'dwu', '¦one two'],
  ['¦one two', 'dwu<c-r>', '¦two'],
  ['¦one', 'cwabc<esc>u', '¦one'],
  ['¦one', 'Aabc def ghi<esc>u', 'on¦e'],
  ['¦a b c d', 'dw.', '¦c d'],
  ['¦a b c d', 'dw2.', '¦d'],
  ['¦a b', 'cwx<esc>w.', 'x ¦x'],
  ['¦a\nb', 'A!<esc>j.', 'a!\nb¦!'],
  ['¦a\nb', 'ox<esc>j.', 'a\nx\nb\n¦x'],
  ['¦abcd', 'x..', '¦d'],
  ['¦abcd', 'rxl.', 'x¦xcd'],
  ['¦a b c', 'yw.', '¦a b c'],
  ['¦a b', 'vd', '¦ b'],
  ['¦one two', 'vey', '¦one two'],
  ['¦one two', 'veyP', 'on¦eone two'],
  ['¦one two', 'vwd', '¦wo'],
  ['¦one two', 'vecx<esc>', '¦x two'],
  ['¦a\nb\nc', 'Vjd', '¦c'],
  ['¦a\nb\nc', 'Vjyjjp', 'a\nb\nc\n¦a\nb'],
  ['¦a\nb', 'Vj>', '  ¦a\n  b'],
  ['¦abc', 'vl~', '¦ABc'],
  ['¦abc', 'v$U', '¦ABC'],
  ['¦abc', 'vlrx', '¦xxc'],
  ['¦a\nb\nc', 'VGJ', 'a b¦ c'],
  ['a ¦bc d', 'viwd', 'a ¦ d'],
  ['a ¦bc d', 'Viwd', 'a ¦ d'],
  ['¦', 'ciwx<esc>', '¦x'],
  [' ¦ \nb', 'Sx<esc>', '  ¦x\nb'],
  ['f(a¦b)', 'vi(d', 'f(¦)'],
  ['¦abc', 'vlohd', '¦c'],
  ['¦abcd', 'vl<esc>x', 'a¦cd'],
  ['¦abcd', 'vl<esc>$gvd', '¦cd'],
  ['¦ab cd', 'yiwwviwp', 'ab a¦b'],
  ['¦one two', 'd<esc>w', 'one ¦two'],
  ['¦one two', 'dqw', 'one ¦two'],
  ['¦a\nb\nc', ':3<cr>', 'a\nb\n¦c'],
  ['¦abc', ':zz<bs><bs><bs>x', '¦bc'],
  ['¦aXb', 'vUvlu', '¦axb'],
];

describe('vim', () => {
  test.each([...motions, ...operators, ...objects, ...modes])('%j with %s is %j', (text, keys, expected) => {
    const result = run(machineOf(text), keys);
    expect(marked(result)).toBe(expected);
    expect(result.vim.mode).toBe('normal');
  });

  test('has no fewer examples than it should', () => {
    expect(motions.length + operators.length + objects.length + modes.length).toBeGreaterThanOrEqual(180);
  });

  test(':w sends, :q leaves, and up from the first line is for the history', () => {
    expect(run(machineOf('¦a'), ':w<cr>').effects).toEqual(['submit']);
    expect(run(machineOf('¦a'), ':q<cr>').effects).toEqual(['quit']);
    expect(run(machineOf('¦a'), ':wx<bs><cr>').effects).toEqual(['submit']);
    expect(run(machineOf('¦a'), ':w<bs><bs>x').effects).toEqual([]);
    expect(run(machineOf('¦a'), 'k').effects).toEqual(['older']);
    expect(run(machineOf('¦a'), 'j').effects).toEqual(['newer']);
    expect(run(machineOf('¦a\nb'), 'vk').effects).toEqual([]);
  });

  test('the label tells the mode and the keys that wait', () => {
    const labels = ['', '2d', 'v', 'V', 'i', ':wq'].map((keys) => modeLabel(run(machineOf('¦ab'), keys).vim));
    expect(labels).toEqual(['NORMAL', 'NORMAL 2d', 'VISUAL', 'VISUAL LINE', 'INSERT', ':wq']);
  });

  test('a marker of a big paste is one unit, and case changes leave it alone', () => {
    const state = paste(editorState('a '), 'line\n'.repeat(20));
    const start: Machine = {
      vim: { ...startVim(state), mode: 'normal', insert: undefined },
      state: move(state, { line: 0, column: 2 }),
    };
    expect(textOf(run(start, 'x').state.draft)).toBe('a ');
    expect(textOf(run(start, 'gUU').state.draft)).toBe('A [paste #1 +21 lines]');
  });

  test('keys that mean nothing in normal mode type nothing', () => {
    const result = run(machineOf('¦ab'), 'zQq&');
    expect(textOf(result.state.draft)).toBe(textOf(draftOf('ab')));
  });
});
