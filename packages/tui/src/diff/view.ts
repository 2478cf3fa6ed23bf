/** Shows what changed in a file: in one column, or side by side where there is room. */
import type { Highlighter } from '../code/highlighter.ts';
import { languageOf } from '../code/languages.ts';
import { rowsOf } from '../code/rows.ts';
import type { Component } from '../component.ts';
import { printableLine } from '../text/ansi.ts';
import { cut, cutMiddle, pad } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import type { Theme } from '../theme/theme.ts';
import { lookOf, paintLine } from './line.ts';
import type { DiffLine, FileDiff, Hunk } from './model.ts';

export interface DiffViewOptions {
  diff: FileDiff;
  theme: Theme;
  /** Colours the content by its language; tells by its `onReady` when to render again. */
  highlighter?: Highlighter;
  /** `auto` puts old and new side by side from 120 columns on. */
  layout?: 'auto' | 'unified' | 'split';
  /** Shows the name of the file and the number of changes above. */
  header?: boolean;
  /** Lines of the diff that are shown at most. */
  maxLines?: number;
}

const splitFrom = 120;
/** Below this width the numbers give way. */
const narrow = 24;
const mostLines = 2_000;

export function createDiffView(options: DiffViewOptions): Component {
  const { diff, highlighter } = options;
  const language = languageOf({ path: diff.newPath ?? diff.oldPath });
  let shown: { width: number; isReady: boolean; lines: readonly string[] } | undefined;
  return {
    render(width) {
      const isReady = highlighter?.isReady(language) ?? true;
      if (shown?.width === width && shown.isReady === isReady) return shown.lines;
      shown = { width, isReady, lines: renderDiff(options, language, width) };
      return shown.lines;
    },
  };
}

function renderDiff(options: DiffViewOptions, language: string | undefined, width: number): string[] {
  const { diff, theme } = options;
  const out = options.header === false ? [] : header(diff, theme, width);
  const say = (text: string) => out.push(...wrap(theme.paint('muted', text), width));
  if (diff.isBinary) say('The file is binary.');
  else if (diff.hunks.length === 0 && diff.note === undefined) say(emptyNote(diff));
  if (diff.note !== undefined) say(diff.note);
  const { hunks, hidden } = bounded(diff.hunks, options.maxLines ?? mostLines);
  const isSplit = options.layout === 'split' || (options.layout !== 'unified' && width >= splitFrom);
  hunks.forEach((hunk, index) => {
    if (index > 0 || hunk.title !== undefined) out.push(gapLine(hunk, theme, width));
    const page: Page = { width, digits: digitsOf(diff.hunks), theme, painted: paintHunk(hunk, language, options) };
    const inTwo = isSplit && width >= narrow * 2;
    for (const made of inTwo ? splitLines(hunk, page) : hunk.lines.flatMap((line) => row(line, page))) out.push(made);
  });
  if (hidden > 0) say(`… ${hidden} more lines of this diff`);
  return out;
}

function emptyNote({ change }: FileDiff): string {
  if (change === 'renamed' || change === 'copied') return 'The content is the same.';
  if (change === 'mode') return 'Only the permissions changed.';
  return change === 'modified' ? 'Nothing changed.' : 'The file is empty.';
}

function header(diff: FileDiff, theme: Theme, width: number): string[] {
  const from = printableLine(diff.oldPath ?? '');
  const to = printableLine(diff.newPath ?? '');
  const isMoved = diff.change === 'renamed' || diff.change === 'copied';
  const name = isMoved && from !== to ? `${from} → ${to}` : to || from;
  const what = { modified: '', added: ' (new)', removed: ' (removed)', renamed: '', copied: ' (copy)', mode: '' };
  const counts = [
    ...(diff.added > 0 ? [theme.paint('diffAdded', `+${diff.added}`)] : []),
    ...(diff.removed > 0 ? [theme.paint('diffRemoved', `-${diff.removed}`)] : []),
  ].join(' ');
  if (name === '' && counts === '') return [];
  const room = Math.max(1, width - widthOf(counts) - 1);
  const title = theme.paint('diffFile', cutMiddle(name + what[diff.change], room));
  return [cut([title, counts].filter((part) => part !== '').join(' '), width)];
}

function bounded(hunks: readonly Hunk[], most: number): { hunks: Hunk[]; hidden: number } {
  const kept: Hunk[] = [];
  let left = most;
  let hidden = 0;
  for (const hunk of hunks) {
    const lines = hunk.lines.slice(0, left);
    hidden += hunk.lines.length - lines.length;
    left -= lines.length;
    if (lines.length > 0) kept.push({ ...hunk, lines });
  }
  return { hunks: kept, hidden };
}

