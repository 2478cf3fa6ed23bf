/** Where a key may come from, as it is told to people and scripts: never the key itself. */

/** `hint` is the end of a long key; `bearer` marks a token that is sent as `Authorization: Bearer`. */
export type KeySource =
  | { kind: 'flag'; hint?: string }
  | { kind: 'variable'; name: string; hint?: string; bearer?: true }
  | { kind: 'modelsFile'; form: 'literal'; hint?: string }
  | { kind: 'modelsFile'; form: 'variable'; name: string; hint?: string }
  | { kind: 'modelsFile'; form: 'command' }
  | { kind: 'helper' }
  | { kind: 'authFile'; form: 'key'; hint?: string }
  | { kind: 'authFile'; form: 'login'; expires?: number; hint?: string; bearer: true; problem?: string }
  | { kind: 'authFile'; form: 'broken'; problem: string };

export interface KeySources {
  /** What would be used. Absent: there is no key. */
  used?: KeySource;
  /** What is there too, in the order it would be used. */
  others: KeySource[];
  needed: boolean;
  /** The variable to set. */
  variable?: string;
}

/** Enough of a key to tell it from another, and not enough to use it. Of a short one nothing is shown. */
export function hintOf(key: string): { hint?: string } {
  return key.length >= 20 ? { hint: `…${key.slice(-4)}` } : {};
}
