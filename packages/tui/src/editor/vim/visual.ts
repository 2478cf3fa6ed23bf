/** Visual mode: motions stretch what is chosen, operators take it. */
import { lineAt, ordered, type Range, textIn } from '../draft.ts';
import { join } from '../edits.ts';
import { change, type EditorState, move } from '../state.ts';
import { graphemeEnd, unitEnd, unitStart } from '../units.ts';
import type { Command, Operator } from './command.ts';
import { insertMode } from './insert.ts';
import { type Machine, onUnit, used, type VimResult, withVim } from './machine.ts';
import { moveBy } from './move.ts';
import { objectAt } from './objects.ts';
import { atFirstNonBlank, operate, type Part, wholeLines } from './operators.ts';

/** What is chosen: with the unit at the cursor, or whole lines. */
export function visualPart({ vim, state }: Machine): Part {
  const { draft, pastes } = state;
  const { from, to } = ordered(vim.anchor, draft.cursor);
  if (vim.mode === 'visualLine') return { range: wholeLines(state, { from, to }), lines: true };
  const text = lineAt(draft, to.line);
  const end = { line: to.line, column: unitEnd(text, to.column, pastes) };
  return { range: { from, to: end }, lines: false };
}

export function visualCommand(machine: Machine, command: Command): VimResult {
  switch (command.kind) {
    case 'motion':
      return { ...moveBy(machine, command), effect: undefined };
    case 'object':
      return used(choose(machine, command));
    case 'operate':
      return used(apply(machine, command.operator, visualPart(machine)));
    case 'replace':
      return used(leaveVisual(machine, replaceAll(machine, command.character)));
    case 'simple':
      return used(simple(machine, command.name));
  }
}

/** Back to normal mode; what was chosen can be chosen again. */
export function leaveVisual({ vim, state }: Machine, next: EditorState = state): Machine {
  const mode = vim.mode === 'visualLine' ? 'visualLine' : 'visual';
  const range: Range = { from: vim.anchor, to: state.draft.cursor };
  return { vim: { ...vim, mode: 'normal', keys: [], lastVisual: { mode, range } }, state: onUnit(next) };
}

function simple(machine: Machine, name: string): Machine {
  const { vim, state } = machine;
  const part = visualPart(machine);
  const lines: Part = { range: wholeLines(state, part.range), lines: true };
  switch (name) {
    case 'x':
      return apply(machine, 'd', part);
    case 'X':
    case 'D':
      return apply(machine, 'd', lines);
    case 's':
      return apply(machine, 'c', part);
    case 'S':
    case 'C':
    case 'R':
      return apply(machine, 'c', lines);
    case 'Y':
      return apply(machine, 'y', lines);
    case '~':
      return apply(machine, 'g~', part);
    case 'u':
      return apply(machine, 'gu', part);
    case 'U':
      return apply(machine, 'gU', part);
    case 'J':
      return leaveVisual(machine, joined(state, part.range));
    case 'p':
    case 'P':
      return putOver(machine, part, name === 'p');
    case 'o':
    case 'O':
      return { vim: { ...vim, anchor: state.draft.cursor }, state: move(state, vim.anchor) };
    case 'v':
      return vim.mode === 'visual' ? leaveVisual(machine) : withVim(machine, { mode: 'visual' });
    case 'V':
      return vim.mode === 'visualLine' ? leaveVisual(machine) : withVim(machine, { mode: 'visualLine' });
    case ':':
      return withVim(leaveVisual(machine), { mode: 'command', commandLine: '' });
    default:
      return machine;
  }
}

function apply(machine: Machine, operator: Operator, part: Part): Machine {
  const left = leaveVisual(machine);
  const done = operate({ vim: left.vim, state: machine.state }, operator, part);
  if (operator !== 'c') return { vim: done.vim, state: onUnit(done.state) };
  // What `.` would repeat is the text typed, not what was chosen.
  return insertMode(done, { kind: 'simple', name: 'i', count: undefined }, machine.state.log.next);
}

function choose(machine: Machine, command: Command & { kind: 'object' }): Machine {
  const { vim, state } = machine;
  const { draft, pastes } = state;
  const found = objectAt(draft, pastes, draft.cursor, command.object, command.around, command.count ?? 1);
  if (found === undefined) return machine;
  const { from, to } = found.range;
  const end = { line: to.line, column: unitStart(lineAt(draft, to.line), to.column, pastes) };
  return { vim: { ...vim, anchor: from, mode: found.lines ? 'visualLine' : 'visual' }, state: move(state, end) };
}

function replaceAll(machine: Machine, character: string): EditorState {
  const { state } = machine;
  const { range } = visualPart(machine);
  const text = textIn(state.draft, range);
  let next = '';
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '\n' ? at + 1 : graphemeEnd(text, at);
    next += text[at] === '\n' ? '\n' : character;
    at = end;
  }
  return change(state, range, next, { cursor: range.from });
}

function joined(state: EditorState, { from, to }: Range): EditorState {
  let next = move(state, { line: from.line, column: 0 });
  for (let left = Math.max(1, to.line - from.line); left > 0; left--) next = join(next);
  return next;
}

/** The register in the place of what was chosen, which goes into the register. */
function putOver(machine: Machine, part: Part, swap: boolean): Machine {
  const { state } = machine;
  const { register } = machine.vim;
  const left = leaveVisual(machine);
  const taken = { text: textIn(state.draft, part.range), lines: part.lines };
  const text = register.lines && !part.lines ? `\n${register.text}\n` : register.text;
  const next = change(state, part.range, text);
  const end = next.draft.cursor;
  const placed =
    part.lines || register.lines
      ? atFirstNonBlank(next, part.range.from.line + (register.lines && !part.lines ? 1 : 0))
      : move(next, { line: end.line, column: unitStart(lineAt(next.draft, end.line), end.column, next.pastes) });
  return { vim: swap ? { ...left.vim, register: taken } : left.vim, state: onUnit(placed) };
}