function gapLine(hunk: Hunk, theme: Theme, width: number): string {
  const title = hunk.title === undefined ? '' : ` ${printableLine(hunk.title)}`;
  return theme.paint('diffHunk', cut(`⋯${title}`, width));
}

function digitsOf(hunks: readonly Hunk[]): number {
  return hunks.reduce(
    (most, { lines }) => lines.reduce((max, { number }) => Math.max(max, String(number).length), most),
    1,
  );
}

interface Page {
  width: number;
  digits: number;
  theme: Theme;
  painted: ReadonlyMap<DiffLine, string>;
}

/** Both sides by themselves, so that a comment which goes does not colour the lines that come. */
function paintHunk(hunk: Hunk, language: string | undefined, options: DiffViewOptions): Map<DiffLine, string> {
  const { theme, highlighter } = options;
  const colours = new Map<DiffLine, string>();
  for (const gone of highlighter === undefined || language === undefined ? [] : (['added', 'removed'] as const)) {
    const side = hunk.lines.filter(({ kind }) => kind !== gone);
    const lines = highlighter?.lines(side.map(({ text }) => text.replace(/[\r\n]/g, ' ')).join('\n'), language, theme);
    side.forEach((line, index) => {
      const colour = lines?.[index];
      if (colour !== undefined) colours.set(line, colour);
    });
  }
  const hasReturns = hunk.lines.every(({ text }) => text.endsWith('\r'));
  return new Map(
    hunk.lines.map((line) => {
      const shown = hasReturns ? { ...line, text: line.text.slice(0, -1) } : line;
      return [line, paintLine(shown, colours.get(line), theme)];
    }),
  );
}

/** One line of the diff with its number and sign, on as many rows as it takes. */
function row(line: DiffLine, { width, digits, theme, painted }: Page, side?: 'old' | 'new'): string[] {
  const { sign, text: role, ground } = lookOf(line);
  const hasNumbers = width >= narrow;
  const gutter = hasNumbers ? digits + 3 : width > 8 ? 2 : 0;
  const shownNumber = side === 'old' ? (line.oldNumber ?? line.number) : line.number;
  const number = (text: string) => (hasNumbers ? `${theme.paint('diffLineNumber', text.padStart(digits))} ` : '');
  const signOf = (text: string) => (gutter > 0 ? `${theme.paint(role, text)} ` : '');
  const parts = rowsOf(painted.get(line) ?? '', width - gutter);
  const rows = parts.map((part, index) =>
    index === 0 ? number(String(shownNumber)) + signOf(sign) + part : number('') + signOf(' ') + part,
  );
  if (line.isUnended) {
    rows.push(cut(number('') + signOf(' ') + theme.paint('muted', 'no line break at the end'), width));
  }
  return ground === undefined ? rows : rows.map((one) => behind(one, width, ground, theme));
}

/** A background reaches to the edge; a theme without one gets no spaces there. */
function behind(text: string, width: number, ground: 'diffAddedBg' | 'diffRemovedBg', theme: Theme): string {
  return theme.paint(ground, 'x') === 'x' ? text : theme.paint(ground, pad(text, width));
}

function splitLines(hunk: Hunk, page: Page): string[] {
  const bar = page.theme.paint('border', ' │ ');
  const left = Math.floor((page.width - 3) / 2);
  const right = page.width - 3 - left;
  return pairs(hunk.lines).flatMap(({ old, fresh }) => {
    const olds = old === undefined ? [] : row(old, { ...page, width: left }, 'old');
    const news = fresh === undefined ? [] : row(fresh, { ...page, width: right }, 'new');
    return Array.from({ length: Math.max(olds.length, news.length) }, (_, index) =>
      `${pad(olds[index] ?? '', left)}${bar}${news[index] ?? ''}`.trimEnd(),
    );
  });
}

/** What stands beside what: unchanged lines beside themselves, what came beside what went. */
function pairs(lines: readonly DiffLine[]): { old?: DiffLine; fresh?: DiffLine }[] {
  const out: { old?: DiffLine; fresh?: DiffLine }[] = [];
  let gone: DiffLine[] = [];
  let came: DiffLine[] = [];
  const flush = () => {
    const count = Math.max(gone.length, came.length);
    for (let at = 0; at < count; at += 1) {
      const old = gone[at];
      const fresh = came[at];
      out.push({ ...(old === undefined ? {} : { old }), ...(fresh === undefined ? {} : { fresh }) });
    }
    gone = [];
    came = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (came.length > 0) flush();
      gone.push(line);
    } else if (line.kind === 'added') {
      came.push(line);
    } else {
      flush();
      out.push({ old: line, fresh: line });
    }
  }
  flush();
  return out;
}
