/** A call in the viewer: all of its arguments, all that came of it. */
import { readFileSync, statSync } from 'node:fs';
import { callOutcome, type ToolInput, type ToolResult } from '@tau/agent';
import { createAnsiText, printable, printableLine, type Section, wrap } from '@tau/tui';
import { changing } from '../blocks/call-body.ts';
import { aboutOf } from '../blocks/call-title.ts';
import { type CardWorld, detailsOf, textOfResult } from '../blocks/card.ts';
import { changesOf, viewsOf } from '../blocks/change.ts';
import { todoLines } from '../blocks/todo.ts';

export interface CallView {
  tool: string;
  input: ToolInput;
  result?: ToolResult;
  /** While there is no result. */
  printed?: string;
  isUsers?: boolean;
}

const indent = '  ';
const most = 100_000;

export function callSection(view: CallView, world: CardWorld): Section {
  const { theme, cwd } = world;
  const { tool, input, result, isUsers } = view;
  const mark = !result
    ? theme.paint('toolPending', '●')
    : result.isError
      ? theme.paint('toolError', '✗')
      : theme.paint('toolSuccess', '✓');
  const name = isUsers ? theme.paint('bashMode', '!') : theme.paint('toolTitle', printableLine(tool));
  const text = printableLine(aboutOf(tool, input, cwd).slice(0, 300));
  const about = text === '' ? '' : theme.paint('toolInput', text);
  const outcome = result ? (callOutcome(tool, result) ?? '') : '';
  const end =
    outcome === '' ? '' : theme.paint('muted', `${outcome.startsWith('(') ? ' ' : ' · '}${printableLine(outcome)}`);
  let parts: ((width: number) => readonly string[])[] | undefined;
  return {
    title: `${mark} ${name}${about === '' ? '' : ` ${about}`}${end}`,
    lines(width) {
      parts ??= partsOf(view, world);
      const room = Math.max(1, width - indent.length);
      return [...parts.flatMap((part) => part(room).map((line) => `${indent}${line}`)), ''];
    },
  };
}

function partsOf(view: CallView, world: CardWorld): ((width: number) => readonly string[])[] {
  const { tool, input, result, printed = '' } = view;
  const { theme, highlighter } = world;
  const isChange = changing.includes(tool);
  if (isChange && result && !result.isError) {
    const views = viewsOf(changesOf(tool, input, result, world), world, { lines: most, files: most });
    if (views.length > 0) return views.map(({ render }) => render);
  }
  if (tool === 'todo' && result && !result.isError) return [(width) => todoLines(input.todos, world, width, most)];
  const given =
    tool === 'bash' && typeof input.command === 'string'
      ? highlighter.lines(input.command, 'bash', theme)
      : argumentLines(input).map((line) => theme.paint('toolInput', line));
  const shown = result ? wholeOf(result) : { text: printed };
  const body = createAnsiText({
    ...{ theme, text: shown.text, role: result?.isError ? 'toolError' : 'toolOutput', expanded: true },
  });
  return [
    (width) => given.flatMap((line) => wrap(line, width, { at: 'anywhere' })),
    body.render,
    (width) =>
      shown.note === undefined ? [] : wrap(printable(shown.note), width).map((line) => theme.paint('muted', line)),
    (width) => imageNotes(result).flatMap((line) => wrap(theme.paint('muted', line), width)),
  ];
}

/** Each argument with its name; a text on lines of its own is left as it is. */
function argumentLines(input: ToolInput): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const text = printable(typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'undefined'));
    const [first = '', ...more] = text.split('\n');
    const label = printableLine(name);
    return more.length === 0 ? [`${label}: ${first}`] : [`${label}:`, first, ...more];
  });
}

const maxWhole = 2_000_000;

/** The output as a program left it, where it was kept and is still there; else what the model was told. */
function wholeOf(result: ToolResult): { text: string; note?: string } {
  const told = textOfResult(result);
  const { truncated, fullOutputPath } = detailsOf(result);
  if (truncated !== true || typeof fullOutputPath !== 'string') return { text: told };
  const note = `the whole output: ${fullOutputPath}`;
  try {
    const file = statSync(fullOutputPath);
    if (!file.isFile() || file.size > maxWhole) return { text: told, note };
    return { text: readFileSync(fullOutputPath, 'utf8'), note };
  } catch {
    return { text: told, note: `${note} (it is not there any more)` };
  }
}

function imageNotes(result: ToolResult | undefined): string[] {
  return (result?.content ?? []).flatMap((block) =>
    block.type === 'image'
      ? [`[image: ${printableLine(block.mimeType)}, ${Math.ceil(block.data.length * 0.00075)} KB]`]
      : [],
  );
}
