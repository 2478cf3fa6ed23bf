/**
 * What somebody judges before it happens, as it is: nothing in it can hide, whatever it is padded with. Invisible
 * characters are seen, long runs of nothing are counted, and of what is too long both ends are there.
 */
import { visible } from './visible.ts';

/** Blanks other than the plain one, and letters and marks that draw nothing. `visible` shows the rest. */
const invisible = /\p{DI}|(?! )\p{Zs}|[\p{Zl}\p{Zp}\p{Cs}\u2800]/gu;
/** Marks on marks are drawn over what stands beside them. */
const piledMarks = /\p{M}{3,}/gu;
const blankRun = /[ \t]{5,}/g;
const emptyLines = /\n(?:[ \t]*\n){3,}/g;
/** Something that is shown by its name, again and again. */
const repeated = /(<U\+[0-9A-F]{4,6}>|\^[@-_])\1{3,}/g;

const widest = 40;
const tabWidth = 8;
const maxLines = 200;
/** What is far behind the end of what is shown need not be looked at. */
const slack = 10;

export function exactly(text: string, maxChars: number): string {
  const shown = visible(bothEnds(text, maxChars * slack))
    .replace(invisible, named)
    .replace(piledMarks, (marks) => `<${[...marks].length} marks>`)
    .replace(repeated, (run, one: string) => `${one}[… ${run.length / one.length} times …]`)
    .replace(emptyLines, (run) => `\n[… ${run.split('\n').length - 2} empty lines …]\n`)
    .replace(blankRun, (run) => (widthOf(run) < widest ? run : ` [… ${run.length} blanks …] `));
  return fewLines(bothEnds(shown, maxChars));
}

/** All of it, however long: every character that draws nothing is named, and nothing is left out or counted. */
export function entirely(text: string): string {
  return visible(text)
    .replace(invisible, named)
    .replace(piledMarks, (marks) => [...marks].map(named).join(''));
}

/** What `exactly` shows, on one line. */
export function exactlyInLine(text: string, maxChars: number): string {
  return exactly(text, maxChars).replaceAll('\n', ' ⏎ ');
}

function named(char: string): string {
  return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

function widthOf(blanks: string): number {
  return [...blanks].reduce((width, char) => width + (char === '\t' ? tabWidth : 1), 0);
}

/** The end of a thing is as telling as its beginning: what is left out is in the middle, and is counted. */
function bothEnds(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters are not shown …]\n${text.slice(-half)}`;
}

function fewLines(text: string): string {
  const lines = text.split('\n');
  const more = lines.length - maxLines;
  if (more <= 0) return text;
  const half = maxLines / 2;
  return [...lines.slice(0, half), `[… ${more} lines are not shown …]`, ...lines.slice(-half)].join('\n');
}
