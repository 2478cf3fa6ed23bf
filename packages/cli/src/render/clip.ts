/** Any text on one line of bounded length, safe to show. */
import { visible } from './visible.ts';

export function clip(text: string, maxChars: number): string {
  // What is far behind the end need not be looked at.
  const head = text.slice(0, maxChars * 4);
  const line = visible(head.trim()).replace(/\s*\n\s*/g, ' ⏎ ');
  return line.length > maxChars || head.length < text.length ? `${cutAt(line, maxChars - 1)}…` : line;
}

/** Never between the halves of one character. */
function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
