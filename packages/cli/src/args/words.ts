/**
 * A command line as options and other words, the way POSIX and GNU write them. Node's own reader says the same, but loading
 * it and calling it once takes more than a millisecond of every start.
 */

interface Named {
  name: string;
  short?: string | undefined;
  /** Its value, as help calls it. Without it, it has none. */
  value?: string | undefined;
}

export interface Token<Option> {
  /** Undefined when the table has no such option. */
  option: Option | undefined;
  /** As it was written, but one letter of several stands alone: `-p`, `--print`. */
  rawName: string;
  value?: string | undefined;
  /** The value stood in the same word. */
  inline?: boolean;
}

/** What is no option is the word itself. */
export function tokensOf<Option extends Named>(
  args: readonly string[],
  table: readonly Option[],
): (string | Token<Option>)[] {
  const found: (string | Token<Option>)[] = [];
  const named = new Map(table.map((option) => [`--${option.name}`, option]));
  const short = new Map(table.map((option) => [`-${option.short}`, option]));
  let at = 0;

  /** Letters in one word are options each; from the first that has a value on, the rest of the word is the value. */
  function readLetters(word: string): void {
    const [letter = '', ...rest] = word;
    const rawName = `-${letter}`;
    const option = short.get(rawName);
    if (option?.value === undefined) {
      found.push({ option, rawName });
      if (rest.length > 0) readLetters(rest.join(''));
    } else if (rest.length > 0) found.push({ option, rawName, value: rest.join(''), inline: true });
    else found.push({ option, rawName, value: args[at++] });
  }

  function readName(word: string): void {
    const sign = word.indexOf('=', 3);
    const rawName = sign === -1 ? word : word.slice(0, sign);
    const option = named.get(rawName);
    if (sign !== -1) found.push({ option, rawName, value: word.slice(sign + 1), inline: true });
    else found.push({ option, rawName, ...(option?.value !== undefined && { value: args[at++] }) });
  }

  while (at < args.length) {
    const word = args[at++] ?? '';
    if (word === '--') return [...found, ...args.slice(at)];
    if (word === '-' || !word.startsWith('-')) found.push(word);
    else if (word.startsWith('--')) readName(word);
    else readLetters(word.slice(1));
  }
  return found;
}
