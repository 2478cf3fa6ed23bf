/** The card of a change to files: what the model writes as it writes it, then what really changed. */
import { isRecord, type ToolInput, type ToolResult } from '@tau/agent';
import {
  type Component,
  createDiffView,
  cut,
  type DiffLine,
  type FileDiff,
  parseUnified,
  printableLine,
  type Role,
} from '@tau/tui';
import { type CallBody, type CardWorld, detailsOf, errorLines, innerWidth, inset, textOfResult } from './card.ts';

const maxDiffLines = 40;
const maxNewLines = 12;
const maxFiles = 8;

export function changeBody(tool: string, world: CardWorld): CallBody {
  const { theme } = world;
  let input: ToolInput = {};
  let result: ToolResult | undefined;
  let views: readonly Component[] | undefined;

  return {
    input(next) {
      input = next;
    },
    write() {},
    end(ended) {
      result = ended;
    },
    live(width, rows) {
      const room = innerWidth(width);
      const lines = arriving(tool, input, rows).map(({ role, text }) => cut(theme.paint(role, text), room));
      return inset(lines);
    },
    final(width) {
      const room = innerWidth(width);
      if (!result) return [];
      if (result.isError) return inset(errorLines(textOfResult(result), world, room));
      views ??= viewsOf(changesOf(tool, input, result, world), world);
      return inset(views.flatMap((view) => view.render(room)));
    },
  };
}

/** What changed, file by file. */
export function changesOf(tool: string, input: ToolInput, result: ToolResult, { differ }: CardWorld): FileDiff[] {
  const details = detailsOf(result);
  const files = Array.isArray(details.files) ? details.files.filter(isRecord) : [details];
  const parse = differ()?.parse ?? parseUnified;
  const diffs = files.flatMap(({ diff }) => (typeof diff === 'string' && diff !== '' ? parse(diff) : []));
  if (diffs.length > 0 || tool !== 'write') return diffs;
  const { content, path } = input;
  return typeof content === 'string' && typeof path === 'string' && details.created === true
    ? [newFile(path, content)]
    : [];
}

export function viewsOf(
  diffs: readonly FileDiff[],
  { theme, highlighter }: CardWorld,
  limits: { lines?: number; files: number } = { files: maxFiles },
): Component[] {
  const header = diffs.length > 1;
  const views: Component[] = diffs.slice(0, limits.files).map((diff) =>
    createDiffView({
      ...{ diff, theme, highlighter, header },
      maxLines: limits.lines ?? (diff.change === 'added' ? maxNewLines : maxDiffLines),
    }),
  );
  const more = diffs.length - views.length;
  if (more > 0) {
    views.push({ render: (width) => [cut(theme.paint('muted', `… and ${more} more files: ctrl+o shows all`), width)] });
  }
  return views;
}

/** A file that was not there before has no diff: all of it is new. */
function newFile(path: string, content: string): FileDiff {
  const texts = content.replace(/\n$/, '').split('\n');
  const lines: DiffLine[] = texts.map((text, at) => ({ kind: 'added', text, number: at + 1 }));
  return {
    change: 'added',
    newPath: path,
    hunks: content === '' ? [] : [{ oldStart: 0, newStart: 1, lines }],
    added: content === '' ? 0 : lines.length,
    removed: 0,
  };
}

interface Painted {
  role: Role;
  text: string;
}

/** The end of what has arrived. */
function arriving(tool: string, input: ToolInput, rows: number): Painted[] {
  if (tool === 'write') return signed(input.content, '+', rows);
  if (tool === 'apply_patch') return lastLines(input.input ?? input.patch, rows).map(patchLine);
  const { old_string, new_string } = lastEdit(input);
  const came = signed(new_string, '+', rows);
  return [...signed(old_string, '-', rows - came.length), ...came];
}

function lastEdit(input: ToolInput): ToolInput {
  const last: unknown = Array.isArray(input.edits) ? input.edits.at(-1) : undefined;
  return isRecord(last) ? last : input;
}

function signed(text: unknown, sign: '+' | '-', rows: number): Painted[] {
  const role = sign === '+' ? 'diffAdded' : 'diffRemoved';
  return lastLines(text, rows).map((line) => ({ role, text: `${sign} ${line}` }));
}

function patchLine(text: string): Painted {
  if (text.startsWith('*** ')) return { role: 'diffFile', text };
  if (text.startsWith('@@')) return { role: 'diffHunk', text };
  return { role: text.startsWith('+') ? 'diffAdded' : text.startsWith('-') ? 'diffRemoved' : 'diffContext', text };
}

/** Only its end is looked at, however long it has become. */
function lastLines(text: unknown, rows: number): string[] {
  if (typeof text !== 'string' || text === '' || rows <= 0) return [];
  const end = text.slice(-rows * 500);
  // What ends with a line break has no empty line behind it.
  const lines = end.replace(/\n$/, '').split('\n');
  if (lines.length > 1 && end.length < text.length) lines.shift();
  return lines.slice(-rows).map((line) => printableLine(line));
}
