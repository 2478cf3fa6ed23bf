/** Compares texts and points out what differs inside of lines. The library is loaded when the first diff is made. */
import { type DiffLine, diffLimits, type FileDiff, type Hunk, type Mark } from './model.ts';
import { parseUnified } from './parse.ts';

export interface Differ {
  /** What has to change for the old text to become the new one. No old text: the file is new; no new one: it is gone. */
  compare(oldText: string | undefined, newText: string | undefined, options?: CompareOptions): FileDiff;
  /** A diff that somebody else made. */
  parse(unified: string): FileDiff[];
}

export interface CompareOptions {
  oldPath?: string;
  newPath?: string;
  /** Unchanged lines around each change. */
  context?: number;
}

type Library = typeof import('diff');

export async function loadDiffer(): Promise<Differ> {
  const library = await import('diff');
  return {
    compare: (oldText, newText, options = {}) => compare(library, oldText, newText, options),
    parse: (unified) =>
      parseUnified(unified).map((file) => ({ ...file, hunks: file.hunks.map((hunk) => withMarks(library, hunk)) })),
  };
}

function compare(
  library: Library,
  oldText: string | undefined,
  newText: string | undefined,
  options: CompareOptions,
): FileDiff {
  const { oldPath, newPath = oldPath } = options;
  const paths = {
    ...(oldPath === undefined || oldText === undefined ? {} : { oldPath }),
    ...(newPath === undefined || newText === undefined ? {} : { newPath }),
  };
  const change = changeOf(oldText, newText, oldPath, newPath);
  const from = oldText ?? '';
  const to = newText ?? '';
  if (from.includes('\0') || to.includes('\0'))
    return { change, ...paths, hunks: [], added: 0, removed: 0, isBinary: true };
  if (from.length + to.length > diffLimits.characters) {
    const note = `too large to compare (${from.length} and ${to.length} characters)`;
    return { change, ...paths, hunks: [], added: 0, removed: 0, note };
  }
  const context = options.context ?? 3;
  const ends = sameEnds(linesOf(from), linesOf(to));
  // Only lines that came, or only lines that went: there is nothing to find out.
  const isPlain = ends.before.length === 0 || ends.after.length === 0;
  const patch = isPlain
    ? undefined
    : library.structuredPatch('', '', from, to, '', '', { context, maxEditLength: diffLimits.edits });
  const hunks = patch === undefined ? replaced(ends, context) : patch.hunks.map(hunkOf);
  const marked = hunks.map((hunk) => withMarks(library, hunk));
  const count = (kind: DiffLine['kind']) =>
    marked.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  const note = patch === undefined && !isPlain ? { note: 'too different to compare line by line' } : {};
  return { change, ...paths, hunks: marked, added: count('added'), removed: count('removed'), ...note };
}

function changeOf(oldText: unknown, newText: unknown, oldPath: unknown, newPath: unknown): FileDiff['change'] {
  if (oldText === undefined) return 'added';
  if (newText === undefined) return 'removed';
  return oldPath === newPath ? 'modified' : 'renamed';
}

function hunkOf({ oldStart, newStart, lines }: { oldStart: number; newStart: number; lines: string[] }): Hunk {
  const made: DiffLine[] = [];
  let oldNumber = oldStart;
  let newNumber = newStart;
  for (const line of lines) {
    const text = line.slice(1);
    const last = made.at(-1);
    if (line.startsWith('-')) made.push({ kind: 'removed', text, number: oldNumber++ });
    else if (line.startsWith('+')) made.push({ kind: 'added', text, number: newNumber++ });
    else if (!line.startsWith('\\')) made.push({ kind: 'context', text, number: newNumber++, oldNumber: oldNumber++ });
    else if (last !== undefined) last.isUnended = true;
  }
  return { oldStart, newStart, lines: made };
}

interface TextLine {
  text: string;
  isUnended: boolean;
}

interface Ends {
  /** The same at the beginning and the end of both. */
  head: readonly TextLine[];
  tail: readonly TextLine[];
  /** What is between them in each. */
  before: readonly TextLine[];
  after: readonly TextLine[];
}

