/**
 * Finds words in a call that nobody has understood whole: what it means to do, and whether that is harmful. It errs
 * towards finding too much, because nothing is ever allowed by what it finds.
 */
import type { Word } from '../invocation.ts';

/** The words that are no options and no values of these options, up to `--` and from there on. */
export function operandsOf(words: readonly Word[], withValue = ''): Word[] {
  const takers = withValue.split(' ');
  const found: Word[] = [];
  let ended = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (ended || word === undefined || word === '-' || !word.startsWith('-')) found.push(word);
    else if (word === '--') ended = true;
    else if (takers.includes(word)) at++;
  }
  return found;
}

/**
 * True when an option is given, before `--`: a letter in any bundle of letters, a long name or what may be short for
 * it. One letter is a letter, more are a long name.
 */
export function gives(words: readonly Word[], ...names: readonly string[]): boolean {
  return names.some((name) => optionWords(words).some((word) => isFor(word, name)));
}

/** The values of an option: `--name=x`, `--name x`, `-nx`, `-n x`. */
export function valuesGiven(words: readonly Word[], ...names: readonly string[]): Word[] {
  const options = optionWords(words);
  return names.flatMap((name) =>
    options.flatMap((word, at) => {
      if (!isFor(word, name)) return [];
      const equals = word.indexOf('=');
      if (name.length > 1) return [equals === -1 ? words[at + 1] : word.slice(equals + 1)];
      const attached = word.slice(word.indexOf(name) + 1);
      return [attached === '' ? words[at + 1] : attached];
    }),
  );
}

function isFor(word: string, name: string): boolean {
  if (name.length === 1) return /^-[A-Za-z0-9]/.test(word) && word.includes(name);
  const long = word.split('=', 1)[0] ?? '';
  return long.length > 2 && `--${name}`.startsWith(long);
}

/** Up to `--`; a word that nobody knows yet is none. Same places as in `words`. */
function optionWords(words: readonly Word[]): string[] {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).map((word) => (word?.startsWith('-') ? word : ''));
}
