/** Into insert mode and out of it again. */
import { lineAt } from '../draft.ts';
import { newline } from '../edits.ts';
import { type EditorState, move } from '../state.ts';
import { unitStart } from '../units.ts';
import type { Command } from './command.ts';
import { grouped, type Machine, type Typed } from './machine.ts';

/** Types again what was typed in insert mode. */
export type Retype = (state: EditorState, typed: Typed) => EditorState;

export function insertMode({ vim, state }: Machine, command: Command, since: number): Machine {
  return {
    vim: { ...vim, mode: 'insert', keys: [], insert: { command, typed: [], since } },
    state: { ...state, last: undefined },
  };
}

/** Esc: types it as often as the count said, makes one undo step of it all, steps back onto the last letter. */
export function leaveInsert({ vim, state }: Machine, retype: Retype): Machine {
  const { insert } = vim;
  let next = state;
  const { command, typed = [] } = insert ?? {};
  const opens = command?.kind === 'simple' && (command.name === 'o' || command.name === 'O');
  const repeats = command?.kind === 'simple' ? Math.min(command.count ?? 1, 1000) : 1;
  for (let left = repeats; left > 1; left--) {
    if (opens) next = newline(next);
    for (const one of typed) next = retype(next, one);
  }
  if (insert !== undefined) next = grouped(next, insert.since);
  const { line, column } = next.draft.cursor;
  const back = column === 0 ? 0 : unitStart(lineAt(next.draft, line), column, next.pastes);
  const repeat = command === undefined ? vim.repeat : { command, typed };
  return {
    vim: { ...vim, mode: 'normal', keys: [], insert: undefined, repeat },
    state: move(next, { line, column: back }),
  };
}
