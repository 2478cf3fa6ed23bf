/** The options before the first operand, for programs that run what comes after them. */
import type { Word } from '../invocation.ts';
import type { Arg } from './words.ts';

/** Letters and names, separated by blanks. What is not in here is not understood. */
export interface Shape {
  flags?: string;
  values?: string;
  long?: string;
  longValues?: string;
}

export interface Leading {
  options: readonly { name: string; value: Word }[];
  /** Where the first operand stands. */
  at: number;
  /** Why the options are not understood. */
  why?: string;
}

export function readLeading(args: readonly Arg[], shape: Shape): Leading {
  const options: { name: string; value: Word }[] = [];
  const long = new Set(shape.long?.split(' '));
  const longValues = new Set(shape.longValues?.split(' '));
  let why: string | undefined;
  const strange = (word: string) => {
    why ??= `tau does not know the option ${word} of ${args[0]?.value ?? 'it'}`;
  };
  let at = 1;
  // What is not known yet may be more than one word, and then the next of them is no value any more.
  const next = (): Word => {
    at++;
    const value = args[at]?.value;
    if (at < args.length && value === undefined) why ??= 'one of its options is known only when it runs';
    return value;
  };
  for (; at < args.length; at++) {
    const word = args[at]?.value;
    if (word === undefined) {
      why ??= 'one of its options is known only when it runs';
      break;
    }
    if (word === '--') {
      at++;
      break;
    }
    if (!/^-./.test(word)) break;
    if (word.startsWith('--')) {
      const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      if (value === undefined && long.has(name)) options.push({ name, value });
      else if (longValues.has(name)) options.push({ name, value: value ?? next() });
      else strange(word);
      continue;
    }
    for (let index = 1; index < word.length; index++) {
      const name = word[index] ?? '';
      if (shape.flags?.includes(name)) {
        options.push({ name, value: undefined });
        continue;
      }
      if (!shape.values?.includes(name)) strange(word);
      else options.push({ name, value: index + 1 < word.length ? word.slice(index + 1) : next() });
      break;
    }
  }
  return { options, at, ...(why !== undefined && { why }) };
}
