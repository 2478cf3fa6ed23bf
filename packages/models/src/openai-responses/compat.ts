/** How a server differs from OpenAI's own Responses API. */
import type { Model } from '@tau/core';
import { fieldProblems, flag, type Kind, word } from '../compat/fields.ts';

export interface Compat {
  /** The backend behind a ChatGPT login: the key is its token, the model's headers name the account. */
  login: boolean;
  /** The vendor holds calls to their schemas, which then must be closed ones. */
  strictTools: boolean;
  /** `bearer`, or the header that carries the key. */
  authHeader: string;
}

const kinds: Readonly<Record<string, Kind>> = { login: 'flag', strictTools: 'flag', authHeader: 'text' };

/** What is wrong with a `compat`, a sentence each. What is named here is not used. */
export function compatProblems(compat: unknown): string[] {
  return fieldProblems(compat, kinds);
}

export function compatOf({ compat = {} }: Model): Compat {
  return {
    login: flag(compat, 'login', false),
    strictTools: flag(compat, 'strictTools', false),
    authHeader: word(compat, 'authHeader', 'bearer'),
  };
}
