/** JSON that may end up on a terminal: what it would obey, or draw as nothing, is spelled out. To a program it is the same. */

/** Indented for people, unless it is to be a line. */
export function jsonText(value: unknown, indent: 0 | 2 = 2): string {
  const json = JSON.stringify(value, null, indent);
  // Made here and not at every start: such an expression takes Node a millisecond to read.
  return json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}]/gu, spelledOut);
}

function spelledOut(char: string): string {
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
