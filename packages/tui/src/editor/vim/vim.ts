/** Vim's keys for the editor: what a key does in each mode. Pure, like the editor's own steps. */
import { lineAt, type Position } from '../draft.ts';
import { join, newline, redo, undo } from '../edits.ts';
import { change, type EditorState, move } from '../state.ts';
import { unitEnd } from '../units.ts';
import { type Command, type Operator, readCommand, type Target } from './command.ts';
import { insertMode, leaveInsert, type Retype } from './insert.ts';
import { grouped, type Machine, onUnit, repeatable, unused, used, type VimResult, withVim } from './machine.ts';
import { firstNonBlank, type MotionInput, runEnd, type Way, wayOf } from './motions.ts';
import { findOf, inputOf, moveBy } from './move.ts';
import { objectAt } from './objects.ts';
import { mapped, operate, type Part, partOf, put, swapCase } from './operators.ts';
import { leaveVisual, visualCommand } from './visual.ts';

/** A key is what it types, or its name: `x`, `G`, `escape`, `ctrl+r`. */
export function vimKey(machine: Machine, key: string, retype: Retype): VimResult {
  switch (machine.vim.mode) {
    case 'insert':
      return key === 'escape' ? used(leaveInsert(machine, retype)) : unused(machine);
    case 'command':
      return commandLineKey(machine, key);
    case 'normal':
    case 'visual':
    case 'visualLine':
      return commandKey(machine, key, retype);
  }
}

function commandKey(machine: Machine, key: string, retype: Retype): VimResult {
  const { vim } = machine;
  const visual = vim.mode !== 'normal';
  if (key === 'escape') {
    if (vim.keys.length > 0) return used(withVim(machine, { keys: [] }));
    return visual ? used(leaveVisual(machine)) : unused(machine);
  }
  const typed = key === 'delete' && vim.keys.length === 0 ? 'x' : key;
  const command = readCommand([...vim.keys, typed], visual);
  if (command === 'incomplete') return used(withVim(machine, { keys: [...vim.keys, typed] }));
  const ready = withVim(machine, { keys: [] });
  if (command === 'unknown') return isText(key) || vim.keys.length > 0 ? used(ready) : unused(ready);
  const since = machine.state.log.next;
  const result = visual ? visualCommand(ready, command) : execute(ready, command, retype);
  return result.vim.mode === 'insert' ? result : { ...result, state: grouped(result.state, since) };
}

function execute(machine: Machine, command: Command, retype: Retype): VimResult {
  const { vim, state } = machine;
  const count = command.count ?? 1;
  switch (command.kind) {
    case 'motion':
      return moveBy(machine, command);
    case 'object':
      return used(machine);
    case 'operate': {
      const part = targetOf(machine, command.operator, command.target, command.count);
      if (part === undefined) return used(machine);
      const done = operate(withVim(machine, findOf(command.target, vim)), command.operator, part);
      if (command.operator === 'c') return used(insertMode(done, command, state.log.next));
      return used(command.operator === 'y' ? done : repeatable(done, command));
    }
    case 'replace': {
      const next = replaceUnits(state, command.character, count);
      return used(next === undefined ? machine : repeatable({ vim, state: next }, command));
    }
    case 'simple':
      return simple(machine, command.name, command, count, retype);
  }
}

