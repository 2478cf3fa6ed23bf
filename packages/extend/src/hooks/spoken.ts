/** What came out of a hook, before it is known what it means. */
import type { HookWord } from '@tau/core';

export interface Output {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * How a hook can fail. `exit`: it ended with a code that means trouble, but no more; the others are those after which
 * nobody can say what it would have said.
 */
export type FailureKind = 'exit' | 'signal' | 'timeout' | 'missing' | 'flood' | 'output' | 'refused' | 'aborted';

export interface Failure {
  kind: FailureKind;
  /** For a sentence that begins with the hook's name: `it took longer than 10 s`. */
  why: string;
}

export type Spoken = { word: HookWord } | { failure: Failure };

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function withText(
  word: HookWord,
  name: 'reason' | 'context' | 'notice' | 'halt',
  text: string | undefined,
): void {
  if (text !== undefined) word[name] = text;
}
