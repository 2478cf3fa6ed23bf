/** Vendors' words for the levels of thinking. */
import { type ThinkingLevel, thinkingLevels } from '@tau/core';
import { type Given, record } from './fields.ts';

/** `null` says that the vendor has no word for a level; an absent one goes by its own name. */
export type Efforts = Readonly<Partial<Record<ThinkingLevel, string | null>>>;

/** The words OpenAI's models know: gpt-5 cannot stop thinking, later ones know no "minimal", the latest go further. */
export function openaiEfforts(id: string): Efforts {
  const [, version = '0'] = /\bgpt-(\d+(?:\.\d+)?)/.exec(id) ?? [];
  const number = Number(version);
  if (number >= 5.1) return { off: 'none', minimal: 'low', max: number >= 5.2 ? 'xhigh' : 'high' };
  return number >= 5 ? { off: 'minimal', max: 'high' } : { minimal: 'low', max: 'high' };
}

/** The levels a `reasoningEffortMap` names, for any protocol that has one. */
export function effortsIn(compat: Given): Efforts {
  const map = record(compat, 'reasoningEffortMap') ?? {};
  const efforts: Partial<Record<ThinkingLevel, string | null>> = {};
  for (const level of thinkingLevels) {
    const effort = map[level];
    if (effort === null || (typeof effort === 'string' && effort !== '')) efforts[level] = effort;
  }
  return efforts;
}
