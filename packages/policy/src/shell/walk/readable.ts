/** Lines that are not even given to the parser: it would take too long, or a person would see another line. */
import { tooLong } from './state.ts';

/** A machine does not take longer ones either. */
const longestLine = 131_072;
/** The parser looks to the end of a word for the other brace, each time. */
const mostWork = 100_000_000;

/** Why a text is not taken apart. */
export function readable(text: string): string | undefined {
  if (text.length > longestLine) return tooLong;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return 'it has control characters in it';
  if (/[\ud800-\udfff]/u.test(text)) return 'it has broken characters in it';
  const braces = count(text, '{') + 4 * count(text, '$[');
  return braces * text.length > mostWork ? tooLong : undefined;
}

/** Blanks that are none for the shell, and characters that nobody sees. */
export function hasUnseen(text: string): boolean {
  return /[^\P{Z} ]|[\p{Cf}\x80-\x9f]|\p{Default_Ignorable_Code_Point}/u.test(text);
}

function count(text: string, mark: string): number {
  let found = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) found++;
  return found;
}
