/** What the user's own commands print, as it comes: whole, where a model's command is a line. */
import { isOwnCommand, isRecord, type StampedEvent, type ToolResult } from '@tau/agent';
import type { Screen } from '../print/screen.ts';
import type { Style } from '../render/style.ts';
import { createVisible, visible } from '../render/visible.ts';

export function createOwnOutput(screen: Screen, style: Style): (event: StampedEvent) => void {
  const output = createVisible();
  let printed = false;
  return (event) => {
    if (!('toolCallId' in event) || !isOwnCommand(event.toolCallId)) return;
    if (event.type === 'tool_execution_start') printed = false;
    if (event.type === 'tool_execution_update') {
      printed = true;
      if (event.dropped) screen.line(style.dim(`… ${event.dropped} characters are not shown`));
      screen.answer(output.piece(event.delta));
    }
    if (event.type !== 'tool_execution_end') return;
    screen.answer(output.rest());
    screen.endLine();
    const { result } = event;
    const code = isRecord(result.details) ? result.details.exitCode : undefined;
    // Refused or stopped: the result says why.
    if (typeof code !== 'number') screen.line(style.red(visible(lastOf(result, printed))));
    else if (!printed) screen.line(visible(wordsOf(result)));
    else if (code !== 0) screen.line(style.red(`exit code: ${code}`));
  };
}

function lastOf(result: ToolResult, printed: boolean): string {
  const text = wordsOf(result);
  return printed ? (text.split('\n').at(-1) ?? '') : text;
}

function wordsOf({ content }: ToolResult): string {
  return content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trimEnd();
}