function simple(machine: Machine, name: string, command: Command, count: number, retype: Retype): VimResult {
  const { vim, state } = machine;
  const { cursor } = state.draft;
  const text = lineAt(state.draft, cursor.line);
  const as = (operator: Operator, target: Target) =>
    execute(machine, { kind: 'operate', operator, target, count: command.count }, retype);
  const insertAt = (at: Position) => used(insertMode({ vim, state: move(state, at) }, command, state.log.next));
  switch (name) {
    case 'x':
      return as('d', { kind: 'motion', motion: 'l' });
    case 'X':
      return as('d', { kind: 'motion', motion: 'h' });
    case 's':
      return text === '' ? insertAt(cursor) : as('c', { kind: 'motion', motion: 'l' });
    case 'S':
      return as('c', { kind: 'lines' });
    case 'D':
      return as('d', { kind: 'motion', motion: '$' });
    case 'C':
      return text === '' ? insertAt(cursor) : as('c', { kind: 'motion', motion: '$' });
    case 'Y':
      return as('y', { kind: 'lines' });
    case 'p':
      return used(repeatable({ vim, state: put(machine, 'behind', count) }, command));
    case 'P':
      return used(repeatable({ vim, state: put(machine, 'before', count) }, command));
    case 'u':
      return used({ vim, state: onUnit(times(state, count, undo)) });
    case 'ctrl+r':
      return used({ vim, state: onUnit(times(state, count, redo)) });
    case '.':
      return again(machine, command.count, retype);
    case 'J':
      return used(repeatable({ vim, state: onUnit(times(state, Math.max(1, count - 1), join)) }, command));
    case '~':
      return used(repeatable({ vim, state: swapUnits(state, count) }, command));
    case 'i':
      return insertAt(cursor);
    case 'a':
      return insertAt({ line: cursor.line, column: unitEnd(text, cursor.column, state.pastes) });
    case 'I':
      return insertAt({ line: cursor.line, column: firstNonBlank(text) });
    case 'A':
      return insertAt({ line: cursor.line, column: text.length });
    case 'o': {
      const opened = newline(move(state, { line: cursor.line, column: text.length }));
      return used(insertMode({ vim, state: opened }, command, state.log.next));
    }
    case 'O':
      return used(insertMode({ vim, state: openAbove(state) }, command, state.log.next));
    case 'v':
      return used(withVim(machine, { mode: 'visual', anchor: cursor }));
    case 'V':
      return used(withVim(machine, { mode: 'visualLine', anchor: cursor }));
    case 'gv': {
      const last = vim.lastVisual;
      if (last === undefined) return used(machine);
      return used({ vim: { ...vim, mode: last.mode, anchor: last.range.from }, state: move(state, last.range.to) });
    }
    case ':':
      return used(withVim(machine, { mode: 'command', commandLine: '' }));
    default:
      return used(machine);
  }
}

/** The part of the text an operator is for. */
function targetOf(machine: Machine, operator: Operator, target: Target, count: number | undefined): Part | undefined {
  const { state } = machine;
  const { draft, pastes } = state;
  const { cursor } = draft;
  switch (target.kind) {
    case 'lines': {
      const last = Math.min(draft.lines.length - 1, cursor.line + (count ?? 1) - 1);
      // One line's letters change: the cursor goes to its first one, as in vim.
      const isCase = operator.length === 2 && last === cursor.line;
      const from = isCase ? { line: last, column: firstNonBlank(lineAt(draft, last)) } : cursor;
      return { range: { from, to: { line: last, column: 0 } }, lines: true };
    }
    case 'object':
      return objectAt(draft, pastes, cursor, target.object, target.around, count ?? 1);
    case 'motion': {
      const input = inputOf(machine, count, target.character);
      const way = wordWay(input, operator, target.motion) ?? wayOf(target.motion, input);
      return way && partOf(state, way);
    }
  }
}

/** `w` behind an operator: `cw` leaves the blanks, and no `w` goes over the end of its last word's line. */
function wordWay(input: MotionInput, operator: Operator, motion: string): Way | undefined {
  if (motion !== 'w' && motion !== 'W') return undefined;
  const { draft, from, count } = input;
  const big = motion === 'W';
  const text = lineAt(draft, from.line);
  if (operator === 'c' && from.column < text.length && !/\s/.test(text[from.column] ?? '')) {
    const end = runEnd(input, from, big);
    if ((count ?? 1) === 1) return { to: end, reach: 'inclusive' };
    return wayOf(big ? 'E' : 'e', { ...input, from: end, count: (count ?? 1) - 1 });
  }
  const way = wayOf(motion, input);
  if (way === undefined || way.to.line === from.line) return way;
  if (way.to.column > firstNonBlank(lineAt(draft, way.to.line))) return way;
  const line = way.to.line - 1;
  const end = { line, column: lineAt(draft, line).length };
  return line === from.line && end.column === from.column ? way : { to: end, reach: 'exclusive' };
}

