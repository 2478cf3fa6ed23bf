/** The card of what prints: a command, and any tool that nothing else is known of. */
import type { ToolResult } from '@tau/agent';
import { createAnsiText, cut } from '@tau/tui';
import {
  type CallBody,
  type CardWorld,
  detailsOf,
  errorLines,
  imageLines,
  innerWidth,
  inset,
  textOfResult,
  wholeLines,
} from './card.ts';

/** How much of an output stays: its beginning and its end. */
const fold = { head: 3, tail: 5 };
/** Of what is printed between two frames, so much is looked at: nobody reads faster. */
const maxFresh = 65_536;
/** Enough to see that it goes on. */
const maxLive = 10;

export function outputBody(world: CardWorld): CallBody {
  const { theme } = world;
  const make = (text?: string) =>
    createAnsiText({
      ...{ theme, fold, role: 'toolOutput', hint: 'ctrl+o shows all' },
      ...(text !== undefined && { text }),
    });
  let output = make();
  let fresh = '';
  let printed = false;
  let lost = false;
  let result: ToolResult | undefined;

  function settle(): void {
    if (fresh !== '') output.append(fresh);
    fresh = '';
  }

  return {
    input() {},
    write(text) {
      printed = true;
      fresh += text;
      if (fresh.length <= maxFresh) return;
      lost = true;
      fresh = fresh.slice(fresh.indexOf('\n', fresh.length - maxFresh / 2) + 1);
    },
    end(ended) {
      result = ended;
      settle();
      // What was told to the model has the end of it, at least. An error that nothing was printed before is told below.
      if (lost || (!printed && (!ended.isError || hasRun(ended)))) output = make(printedText(ended));
    },
    live(width, room) {
      const rows = Math.min(room, maxLive);
      settle();
      output.expanded = true;
      const lines = output.render(innerWidth(width));
      const hidden = lines.length - rows;
      if (hidden <= 0 || rows < 2) return inset(lines.slice(-rows));
      const note = cut(theme.paint('muted', `… ${hidden + 1} lines above`), innerWidth(width));
      return inset([note, ...lines.slice(1 - rows)]);
    },
    final(width) {
      const room = innerWidth(width);
      output.expanded = false;
      if (!result) return inset(output.render(room));
      return [
        ...inset([
          ...output.render(room),
          ...(result.isError ? errorLines(failureOf(result), world, room) : []),
          ...wholeLines(result, theme, room),
        ]),
        ...imageLines(result, world, width),
      ];
    },
  };
}

/** A command that ran has a code, or was killed. */
function hasRun(result: ToolResult): boolean {
  return 'exitCode' in detailsOf(result);
}

/** The last line is how it ended. */
function printedText(result: ToolResult): string {
  const text = textOfResult(result);
  return result.isError ? text.slice(0, Math.max(0, text.lastIndexOf('\n'))) : text;
}

/** What its output does not say. An exit code stands in the title. */
function failureOf(result: ToolResult): string {
  const text = textOfResult(result);
  if (!hasRun(result)) return text;
  return typeof detailsOf(result).exitCode === 'number' ? '' : text.slice(text.lastIndexOf('\n') + 1);
}
