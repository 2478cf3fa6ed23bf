/** Brace expansion of plain lists and ranges: `{a,b}`, `{1..5}`. */

export const mostWords = 64;

/** Undefined when it is more than that, or too many. */
export function expandBraces(text: string): string[] | undefined {
  const inner = /^\{([\w./@%+=:,-]*)\}$/.exec(text)?.[1];
  if (inner === undefined) return undefined;
  const range = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(inner);
  if (range) return numbers(range[1] ?? '', range[2] ?? '');
  if (inner.includes('..') || !inner.includes(',')) return undefined;
  const items = inner.split(',');
  return items.length > mostWords ? undefined : items;
}

function numbers(first: string, last: string): string[] | undefined {
  // With a leading zero the shell pads them all.
  if (/^-?0\d/.test(first) || /^-?0\d/.test(last)) return undefined;
  const [from, to] = [Number(first), Number(last)];
  const count = Math.abs(to - from) + 1;
  if (count > mostWords) return undefined;
  return Array.from({ length: count }, (_, index) => String(from + (to < from ? -index : index)));
}
