/** `diff`, which looks into folders and follows the links it finds there. */
import type { Invocation, Judge, ShellFacts } from '../invocation.ts';
import { looksAt, notKnown } from './findings.ts';
import { isEmptyOrNoFolder, named } from './folders.ts';
import { looker } from './judges.ts';
import { has, type OptionTable } from './options.ts';

/** `-l` starts another program, `-X`, `--from-file` and `--to-file` read other files. */
const table: OptionTable = {
  flags: 'qscuenyptTrNiEZbwBad',
  numbers: 'CUW',
  values: 'FIxL',
  long:
    'normal brief report-identical-files ed rcs side-by-side left-column suppress-common-lines show-c-function ' +
    'expand-tabs initial-tab suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ' +
    'ignore-file-name-case no-ignore-file-name-case ignore-case ignore-tab-expansion ignore-trailing-space ' +
    'ignore-space-change ignore-all-space ignore-blank-lines text strip-trailing-cr minimal speed-large-files',
  longNumbers: 'width tabsize horizon-lines',
  longValues: 'show-function-line label exclude ignore-matching-lines',
  longAttached: 'context unified color',
};

const diff = looker(table, (reading, invocation, facts) => {
  const { operands } = reading;
  const [left, right] = operands;
  if (operands.length !== 2 || left === undefined || right === undefined) {
    return notKnown('unknown', 'it does not have two files', looksAt(operands).effects);
  }
  // A file beside a folder is compared with the one of its name in the folder.
  const inside = [named(left, right), named(right, left)];
  const all = looksAt([left, right]);
  if (has(reading, 'no-dereference')) return looksAt([left, right, ...inside]);
  if (has(reading, 'r', 'recursive') || mayMeetLinks(left, right, invocation, facts)) {
    return notKnown(
      'unknown',
      'it reads what links in a folder lead to, unless --no-dereference is given',
      all.effects,
    );
  }
  return all;
});

/** Two folders are compared file by file, and a file with a folder: only where one of them is no folder, none is met. */
function mayMeetLinks(left: string, right: string, invocation: Invocation, facts: ShellFacts): boolean {
  return ![left, right].every((path) => path === '-' || isEmptyOrNoFolder(path, invocation, facts));
}

export const comparePrograms: ReadonlyMap<string, Judge> = new Map([['diff', diff]]);
