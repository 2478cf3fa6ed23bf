/**
 * Undo and redo: the changes themselves, not copies of the text, in steps that a person would call one. Typing a word is a
 * step, so is a paste.
 */
import { after, type Change, type Draft, replace } from './draft.ts';

interface Step {
  /** Counts up; says which steps are newer than a moment. */
  id: number;
  changes: readonly Change[];
}

export interface UndoLog {
  past: readonly Step[];
  future: readonly Step[];
  next: number;
}

export const noUndo: UndoLog = { past: [], future: [], next: 1 };

/** The oldest steps are forgotten beyond these. */
const limits = { steps: 1000, characters: 32 * 1024 * 1024 } as const;

/** Notes a change. With `join` it becomes part of the last step. */
export function record(log: UndoLog, change: Change, join: boolean): UndoLog {
  const last = log.past.at(-1);
  if (join && last !== undefined) {
    const changes = joined(last.changes, change);
    return { past: [...log.past.slice(0, -1), { ...last, changes }], future: [], next: log.next };
  }
  const past = [...log.past, { id: log.next, changes: [change] }];
  return { past: bounded(past), future: [], next: log.next + 1 };
}

/** Makes one step of all that are newer than the moment when `next` was this. */
export function group(log: UndoLog, since: number): UndoLog {
  const first = log.past.findIndex((step) => step.id >= since);
  if (first === -1 || first === log.past.length - 1) return log;
  const changes = log.past.slice(first).flatMap((step) => step.changes);
  return { ...log, past: [...log.past.slice(0, first), { id: log.past[first]?.id ?? since, changes }] };
}

export function undo(log: UndoLog, draft: Draft): { log: UndoLog; draft: Draft } | undefined {
  const step = log.past.at(-1);
  if (step === undefined) return undefined;
  let current = draft;
  for (const change of step.changes.toReversed()) {
    const range = { from: change.at, to: after(change.at, change.added) };
    current = { ...replace(current, range, change.removed).draft, cursor: change.before };
  }
  return { log: { ...log, past: log.past.slice(0, -1), future: [...log.future, step] }, draft: current };
}

export function redo(log: UndoLog, draft: Draft): { log: UndoLog; draft: Draft } | undefined {
  const step = log.future.at(-1);
  if (step === undefined) return undefined;
  let current = draft;
  for (const change of step.changes) {
    const range = { from: change.at, to: after(change.at, change.removed) };
    current = { ...replace(current, range, change.added).draft, cursor: change.after };
  }
  return { log: { ...log, past: [...log.past, step], future: log.future.slice(0, -1) }, draft: current };
}

/** Letters typed one behind the other, or erased one before the other, are one change. */
function joined(changes: readonly Change[], change: Change): readonly Change[] {
  const last = changes.at(-1);
  if (last === undefined) return [change];
  const { at } = change;
  const end = after(last.at, last.added);
  if (change.removed === '' && at.line === end.line && at.column === end.column) {
    return [...changes.slice(0, -1), { ...last, added: last.added + change.added, after: change.after }];
  }
  if (change.added !== '' || last.added !== '') return [...changes, change];
  if (at.line === last.at.line && at.column === last.at.column) {
    return [...changes.slice(0, -1), { ...last, removed: last.removed + change.removed, after: change.after }];
  }
  const gone = after(at, change.removed);
  if (gone.line === last.at.line && gone.column === last.at.column) {
    const removed = change.removed + last.removed;
    return [...changes.slice(0, -1), { ...last, at, removed, after: change.after }];
  }
  return [...changes, change];
}

function bounded(past: readonly Step[]): readonly Step[] {
  let from = Math.max(0, past.length - limits.steps);
  let size = 0;
  for (let index = past.length - 1; index > from; index--) {
    for (const { removed, added } of past[index]?.changes ?? []) size += removed.length + added.length;
    // The newest step is always kept, however big.
    if (size > limits.characters && index < past.length - 1) from = index;
  }
  return from === 0 ? past : past.slice(from);
}
