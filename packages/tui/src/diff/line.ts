/** One line of a diff in its colours, before it is fitted to a width. */
import { printable } from '../text/ansi.ts';
import { slice } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import type { Role, Theme } from '../theme/theme.ts';
import type { DiffLine } from './model.ts';

const looks = {
  context: { sign: ' ', text: 'diffContext', word: 'diffContext', ground: undefined },
  added: { sign: '+', text: 'diffAdded', word: 'diffAddedWord', ground: 'diffAddedBg' },
  removed: { sign: '-', text: 'diffRemoved', word: 'diffRemovedWord', ground: 'diffRemovedBg' },
} as const satisfies Record<DiffLine['kind'], { sign: string; text: Role; word: Role; ground: Role | undefined }>;

export function lookOf(line: DiffLine): (typeof looks)[DiffLine['kind']] {
  return looks[line.kind];
}

/** The text with its marks. `coloured` is the same text in the colours of its language, if those are known. */
export function paintLine(line: DiffLine, coloured: string | undefined, theme: Theme): string {
  const { text: role, word } = lookOf(line);
  const marks = [...(line.marks ?? []), ...trailing(line)];
  const plain = (text: string) => theme.paint(role, printable(text));
  if (marks.length === 0) return coloured ?? plain(line.text);
  let out = '';
  let at = 0;
  for (const { from, to } of marks) {
    if (to <= at) continue;
    out += rest(line.text, at, from, coloured) ?? plain(line.text.slice(at, from));
    out += theme.paint(word, visible(line.text.slice(Math.max(at, from), to)));
    at = to;
  }
  return out + (rest(line.text, at, line.text.length, coloured) ?? plain(line.text.slice(at)));
}

/** A part of the coloured text, found by the cells it takes. */
function rest(text: string, from: number, to: number, coloured: string | undefined): string | undefined {
  if (coloured === undefined || from >= to) return from >= to ? '' : undefined;
  return slice(coloured, widthOf(printable(text.slice(0, from))), widthOf(printable(text.slice(0, to))));
}

/** Spaces at the end of a new line are seldom meant. */
function trailing(line: DiffLine): { from: number; to: number }[] {
  const from = line.text.trimEnd().length;
  const covered = line.marks?.some((mark) => mark.to > from) ?? false;
  return line.kind === 'added' && from > 0 && from < line.text.length && !covered
    ? [{ from, to: line.text.length }]
    : [];
}

/** A change of nothing but white space would not be seen. */
function visible(text: string): string {
  if (text.trim() !== '') return printable(text);
  return printable(text.replace(/ /g, '·').replace(/\t/g, '→   '));
}
