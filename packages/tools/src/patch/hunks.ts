/**
 * Applies the hunks of one file to its text. They are looked for one after the other, each behind the one before, in
 * the published way: as they stand, then without trailing blanks, then trimmed, then with characters that look alike as
 * one. Lines of context stay as the file has them. Pure.
 */
import { TauError } from '@tau/core';
import { fold } from '../edit/fold.ts';
import { type IndentPair, indentOf, indentRelation } from '../edit/indent.ts';
import { usualEnding } from '../edit/lines.ts';
import { maxTolerantChars } from '../edit/match.ts';
import { nearestLines } from '../edit/near.ts';
import type { Hunk } from './parse.ts';

interface Line {
  text: string;
  ending: string;
}

/** Where hunks are looked for, and how: in a very large text exactly, or not at all. */
interface Target {
  lines: readonly Line[];
  levels: readonly Level[];
}

interface Level {
  /** Completes "after ignoring …"; absent for the exact one. */
  ignored?: string;
  key(line: string): string;
}

const plain = { blanks: true, alike: true };
const exact: Level = { key: (line) => line };
const allLevels: readonly Level[] = [
  exact,
  { ignored: 'trailing blanks', key: (line) => line.trimEnd() },
  { ignored: 'indentation', key: (line) => line.trim() },
  { ignored: 'typographic characters', key: (line) => fold(line, plain).trim() },
];

const mark = '\uFEFF';
/** Lines compared before a search gives up. */
const maxCompared = 5_000_000;

interface Patched {
  text: string;
  tolerances: Set<string>;
}

/** A byte order mark stays the first character: it belongs to the file and not to its first line. */
export function applyHunks(path: string, text: string, hunks: readonly Hunk[]): Patched {
  if (!text.startsWith(mark)) return applied(path, text, hunks);
  const patched = applied(path, text.slice(mark.length), hunks);
  return { ...patched, text: mark + patched.text };
}

function applied(path: string, text: string, hunks: readonly Hunk[]): Patched {
  const lines = linesOf(text);
  const target = { lines, levels: text.length > maxTolerantChars ? [exact] : allLevels };
  const ending = usualEnding(text) ?? '\n';
  const patched: Line[] = [];
  const tolerances = new Set<string>();
  let cursor = 0;
  for (const hunk of hunks) {
    const start = behindHeaders(path, target, hunk, cursor, tolerances);
    const old = hunk.lines.filter(({ kind }) => kind !== 'new').map((line) => line.text);
    const found =
      old.length === 0 ? { at: insertion(hunk, lines, start), level: exact } : place(target, old, start, hunk);
    if (!found) throw notFound(path, text, hunk, old);
    if (found.level?.ignored) tolerances.add(found.level.ignored);
    for (const line of lines.slice(cursor, found.at)) patched.push(line);
    cursor = found.at;
    const indented = indentsOf(hunk, lines, found.at);
    for (const line of hunk.lines) {
      if (line.kind === 'new') patched.push({ text: indented(line.text), ending });
      else {
        const there = lines[cursor];
        if (there && line.kind === 'context') patched.push(there);
        cursor += 1;
      }
    }
  }
  for (const line of lines.slice(cursor)) patched.push(line);
  return { text: joined(patched, ending, text === '' || text.endsWith('\n')), tolerances };
}

function linesOf(text: string): Line[] {
  const pieces = text.split(/(\r?\n)/);
  const lines: Line[] = [];
  for (let at = 0; at < pieces.length; at += 2) lines.push({ text: pieces[at] ?? '', ending: pieces[at + 1] ?? '' });
  // What stands behind the last line break is no line.
  if (lines.at(-1)?.text === '') lines.pop();
  return lines;
}

/** Only the last line may lack its line break, and it does exactly when the file's last line did. */
function joined(lines: readonly Line[], ending: string, closed: boolean): string {
  const texts = lines.map(({ text, ending: own }, index) => {
    const last = index === lines.length - 1;
    return text + (last && !closed ? '' : own || ending);
  });
  return texts.join('');
}

function behindHeaders(
  path: string,
  target: Target,
  { at, headers }: Hunk,
  cursor: number,
  tolerances: Set<string>,
): number {
  let start = cursor;
  for (const header of headers) {
    const found =
      seek(target, [header], start) ?? seekLine(target.lines, start, (line) => line.trim().startsWith(header.trim()));
    if (!found) {
      const remedy = 'Nothing was changed. Read the file again and mend the patch.';
      throw new TauError('file', `The line after @@ at line ${at} of the patch is not in ${path}: ${header}`, {
        remedy,
      });
    }
    if (found.level?.ignored) tolerances.add(found.level.ignored);
    start = found.at + 1;
  }
  return start;
}

interface Found {
  at: number;
  level?: Level;
}

/** Where new lines go that have no neighbours: behind their header, or at the end. */
function insertion({ headers, atEnd }: Hunk, lines: readonly Line[], start: number): number {
  return headers.length > 0 && !atEnd ? start : lines.length;
}

function place(target: Target, old: readonly string[], start: number, { atEnd }: Hunk): Found | undefined {
  const end = target.lines.length - old.length;
  return (atEnd && end >= start ? seek(target, old, end) : undefined) ?? seek(target, old, start);
}

/** The first place at or behind `start`, at the strictest level that has one. */
function seek({ lines, levels }: Target, wanted: readonly string[], start: number): Found | undefined {
  for (const level of levels) {
    const keys = wanted.map(level.key);
    const there: string[] = [];
    const keyAt = (index: number) => (there[index] ??= level.key(lines[index]?.text ?? ''));
    let compared = 0;
    for (let at = start; at + keys.length <= lines.length && compared < maxCompared; at++) {
      let same = 0;
      while (same < keys.length && keyAt(at + same) === keys[same]) same += 1;
      compared += same + 1;
      if (same === keys.length) return { at, level };
    }
  }
  return undefined;
}

function seekLine(lines: readonly Line[], start: number, fits: (line: string) => boolean): Found | undefined {
  for (let at = start; at < lines.length; at++) if (fits(lines[at]?.text ?? '')) return { at };
  return undefined;
}

/** New lines are moved as far as the lines around them turned out to be. */
function indentsOf(hunk: Hunk, lines: readonly Line[], at: number): (line: string) => string {
  const pairs: IndentPair[] = [];
  let index = at;
  for (const { kind, text } of hunk.lines) {
    if (kind === 'new') continue;
    const actual = lines[index]?.text ?? '';
    index += 1;
    if (text.trim() !== '') pairs.push({ given: indentOf(text), actual: indentOf(actual) });
  }
  const moved = pairs.some(({ given, actual }) => given !== actual);
  const relation = moved ? indentRelation(pairs) : undefined;
  if (!relation) return (line) => line;
  return (line) => {
    const indent = indentOf(line);
    return line.trim() === '' ? line : relation(indent) + line.slice(indent.length);
  };
}

function notFound(path: string, text: string, { at }: Hunk, old: readonly string[]): TauError {
  const near = nearestLines(text, old.join('\n'));
  const remedy = `Nothing was changed. ${near === undefined ? 'Read the file again and mend the patch.' : `The nearest lines are:\n${near}`}`;
  return new TauError('file', `The hunk at line ${at} of the patch does not fit ${path}`, { remedy });
}
