/** What a variable holds, where that is certain. */
import type { WordPart } from 'unbash';
import type { Word } from '../invocation.ts';
import type { Spot, Walk } from './state.ts';

export type Expansion = Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' }>;

export function variableValue(part: Expansion, { values, folders }: Spot, walk: Walk): Word {
  const name = /^\$(?:(\w+)|\{(\w+)\})$/.exec(part.text)?.slice(1).join('') ?? '';
  const value = values.get(name);
  if (value !== undefined) return value;
  if (name !== 'HOME' && name !== 'PWD') return undefined;
  if (walk.mentions(name) > 0) return undefined;
  if (name === 'HOME') return walk.facts.home;
  return folders?.length === 1 && !/\/\.\.|.\/$/.test(folders[0] ?? '') ? folders[0] : undefined;
}
