/** The cursor of normal and visual mode on its way. */
import { move } from '../state.ts';
import type { Command, Target } from './command.ts';
import { type Machine, onUnit, used, type Vim, type VimResult, withVim } from './machine.ts';
import { type MotionInput, wayOf } from './motions.ts';

export function moveBy(machine: Machine, command: Command & { kind: 'motion' }): VimResult {
  const { vim, state } = machine;
  const { motion, character } = command;
  const way = wayOf(motion, inputOf(machine, command.count, character));
  const next = withVim(
    machine,
    findOf({ kind: 'motion', motion, ...(character === undefined ? {} : { character }) }, vim),
  );
  if (way === undefined) {
    const line = state.draft.cursor.line;
    if (motion === 'k' && line === 0) return { ...used(next), effect: 'older' };
    if (motion === 'j' && line === state.draft.lines.length - 1) return { ...used(next), effect: 'newer' };
    return used(next);
  }
  return used({ vim: next.vim, state: onUnit(move(state, way.to, way.goal === undefined ? {} : { goal: way.goal })) });
}

export function inputOf(
  { vim, state }: Machine,
  count: number | undefined,
  character: string | undefined,
): MotionInput {
  const { draft, pastes, goal } = state;
  return { draft, pastes, from: draft.cursor, count, character, find: vim.find, goal };
}

export function findOf(target: Target, vim: Vim): Partial<Vim> {
  if (target.kind !== 'motion' || target.character === undefined) return { find: vim.find };
  return { find: { kind: target.motion, character: target.character } };
}