function linesOf(text: string): TextLine[] {
  const lines = text.split('\n').map((line) => ({ text: line, isUnended: false }));
  const last = lines.pop();
  return last === undefined || last.text === '' ? lines : [...lines, { ...last, isUnended: true }];
}

function sameEnds(before: readonly TextLine[], after: readonly TextLine[]): Ends {
  const isSame = (one: TextLine | undefined, other: TextLine | undefined) =>
    one?.text === other?.text && one?.isUnended === other?.isUnended;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
  return {
    head: before.slice(0, start),
    tail: before.slice(before.length - end),
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
  };
}

/** All lines between the ends, as gone and as come. */
function replaced({ head, tail, before, after }: Ends, context: number): Hunk[] {
  if (before.length + after.length === 0) return [];
  const first = Math.max(0, head.length - context);
  const line = (
    kind: DiffLine['kind'],
    { text, isUnended }: TextLine,
    number: number,
    oldNumber?: number,
  ): DiffLine => ({
    kind,
    text,
    number,
    ...(oldNumber === undefined ? {} : { oldNumber }),
    ...(isUnended ? { isUnended } : {}),
  });
  const oldTail = head.length + before.length + 1;
  const newTail = head.length + after.length + 1;
  const lines = [
    ...head.slice(first).map((one, index) => line('context', one, first + index + 1, first + index + 1)),
    ...before.map((one, index) => line('removed', one, head.length + index + 1)),
    ...after.map((one, index) => line('added', one, head.length + index + 1)),
    ...tail.slice(0, context).map((one, index) => line('context', one, newTail + index, oldTail + index)),
  ];
  return [{ oldStart: first + 1, newStart: first + 1, lines }];
}

/** Lines that went and lines that came in their place, in pairs, with the words that differ. */
function withMarks(library: Library, hunk: Hunk): Hunk {
  const lines = hunk.lines.map((line) => ({ ...line }));
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, 'removed');
    const added = runOf(lines, at + removed.length, 'added');
    markRuns(library, removed, added);
    at += Math.max(1, removed.length + added.length);
  }
  return { ...hunk, lines };
}

/** Each line with the first of the others, in their order, that is much like it. Many lines only with their like number. */
function markRuns(library: Library, removed: DiffLine[], added: DiffLine[]): void {
  const isFew = removed.length * added.length <= diffLimits.pairs;
  if (!isFew && (removed.length !== added.length || removed.length > diffLimits.pairs)) return;
  let next = 0;
  removed.forEach((gone, index) => {
    const rest = isFew ? added.slice(next) : added.slice(index, index + 1);
    const found = rest.findIndex((came) => markPair(library, gone, came));
    if (found !== -1) next += found + 1;
  });
}

function runOf(lines: DiffLine[], from: number, kind: DiffLine['kind']): DiffLine[] {
  let to = from;
  while (lines[to]?.kind === kind) to += 1;
  return lines.slice(from, to);
}

/** Points out what differs in two lines, if they have enough in common. */
function markPair(library: Library, gone: DiffLine, came: DiffLine): boolean {
  if (gone.text.length > diffLimits.markedLine || came.text.length > diffLimits.markedLine) return false;
  const parts = library.diffWordsWithSpace(gone.text, came.text, { maxEditLength: 200 });
  if (parts === undefined) return false;
  const same = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
  const longest = Math.max(gone.text.trim().length, came.text.trim().length);
  const isSpaceOnly = gone.text.replace(/\s/g, '') === came.text.replace(/\s/g, '');
  if (!isSpaceOnly && same < longest * diffLimits.alike) return false;
  const goneMarks: Mark[] = [];
  const cameMarks: Mark[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const { value, added, removed } of parts) {
    if (removed) goneMarks.push({ from: oldAt, to: oldAt + value.length });
    if (added) cameMarks.push({ from: newAt, to: newAt + value.length });
    if (!added) oldAt += value.length;
    if (!removed) newAt += value.length;
  }
  gone.marks = goneMarks;
  came.marks = cameMarks;
  return true;
}
