/** Vim's state beside the editor's: the mode, keys that wait for more, the register, what `.` repeats. */
import { lineAt, type Position, type Range } from '../draft.ts';
import { type EditorState, move } from '../state.ts';
import { group } from '../undo.ts';
import { unitStart } from '../units.ts';
import type { Command } from './command.ts';
import type { Find } from './motions.ts';

export type VimMode = 'normal' | 'insert' | 'visual' | 'visualLine' | 'command';

/** What was typed in insert mode, so that it can be typed again. */
export type Typed = { kind: 'text'; text: string } | { kind: 'action'; action: string };

export interface Vim {
  mode: VimMode;
  keys: readonly string[];
  register: { text: string; lines: boolean };
  find: Find | undefined;
  /** Behind the colon. */
  commandLine: string;
  /** Where visual mode began. */
  anchor: Position;
  lastVisual: { mode: 'visual' | 'visualLine'; range: Range } | undefined;
  /** While inserting: the command that began it, what was typed since, and the undo step it all belongs to. */
  insert: { command: Command | undefined; typed: readonly Typed[]; since: number } | undefined;
  repeat: { command: Command; typed: readonly Typed[] } | undefined;
}

export interface Machine {
  vim: Vim;
  state: EditorState;
}

/** What only the program around can do. */
export type Effect = 'submit' | 'quit' | 'older' | 'newer';

export interface VimResult extends Machine {
  /** False: the key means nothing to vim here. */
  used: boolean;
  effect?: Effect;
}

/** Vim begins where typing is: nobody should be surprised by it. */
export function startVim(state: EditorState): Vim {
  return {
    mode: 'insert',
    keys: [],
    register: { text: '', lines: false },
    find: undefined,
    commandLine: '',
    anchor: { line: 0, column: 0 },
    lastVisual: undefined,
    insert: { command: undefined, typed: [], since: state.log.next },
    repeat: undefined,
  };
}

/** What `.` will type again. */
export function noteTyped(vim: Vim, typed: Typed): Vim {
  return vim.insert === undefined
    ? vim
    : { ...vim, insert: { ...vim.insert, typed: [...vim.insert.typed, typed].slice(-most) } };
}

/** More keys than anyone types before Esc and wants to repeat. */
const most = 10_000;

/** In normal mode the cursor is on a unit, not behind the last one. */
export function onUnit(state: EditorState): EditorState {
  const { draft, pastes, goal } = state;
  const { line, column } = draft.cursor;
  const text = lineAt(draft, line);
  if (column < text.length || column === 0) return state;
  return move(state, { line, column: unitStart(text, text.length, pastes) }, goal === undefined ? {} : { goal });
}

/** The words that tell the mode. */
export function modeLabel({ mode, keys, commandLine }: Vim): string {
  switch (mode) {
    case 'insert':
      return 'INSERT';
    case 'normal':
      return keys.length === 0 ? 'NORMAL' : `NORMAL ${keys.join('')}`;
    case 'visual':
      return 'VISUAL';
    case 'visualLine':
      return 'VISUAL LINE';
    case 'command':
      return `:${commandLine}`;
  }
}

export function repeatable({ vim, state }: Machine, command: Command): Machine {
  return { vim: { ...vim, repeat: { command, typed: [] } }, state };
}

export function grouped(state: EditorState, since: number): EditorState {
  return { ...state, log: group(state.log, since) };
}

export function withVim({ vim, state }: Machine, some: Partial<Vim>): Machine {
  return { vim: { ...vim, ...some }, state };
}

export function used(machine: Machine): VimResult {
  return { ...machine, used: true };
}

export function unused(machine: Machine): VimResult {
  return { ...machine, used: false };
}
