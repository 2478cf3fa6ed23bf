/**
 * A call and how it went, on one short line: for a folded card, for a reader of events, and for the model when the call
 * itself is no longer told. Made from what the tool says about its result, else from the result's first words.
 */
import { isRecord } from './record.ts';
import type { ToolInput, ToolResult } from './tool.ts';

const maxChars = 120;
const maxAboutChars = 72;

/** At most 120 characters, none of them a line break or invisible. */
export function summariseCall(toolName: string, input: ToolInput, result: ToolResult): string {
  const details = isRecord(result.details) ? result.details : {};
  const known = knownTool(toolName);
  const about = clipped(known?.about(input, details) ?? '', maxAboutChars, known?.fromEnd);
  const outcome = callOutcome(toolName, result) ?? firstWords(result);
  const said = outcome === '' || outcome.startsWith('(') ? ` ${outcome}` : `: ${outcome}`;
  return clipped(`${toolName}${about === '' ? ` ${outcome}` : ` ${about}${said}`}`, maxChars);
}

/** How it went, in a few words; undefined when the result's own words say it better. */
export function callOutcome(toolName: string, { details, isError }: ToolResult): string | undefined {
  return knownTool(toolName)?.outcome(isRecord(details) ? details : {}, isError === true);
}

function knownTool(name: string): KnownTool | undefined {
  return Object.hasOwn(knownTools, name) ? knownTools[name] : undefined;
}

type Details = Record<string, unknown>;

interface KnownTool {
  about(input: ToolInput, details: Details): string;
  /** Undefined when the result's own words say it better, as those of most errors do. */
  outcome(details: Details, failed: boolean): string | undefined;
  /** What it is about is known best by its end. */
  fromEnd?: boolean;
}

const pathOf = (input: ToolInput, details: Details) => words(input.path) ?? words(details.path) ?? '';

const knownTools: Readonly<Partial<Record<string, KnownTool>>> = {
  read: { about: pathOf, outcome: readPart, fromEnd: true },
  write: {
    about: pathOf,
    outcome: (details) => {
      const { bytes, created } = details;
      if (created !== true && typeof details.diff === 'string') return changes([details.diff]);
      return typeof bytes === 'number' ? `(${created === true ? 'new, ' : ''}${size(bytes)})` : undefined;
    },
    fromEnd: true,
  },
  edit: {
    about: pathOf,
    outcome: ({ diff }) => (typeof diff === 'string' ? changes([diff]) : undefined),
    fromEnd: true,
  },
  apply_patch: {
    about: (_, details) =>
      patched(details)
        .flatMap(({ path }) => (typeof path === 'string' ? [path] : []))
        .join(', '),
    outcome: (details, failed) => {
      const diffs = patched(details).flatMap(({ diff }) => (typeof diff === 'string' ? [diff] : []));
      return failed || diffs.length === 0 ? undefined : changes(diffs);
    },
  },
  bash: { about: ({ command }) => words(command) ?? '', outcome: commandEnd },
  grep: {
    about: ({ pattern }) => words(pattern) ?? '',
    outcome: ({ matches, files }, failed) => {
      if (failed || typeof files !== 'number') return undefined;
      if (files === 0) return 'no matches';
      const inFiles = counted(files, 'file');
      return typeof matches === 'number' ? `${counted(matches, 'match', 'matches')} in ${inFiles}` : inFiles;
    },
  },
  glob: {
    about: ({ pattern }) => words(pattern) ?? '',
    outcome: ({ files }) => (typeof files === 'number' ? counted(files, 'file') : undefined),
  },
  ls: {
    about: (input, details) => pathOf(input, details) || '.',
    outcome: ({ entries }) => (typeof entries === 'number' ? counted(entries, 'entry', 'entries') : undefined),
    fromEnd: true,
  },
  web_fetch: {
    about: ({ url }) => hostIn(words(url) ?? ''),
    outcome: ({ bytes, status }, failed) => {
      if (typeof status === 'number' && failed) return `status ${status}`;
      return typeof bytes === 'number' && bytes > 0 ? size(bytes) : undefined;
    },
  },
  todo: {
    about: () => '',
    outcome: ({ todos }) => {
      if (!Array.isArray(todos)) return undefined;
      const done = todos.filter((one: unknown) => isRecord(one) && one.status === 'completed').length;
      return `${done} of ${todos.length} completed`;
    },
  },
};

function readPart(details: Details): string | undefined {
  for (const [noun, first, last, total] of parts) {
    const [from, to, all] = [details[first], details[last], details[total]];
    if (typeof all !== 'number') continue;
    const whole = typeof from !== 'number' || typeof to !== 'number' || (from <= 1 && to === all);
    return whole ? `(${counted(all, noun)})` : `(${noun}s ${from}-${to} of ${all})`;
  }
  if (typeof details.mimeType === 'string') return `(${details.mimeType})`;
  return typeof details.entries === 'number' ? `(${counted(details.entries, 'entry', 'entries')})` : undefined;
}

const parts = [
  ['line', 'firstLine', 'lastLine', 'totalLines'],
  ['page', 'firstPage', 'lastPage', 'totalPages'],
  ['cell', 'firstCell', 'lastCell', 'totalCells'],
] as const;

function commandEnd({ exitCode, timedOut, jobId }: Details): string | undefined {
  if (timedOut === true) return 'timed out';
  if (typeof exitCode === 'number') return `exit ${exitCode}`;
  return typeof jobId === 'string' ? `runs as ${jobId}` : undefined;
}

function patched({ files }: Details): Details[] {
  return Array.isArray(files) ? files.filter(isRecord) : [];
}

/** `(+3 -1)`, counted in the hunks alone: a file's own names stand before them with the same signs. */
function changes(diffs: readonly string[]): string {
  let added = 0;
  let removed = 0;
  for (const diff of diffs) {
    const hunks = /^@@/m.exec(diff)?.index ?? 0;
    added += diff.slice(hunks).match(/^\+/gm)?.length ?? 0;
    removed += diff.slice(hunks).match(/^-/gm)?.length ?? 0;
  }
  return `(+${added} -${removed})`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function size(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** Without a name or a password before it. */
function hostIn(url: string): string {
  const [, authority = url] = /^(?:https?:\/\/)?([^/?#]*)/i.exec(url) ?? [];
  return authority.slice(authority.lastIndexOf('@') + 1);
}

function firstWords({ content }: ToolResult): string {
  const text = content.find((block) => block.type === 'text')?.text.slice(0, maxChars * 8) ?? '';
  if (text.trim() !== '') return text;
  return content.some((block) => block.type === 'image') ? '(image)' : '';
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** On one line, without what nobody sees, and never half of a character. */
export function clipped(text: string, chars: number, fromEnd = false): string {
  // What is far behind the cut need not be looked at.
  const near = fromEnd ? text.slice(-chars * 8) : text.slice(0, chars * 8);
  const line = near.replace(/[\s\p{C}]+/gu, ' ').trim();
  if (line.length <= chars && near.length === text.length) return line;
  if (fromEnd) return `…${line.slice(1 - chars).replace(/^[\udc00-\udfff]/, '')}`;
  return `${line.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