/** `r`: that many units become the character; none when there are fewer. */
function replaceUnits(state: EditorState, character: string, count: number): EditorState | undefined {
  const { draft, pastes } = state;
  const { line, column } = draft.cursor;
  const text = lineAt(draft, line);
  let end = column;
  for (let left = count; left > 0; left--) {
    if (end >= text.length) return undefined;
    end = unitEnd(text, end, pastes);
  }
  const range = { from: { line, column }, to: { line, column: end } };
  const cursor = { line, column: column + character.length * (count - 1) };
  return change(state, range, character.repeat(count), { cursor });
}

function swapUnits(state: EditorState, count: number): EditorState {
  const { draft, pastes } = state;
  const { line, column } = draft.cursor;
  const text = lineAt(draft, line);
  let end = column;
  for (let left = count; left > 0; left--) end = unitEnd(text, end, pastes);
  const next = mapped(state, { range: { from: { line, column }, to: { line, column: end } }, lines: false }, swapCase);
  return onUnit(move(next, { line, column: end }));
}

function openAbove(state: EditorState): EditorState {
  const { line } = state.draft.cursor;
  const text = lineAt(state.draft, line);
  const indent = text.slice(0, firstNonBlank(text));
  const at = { line, column: 0 };
  return change(state, { from: at, to: at }, `${indent}\n`, { cursor: { line, column: indent.length } });
}

function again(machine: Machine, count: number | undefined, retype: Retype): VimResult {
  const { repeat } = machine.vim;
  if (repeat === undefined) return used(machine);
  const command = count === undefined ? repeat.command : { ...repeat.command, count };
  const result = execute(machine, command, retype);
  if (result.vim.mode !== 'insert' || result.vim.insert === undefined) return result;
  let { state } = result;
  for (const one of repeat.typed) state = retype(state, one);
  const vim = { ...result.vim, insert: { ...result.vim.insert, typed: repeat.typed } };
  return used(leaveInsert({ vim, state }, retype));
}

function commandLineKey(machine: Machine, key: string): VimResult {
  const { vim, state } = machine;
  const normal = withVim(machine, { mode: 'normal', commandLine: '' });
  if (key === 'escape' || (key === 'backspace' && vim.commandLine === '')) return used(normal);
  if (key === 'backspace') return used(withVim(machine, { commandLine: vim.commandLine.slice(0, -1) }));
  if (key !== 'enter')
    return used(isText(key) ? withVim(machine, { commandLine: (vim.commandLine + key).slice(0, 80) }) : machine);
  const line = vim.commandLine.trim();
  if (/^\d+$/.test(line)) {
    const way = wayOf('G', inputOf(machine, Number(line), undefined));
    return used(way === undefined ? normal : { vim: normal.vim, state: onUnit(move(state, way.to)) });
  }
  if (['w', 'wq', 'x', 'w!', 'wq!', 'x!'].includes(line)) return { ...used(normal), effect: 'submit' };
  if (['q', 'q!', 'qa', 'qa!'].includes(line)) return { ...used(normal), effect: 'quit' };
  return used(normal);
}

function times(state: EditorState, count: number, act: (state: EditorState) => EditorState): EditorState {
  let next = state;
  for (let left = Math.min(count, 10_000); left > 0; left--) {
    const after = act(next);
    if (after === next) break;
    next = after;
  }
  return next;
}

function isText(key: string): boolean {
  return [...key].length === 1;
}
