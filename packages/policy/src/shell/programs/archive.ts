/** Programs that pack and unpack. What comes out of an archive is named in it, so that nobody knows where it goes. */
import type { Finding, Judge, Word } from '../invocation.ts';
import {
  defined,
  does,
  likelyPaths,
  looksAt,
  notKnown,
  pours,
  reads,
  readsFiles,
  readsTrees,
  writes,
} from './findings.ts';
import { asksForHelp, byOptions, hiddenValue, isSettled, refused, unsettled } from './judges.ts';
import { has, isMisread, type OptionTable, type Reading, readInvocation, valuesOf } from './options.ts';

/**
 * `-I`, `-F`, `--to-command`, `--checkpoint-action`, `--rsh-command` and `--rmt-command` start programs, `-T` and `-X`
 * read other files, `-h` follows links, `-P` writes anywhere.
 */
const tarTable: OptionTable = {
  flags: 'tcxvzjJZapkmO',
  values: 'fC',
  long:
    'list create extract get verbose gzip gunzip ungzip bzip2 xz zstd lzma compress auto-compress to-stdout ' +
    'no-same-owner no-same-permissions numeric-owner keep-old-files skip-old-files touch wildcards no-wildcards ' +
    'exclude-vcs exclude-backups exclude-caches force-local totals utc full-time',
  longNumbers: 'strip-components',
  longValues: 'file directory exclude owner group mode sort format transform',
};

const tar: Judge = (invocation) => {
  if (asksForHelp(invocation)) return looksAt([]);
  const words = spread(invocation.words.slice(1));
  const guess = defined(reads(likelyPaths(words)));
  const reading = readInvocation({ ...invocation, words: [invocation.words[0], ...words] }, tarTable);
  if (isMisread(reading)) return notKnown('write', reading.why, guess);
  const why = hiddenValue(reading);
  if (why !== undefined) return notKnown('write', why, guess);
  return { ...judgeTar(reading), ...packersOf(reading) };
};

const packers: readonly [program: string, options: readonly string[], ending: RegExp][] = [
  ['gzip', ['z', 'gzip', 'gunzip', 'ungzip'], /\.(t?gz|taz)$/],
  ['bzip2', ['j', 'bzip2'], /\.(bz2|tbz2?|tz2)$/],
  ['xz', ['J', 'xz', 'lzma'], /\.(t?xz|lzma)$/],
  ['zstd', ['zstd'], /\.(zst|tzst)$/],
  ['compress', ['Z', 'compress'], /\.(Z|taZ)$/],
];

/** What is packed is packed by somebody else, whom a shell starts. */
function packersOf(reading: Reading): Pick<Finding, 'starts'> {
  const [archive = ''] = valuesOf(reading, 'f', 'file');
  const found = packers.filter(([, options, ending]) => has(reading, ...options) || ending.test(archive));
  return found.length === 0 ? {} : { starts: ['sh', ...found.map(([program]) => program)] };
}

/** The oldest way made plain: letters without a dash, and their values after them. */
function spread([letters, ...words]: readonly Word[]): readonly Word[] {
  if (letters === undefined || !/^[a-zA-Z]+$/.test(letters)) return [letters, ...words];
  const values = [...words];
  const options = [...letters].flatMap((letter) =>
    tarTable.values?.includes(letter) ? [`-${letter}`, values.shift()] : [`-${letter}`],
  );
  return [...options, ...values];
}

function judgeTar(reading: Reading): Finding {
  const archives = valuesOf(reading, 'f', 'file');
  const folders = valuesOf(reading, 'C', 'directory');
  const [archive] = archives;
  if (archives.length !== 1 || archive === undefined || folders.length > 1) {
    return notKnown('write', 'which archive it means is not certain');
  }
  // With a colon in its name an archive is on another machine.
  if (archive.includes(':')) return notKnown('network', 'the archive is on another machine');
  if (has(reading, 't', 'list')) return only(reading, 't', 'list', looksAt([archive]));
  if (has(reading, 'c', 'create')) return only(reading, 'c', 'create', create(reading, archive, folders[0]));
  if (!has(reading, 'x', 'extract', 'get')) return notKnown('write', 'what it should do is not certain');
  if (has(reading, 'O', 'to-stdout')) return looksAt([archive]);
  const out = [...reads([archive]), ...writes([folders[0] ?? '.'])];
  return notKnown('write', 'where it puts its files is named in the archive', defined(out));
}

/** One thing at a time. */
function only(reading: Reading, letter: string, name: string, finding: Finding): Finding {
  const others = ['t', 'list', 'c', 'create', 'x', 'extract', 'get'].filter((one) => one !== letter && one !== name);
  return has(reading, ...others) ? notKnown('write', 'what it should do is not certain', finding.effects) : finding;
}

function create(reading: Reading, archive: string, folder: Word): Finding {
  const files = reading.operands.map((file) =>
    folder === undefined || file === undefined || file.startsWith('/') ? file : `${folder}/${file}`,
  );
  const effects = [...readsTrees(files), ...pours(archive === '-' ? [] : [archive])];
  if (!isSettled(reading)) return notKnown('write', unsettled, defined(effects));
  // To some tars `@x` is what is in the archive x.
  if (reading.operands.some((file) => file?.startsWith('@'))) {
    return notKnown('write', 'it takes its files out of another archive', defined(effects));
  }
  return does(archive === '-' ? 'read-only' : 'write', effects);
}

/** The archive is found with `.zip` too, and a pattern in its name is read by `unzip` itself. */
const unzip = byOptions(
  { flags: 'lvtpqZ1', values: 'xd' },
  (reading, { words }) => {
    const [archive] = reading.operands;
    const looks = has(reading, 'l', 'v', 't', 'p', 'Z');
    // Before the archive `-x` has no value.
    const early = words.findIndex((word) => word !== undefined && /^-\w*x/.test(word));
    const late = early === -1 || words.indexOf(archive) < early;
    if (archive === undefined || !late || /[*?[\\]/.test(archive))
      return notKnown('write', 'which archive it means is not certain');
    const opened = reads([archive, `${archive}.zip`]);
    if (looks && !has(reading, 'd')) return does('read-only', opened);
    const into = writes([valuesOf(reading, 'd')[0] ?? '.']);
    return notKnown('write', 'where it puts its files is named in the archive', defined([...opened, ...into]));
  },
  (why, words) => notKnown('write', why, defined(readsFiles(likelyPaths(words)))),
);

export const archivePrograms: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  ['unzip', unzip],
  ['zip', refused('write', 'what it packs and removes is not known')],
]);
