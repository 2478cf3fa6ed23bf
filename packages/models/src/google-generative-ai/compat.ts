/** How a model or a server differs from what Google's own would be taken for. */
import type { Model } from '@tau/core';
import { fieldProblems, type Kind, word, wordFrom } from '../compat/fields.ts';

const thinkingForms = ['budget', 'level'] as const;

export interface Compat {
  /** How thinking is asked for. Absent: as the model's id tells. */
  thinking: (typeof thinkingForms)[number] | undefined;
  /** `bearer`, or the header that carries the key. */
  authHeader: string;
}

const kinds: Readonly<Record<string, Kind>> = { thinking: thinkingForms, authHeader: 'text' };

/** What is wrong with a `compat`, a sentence each. What is named here is not used. */
export function compatProblems(compat: unknown): string[] {
  return fieldProblems(compat, kinds);
}

export function compatOf({ compat = {} }: Model): Compat {
  return {
    thinking: wordFrom(compat, 'thinking', thinkingForms),
    authHeader: word(compat, 'authHeader', 'x-goog-api-key'),
  };
}
