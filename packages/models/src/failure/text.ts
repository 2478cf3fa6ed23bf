/** Words of others in a message of ours: one line, bounded, and nothing in it that moves a cursor or hides. */

const maxChars = 300;

export function oneLine(text: string): string {
  const line = text
    .slice(0, 10 * maxChars)
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  // Half a pair at the cut would be no character.
  return line.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}

/** What happened, then what to do, each a sentence whatever the first one ends with. */
export function withRemedy(what: string, remedy: string | undefined): string {
  if (!remedy) return what;
  return /[.!?…]$/.test(what) ? `${what} ${remedy}` : `${what}. ${remedy}`;
}

export function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
