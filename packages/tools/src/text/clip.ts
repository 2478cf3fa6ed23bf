/** Parts of a text without half of a character at the cut: some providers refuse a lone surrogate. Pure. */

export function firstChars(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, '');
}

export function lastChars(text: string, chars: number): string {
  return text.slice(-chars).replace(/^[\udc00-\udfff]/, '');
}
