/** The last guard on size: tools bound their own output; this holds whatever a foreign tool returns. Never throws. */
import { describeError, type ToolResult } from '@tau/core';

export async function bound(
  result: ToolResult,
  maxChars: number,
  keep: (text: string) => Promise<string>,
): Promise<ToolResult> {
  let size = 0;
  for (const block of result.content) if (block.type === 'text') size += block.text.length;
  if (size <= maxChars) return result;
  const whole = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const shown = firstChars(whole, maxChars);
  const rest = await keep(whole).then(
    (where) => `the whole is in ${where}`,
    (error: unknown) => `the rest is lost, because it could not be kept: ${describeError(error)}`,
  );
  return {
    ...result,
    content: [
      { type: 'text', text: `${shown}\n[cut: the first ${shown.length} of ${size} characters; ${rest}]` },
      ...result.content.filter((block) => block.type === 'image'),
    ],
  };
}

/** The first characters of a text, never half of one: some providers refuse a lone surrogate. */
export function firstChars(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '');
}
