/** Programs that look at folders, and at what files are rather than at what is in them. */
import type { Judge } from '../invocation.ts';
import { does, notKnown, reads, readsFiles } from './findings.ts';
import { looker, type Told } from './judges.ts';
import { has, type OptionTable, valuesOf } from './options.ts';

const followsLinks = 'it follows links out of the folder';

const lsTable: OptionTable = {
  flags: 'aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1',
  numbers: 'wT',
  long:
    'all almost-all author escape ignore-backups directory dired file-type full-time group-directories-first no-group ' +
    'human-readable si dereference-command-line dereference-command-line-symlink-to-dir inode kibibytes dereference ' +
    'numeric-uid-gid literal hide-control-chars show-control-chars quote-name reverse recursive size context zero',
  longNumbers: 'tabsize width',
  longValues: 'block-size format hide indicator-style ignore quoting-style sort time time-style',
  longAttached: 'color classify hyperlink',
};

const ls = looker(lsTable, (reading) =>
  has(reading, 'R', 'recursive') && has(reading, 'L', 'dereference')
    ? notKnown('unknown', followsLinks, [{ kind: 'read', path: '.' }])
    : folders(reading),
);

/**
 * `-o` writes a file, `-R` starts tree again with it, `-l` follows links, `--fromfile` and `--info` read other files. What
 * is written onto `-P` and `-I` are more letters to it.
 */
const tree = looker(
  {
    flags: 'adfishpugDFnCxqNASvtcrUJX',
    numbers: 'L',
    values: 'PI',
    long: 'dirsfirst filesfirst noreport du si prune inodes device matchdirs ignore-case gitignore',
    longNumbers: 'filelimit',
    longValues: 'charset sort timefmt',
  },
  (reading, { words }) =>
    words.some((word) => word !== undefined && /^-[A-Za-z]*[PI]./.test(word))
      ? notKnown('unknown', 'its options are joined', [{ kind: 'read', path: '.' }])
      : folders(reading),
);

/** `-L` follows links, `-X` and `--files0-from` read other files. */
const du = looker(
  {
    flags: '0abcDhHklmPsSx',
    numbers: 'dtB',
    long:
      'null all apparent-size bytes total dereference-args human-readable inodes count-links no-dereference separate-dirs ' +
      'si summarize one-file-system',
    longNumbers: 'max-depth threshold block-size',
    longValues: 'exclude time-style',
    longAttached: 'time',
  },
  folders,
);

const df = looker(
  {
    flags: 'ahHiklPTv',
    numbers: 'B',
    values: 'tx',
    long: 'all human-readable si inodes local no-sync portability total print-type',
    longNumbers: 'block-size',
    longValues: 'type exclude-type',
    longAttached: 'output',
  },
  ({ rest }) => does('read-only', readsFiles(rest)),
);

const stat = looker(
  {
    flags: 'Lft',
    values: 'c',
    long: 'dereference file-system terse',
    longValues: 'format printf cached',
  },
  ({ rest }) => does('read-only', reads(rest)),
);

/** `-z` starts programs, `-C` writes, `-p` sets times, `-f` reads names from a file, `-m` reads other rules. */
const file = looker(
  {
    flags: 'bhikILNnr0E',
    values: 'eF',
    long: 'brief mime mime-type mime-encoding extension keep-going dereference no-dereference no-buffer no-pad print0 raw apple',
    longValues: 'exclude exclude-quiet separator',
  },
  ({ rest }) => does('read-only', reads(rest)),
);

const readlink = looker(
  {
    flags: 'femnqsvz',
    long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
  },
  ({ rest }) => does('read-only', readsFiles(rest)),
);

const realpath = looker(
  {
    flags: 'emLPqsz',
    long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero',
    longValues: 'relative-to relative-base',
  },
  (reading) => does('read-only', readsFiles([...reading.rest, ...valuesOf(reading, 'relative-to', 'relative-base')])),
);

export const listingPrograms: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['ls', ls],
  ['dir', ls],
  ['vdir', ls],
  ['tree', tree],
  ['du', du],
  ['df', df],
  ['stat', stat],
  ['file', file],
  ['readlink', readlink],
  ['realpath', realpath],
]);

/** Without operands they look at the folder they are in. A dash is a file here. */
function folders({ rest }: Parameters<Told>[0]): ReturnType<Told> {
  return does('read-only', readsFiles(rest.length === 0 ? ['.'] : rest));
}
