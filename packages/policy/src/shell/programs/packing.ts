/** Programs that pack one file into one other, and take it out again. */
import type { Finding, Judge, Word } from '../invocation.ts';
import { defined, does, likelyPaths, looksAt, notKnown, reads, readsFiles, writes } from './findings.ts';
import { byOptions, isSettled, unsettled } from './judges.ts';
import { has, type OptionTable, type Reading } from './options.ts';

interface Packer {
  table: OptionTable;
  /** What is put at the end of a name, and taken off again. */
  ending: string;
  unpacks?: boolean;
  /** Prints, and changes no file. */
  prints?: boolean;
  /** The file is left where it is, unless `--rm` is given. */
  keeps?: boolean;
}

const gzTable: OptionTable = {
  flags: 'cdfklnqtv123456789',
  long: 'stdout to-stdout decompress uncompress force keep list no-name quiet test verbose fast best rsyncable',
};
const bzTable: OptionTable = {
  flags: 'cdfkqstvz123456789',
  long: 'stdout decompress compress force keep quiet test verbose small fast best',
};
const xzTable: OptionTable = {
  flags: 'cdfklqtvze0123456789',
  numbers: 'T',
  long: 'stdout to-stdout decompress uncompress compress force keep list quiet test verbose extreme',
  longNumbers: 'threads',
};
const zstdTable: OptionTable = {
  flags: 'cdfklqtv',
  long: 'stdout decompress uncompress compress force keep list quiet test verbose rm ultra no-progress',
  // The number is a part of the word: the next word is a file.
  old: /^-T?[0-9]+$|^--threads=[0-9]+$/,
};

const packers: readonly [names: string, packer: Packer][] = [
  ['gzip', { table: gzTable, ending: '.gz' }],
  ['gunzip', { table: gzTable, ending: '.gz', unpacks: true }],
  ['zcat gzcat', { table: gzTable, ending: '.gz', prints: true }],
  ['bzip2', { table: bzTable, ending: '.bz2' }],
  ['bunzip2', { table: bzTable, ending: '.bz2', unpacks: true }],
  ['bzcat', { table: bzTable, ending: '.bz2', prints: true }],
  ['xz', { table: xzTable, ending: '.xz' }],
  ['unxz', { table: xzTable, ending: '.xz', unpacks: true }],
  ['xzcat', { table: xzTable, ending: '.xz', prints: true }],
  ['zstd', { table: zstdTable, ending: '.zst', keeps: true }],
  ['unzstd', { table: zstdTable, ending: '.zst', unpacks: true, keeps: true }],
  ['zstdcat', { table: zstdTable, ending: '.zst', prints: true }],
];

function packerJudge(packer: Packer): Judge {
  return byOptions(
    packer.table,
    (reading, { words: [name] }) => ({
      ...judgePacking(reading, packer),
      // On many systems these are scripts.
      ...((name === 'gunzip' || name === 'zcat') && { starts: ['gzip'] }),
    }),
    (why, words) => notKnown('write', why, defined([...reads(likelyPaths(words)), ...writes(likelyPaths(words))])),
  );
}

/** `-r` works on whole folders and `-N` takes the name out of the file: both are not in the tables. */
function judgePacking(reading: Reading, { ending, unpacks, prints, keeps }: Packer): Finding {
  const { operands } = reading;
  const files = operands.filter((file) => file !== '-');
  // Of what it is told to do, to some of them the last word counts.
  if (has(reading, 't', 'test', 'l', 'list') && has(reading, 'z', 'compress', 'd', 'decompress', 'uncompress')) {
    return notKnown('write', 'what it should do is not certain', defined([...reads(files), ...writes(files)]));
  }
  if (prints || files.length === 0 || has(reading, 'c', 'stdout', 'to-stdout', 'l', 'list', 't', 'test')) {
    // A name without the ending is tried with it.
    const tried = files.map((file) => (file === undefined || file.endsWith(ending) ? file : `${file}${ending}`));
    return looksAt([...new Set([...reading.rest, ...tried])]);
  }
  const stays = has(reading, 'k', 'keep') || (keeps === true && !has(reading, 'rm'));
  const opens = unpacks === true || has(reading, 'd', 'decompress', 'uncompress');
  const results = files.map((file) => (opens ? without(file, ending) : file && `${file}${ending}`));
  const effects = [...readsFiles(files), ...writes(results), ...(stays ? [] : writes(files, 'file'))];
  if (!isSettled(reading)) return notKnown('write', unsettled, defined(effects));
  return does('write', effects);
}

/** Undefined when the name does not say what it will be. */
function without(file: Word, ending: string): Word {
  return file?.endsWith(ending) && file.length > ending.length ? file.slice(0, -ending.length) : undefined;
}

export const packingPrograms: ReadonlyMap<string, Judge> = new Map(
  packers.flatMap(([names, packer]) => names.split(' ').map((name) => [name, packerJudge(packer)] as const)),
);
