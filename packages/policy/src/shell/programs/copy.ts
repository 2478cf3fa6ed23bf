/** Programs that put files elsewhere: copies, moves, links. The last operand may be a folder, so both are written. */

import { dirname } from 'node:path/posix';
import type { Effect } from '@tau/core';
import type { Finding, Invocation, Judge, ShellFacts, Word } from '../invocation.ts';
import { lendsRights } from './files.ts';
import { defined, does, likelyPaths, notKnown, readsFiles, readsTrees, writes } from './findings.ts';
import { isEmptyOrNoFolder, named } from './folders.ts';
import { byOptions, isSettled, type Told, unsettled } from './judges.ts';
import { has, type OptionTable, type Reading, valuesOf } from './options.ts';

interface Transfer {
  sources: readonly string[];
  /** Everything that may be written: the last operand, and each source by its name in it. */
  targets: readonly string[];
}

type TransferTold = (transfer: Transfer, ...given: Parameters<Told>) => Finding;

/** Understands which words are copied and where to; everything else is not known. */
function transfer(table: OptionTable, told: TransferTold): Judge {
  return byPaths(table, into(told));
}

function byPaths(table: OptionTable, told: Told): Judge {
  return byOptions(table, told, (why, words) => notKnown('write', why, guessed(likelyPaths(words))));
}

function into(told: TransferTold): Told {
  return (reading, ...others) => {
    const found = readTransfer(reading);
    const guess = guessed(reading.operands);
    if (!isSettled(reading)) return notKnown('write', unsettled, guess);
    return found ? told(found, reading, ...others) : notKnown('write', 'where it puts its files is not certain', guess);
  };
}

/** Any of them may be what is read, and any may be what is written. */
function guessed(paths: readonly Word[]): Effect[] {
  return defined([...readsFiles(paths), ...writes(paths)]);
}

function readTransfer(reading: Reading): Transfer | undefined {
  const { operands } = reading;
  const paths = defined(operands);
  const [folder, ...folders] = valuesOf(reading, 't', 'target-directory');
  if (paths.length < operands.length || folders.length > 0) return undefined;
  const sources = folder === undefined ? paths.slice(0, -1) : paths;
  const target = folder ?? paths.at(-1);
  if (target === undefined || sources.length === 0 || sources.some((path) => /(^|\/)\.\.\/*$/.test(path)))
    return undefined;
  const inside = sources.map((source) => named(target, source));
  if (has(reading, 'T', 'no-target-directory')) return { sources, targets: [target] };
  return { sources, targets: folder === undefined && sources.length === 1 ? [target, ...inside] : inside };
}

/** `-l` and `-s` make links to what is outside, `-L` reads it, `--backup` and `--parents` write under other names. */
const cp = transfer(
  {
    flags: 'adfiHnPpRrTuvxc',
    values: 't',
    long:
      'archive attributes-only force interactive no-clobber no-dereference recursive remove-destination ' +
      'strip-trailing-slashes no-target-directory update verbose one-file-system',
    longValues: 'target-directory no-preserve sparse',
    longAttached: 'preserve reflink',
  },
  ({ sources, targets }, reading, invocation, facts) => {
    const deep = has(reading, 'r', 'R', 'recursive', 'a', 'archive');
    const effects = [...(deep ? readsTrees : readsFiles)(sources), ...writes(targets)];
    if (deep && !areFresh(targets, invocation, facts)) {
      return notKnown('write', 'there may be links in the folder that it would write through', defined(effects));
    }
    return does('write', effects);
  },
);

function areFresh(targets: readonly string[], invocation: Invocation, facts: ShellFacts): boolean {
  return targets.every((target) => isEmptyOrNoFolder(target, invocation, facts));
}

/** What is moved is gone from where it was, and nothing is lost by that. */
const mv = transfer(
  {
    flags: 'finTuv',
    values: 't',
    long: 'force interactive no-clobber strip-trailing-slashes no-target-directory update verbose',
    longValues: 'target-directory',
  },
  ({ sources, targets }) => does('write', [...readsFiles(sources), ...writes(sources, 'file'), ...writes(targets)]),
);

const installTable: OptionTable = {
  flags: 'cCdDpTv',
  values: 'mt',
  long: 'compare directory preserve-timestamps no-target-directory verbose',
  longValues: 'mode target-directory',
};

const copies = into(({ sources, targets }) => does('write', [...readsFiles(sources), ...writes(targets)]));

/** With `-d` its operands are folders to make. `-s` starts another program. */
const install = byPaths(installTable, (reading, ...others) => {
  const folders = has(reading, 'd', 'directory');
  const finding = folders && isSettled(reading) ? does('write', writes(reading.operands)) : copies(reading, ...others);
  const lends = valuesOf(reading, 'm', 'mode').some((mode) => mode === undefined || lendsRights(mode));
  return lends ? { ...finding, danger: 'it lets others run the file with the rights of its owner' } : finding;
});

/**
 * A link leads to its target from then on, so the target is stated as well: read through a symbolic link, and written
 * through a hard one, which no path can tell from the file itself.
 */
const ln = byPaths(
  {
    flags: 'finsTvhLP',
    long: 'force interactive no-dereference symbolic no-target-directory verbose logical physical',
  },
  (reading, ...others) => {
    const [target] = reading.operands;
    if (reading.operands.length !== 1 || target === undefined) return into(linked)(reading, ...others);
    // With one operand the link gets its name, in this folder.
    const finding = linked({ sources: [target], targets: [named('.', target)] }, reading);
    return isSettled(reading) ? finding : { ...finding, known: false, why: unsettled };
  },
);

function linked({ sources, targets }: Transfer, reading: Pick<Reading, 'options'>): Finding {
  if (!has(reading, 's', 'symbolic'))
    return does('write', [...readsFiles(sources), ...writes([...sources, ...targets])]);
  // A link is read from where it is.
  const places = [...new Set(targets.map((target) => dirname(target)))];
  const ends = sources.flatMap((source) =>
    source.startsWith('/') ? [source] : places.map((place) => (place === '.' ? source : `${place}/${source}`)),
  );
  const effects = [...readsFiles(ends), ...writes(targets)];
  // It means something else as soon as it is moved.
  if (sources.some((source) => source.split('/').includes('..'))) {
    return notKnown('write', 'a link that leads upwards may lead out of the project', defined(effects));
  }
  return does('write', effects);
}

export const copyPrograms: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['cp', cp],
  ['mv', mv],
  ['install', install],
  ['ginstall', install],
  ['ln', ln],
]);
