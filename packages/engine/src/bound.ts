/** The last guard on size: tools bound their own output; this holds whatever a foreign tool returns. */
import type { ToolResult } from '@tau/core';

export async function bound(
  result: ToolResult,
  maxChars: number,
  keep: (text: string) => Promise<string>,
): Promise<ToolResult> {
  let size = 0;
  for (const block of result.content) if (block.type === 'text') size += block.text.length;
  if (size <= maxChars) return result;
  const whole = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const where = await keep(whole);
  const shown = whole.slice(0, maxChars);
  return {
    ...result,
    content: [
      { type: 'text', text: `${shown}\n[cut: the first ${maxChars} of ${size} characters; the whole is in ${where}]` },
      ...result.content.filter((block) => block.type === 'image'),
    ],
  };
}
