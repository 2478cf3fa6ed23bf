/** JSON that may end up on a terminal: what it would obey, or draw as nothing, is spelled out. To a program it is the same. */
const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}]/gu;

/** Indented for people, unless it is to be a line. */
export function jsonText(value: unknown, indent: 0 | 2 = 2): string {
  return JSON.stringify(value, null, indent).replace(unsafe, spelledOut);
}

function spelledOut(char: string): string {
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
