/** Findings for calls that change more than files: what they do is not known whole, and some of it may do harm. */
import type { CommandClass, Effect } from '@tau/core';
import type { Finding, Judge } from '../invocation.ts';
import { notKnown } from './findings.ts';

export const anywhere: Effect = { kind: 'net', host: '*' };

/** Not known whole, and perhaps dangerous. */
export function risky(
  kind: CommandClass,
  why: string,
  danger: string | undefined,
  effects: readonly Effect[] = [],
): Finding {
  return { ...notKnown(kind, why, effects), ...(danger !== undefined && { danger }) };
}

/** Programs that are dangerous however they are called. */
export function alwaysDangerous(names: string, danger: string, kind: CommandClass = 'unknown'): [string, Judge][] {
  return names.split(' ').map((name) => [name, () => risky(kind, danger, danger)]);
}

/** The same judge for all of these names. */
export function forEach(names: string, judge: Judge): [string, Judge][] {
  return names.split(' ').map((name) => [name, judge]);
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
