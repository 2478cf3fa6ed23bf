/** Programs that print what they are given, cut, joined, sorted or spelled in another way. */
import type { Finding, Judge, Word } from '../invocation.ts';
import { does, looksAt, notKnown, pours, reads } from './findings.ts';
import { isSettled, looker, reader, silent, unsettled } from './judges.ts';
import { has, type OptionTable, valuesOf } from './options.ts';

const count = /^-[0-9]+$/;

const base: OptionTable = { flags: 'diD', numbers: 'w', long: 'decode ignore-garbage', longNumbers: 'wrap' };

const sums: OptionTable = { flags: 'btz', long: 'binary text tag zero' };

/** Each reads its operands, or what comes in. */
const readers: readonly [names: string, table: OptionTable][] = [
  [
    'cat',
    {
      flags: 'AbeEnstTuv',
      long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
    },
  ],
  [
    'nl',
    {
      flags: 'p',
      numbers: 'ilvw',
      values: 'bdfhns',
      long: 'no-renumber',
      longNumbers: 'line-increment join-blank-lines starting-line-number number-width',
      longValues: 'body-numbering section-delimiter footer-numbering header-numbering number-format number-separator',
    },
  ],
  [
    'head',
    {
      flags: 'qvz',
      numbers: 'cn',
      long: 'quiet silent verbose zero-terminated',
      longNumbers: 'bytes lines',
      old: count,
    },
  ],
  // What `--files0-from` names, nobody knows.
  ['wc', { flags: 'clmwL', long: 'bytes chars lines max-line-length words', longValues: 'total' }],
  [
    'cut',
    {
      flags: 'nsz',
      values: 'bcdf',
      long: 'complement only-delimited zero-terminated',
      longValues: 'bytes characters delimiter fields output-delimiter',
    },
  ],
  ['paste', { flags: 'sz', values: 'd', long: 'serial zero-terminated', longValues: 'delimiters' }],
  ['fold', { flags: 'bs', numbers: 'w', long: 'bytes spaces', longNumbers: 'width', old: count }],
  ['fmt', { flags: 'csu', numbers: 'wg', long: 'crown-margin split-only uniform-spacing', longNumbers: 'width goal' }],
  [
    'column',
    {
      flags: 'txeLJd',
      numbers: 'cl',
      values: 'soNRHEOTW',
      long: 'table fillrows json keep-empty-lines table-noheadings table-header-repeat',
      longNumbers: 'output-width',
      longValues: 'separator output-separator table-columns table-right table-hide table-order table-name',
    },
  ],
  ['expand', { flags: 'i', values: 't', long: 'initial', longValues: 'tabs', old: count }],
  ['unexpand', { flags: 'a', values: 't', long: 'all first-only', longValues: 'tabs' }],
  ['rev', {}],
  [
    'od',
    {
      flags: 'abcdfilosvx',
      numbers: 'jN',
      values: 'At',
      long: 'output-duplicates',
      longNumbers: 'skip-bytes read-bytes',
      longValues: 'address-radix format endian',
    },
  ],
  // The formats that `-f` reads from a file are left out.
  [
    'hexdump hd',
    {
      flags: 'bcCdovx',
      numbers: 'ns',
      values: 'e',
      long: 'canonical no-squeezing one-byte-octal one-byte-char two-bytes-hex two-bytes-decimal two-bytes-octal',
      longNumbers: 'length skip',
    },
  ],
  // On macOS `-o` names a file to write.
  ['base64 base32', base],
  ['iconv', { flags: 'csl', values: 'ft', long: 'list silent', longValues: 'from-code to-code' }],
  // With `-c` they read the files that a file names.
  ['md5sum sha1sum sha224sum sha256sum sha384sum sha512sum', sums],
  ['b2sum', { ...sums, numbers: 'l', longNumbers: 'length' }],
  ['shasum', { flags: 'bt', numbers: 'a', long: 'binary text', longNumbers: 'algorithm' }],
  ['sum', { flags: 'rs', long: 'sysv' }],
  ['cksum', { flags: 'z', values: 'a', long: 'untagged zero', longValues: 'algorithm' }],
  [
    'comm',
    {
      flags: '123iz',
      long: 'check-order nocheck-order total zero-terminated',
      longValues: 'output-delimiter',
    },
  ],
  [
    'join',
    {
      flags: 'iz',
      numbers: 'aj12v',
      values: 'eot',
      long: 'ignore-case check-order nocheck-order header zero-terminated',
    },
  ],
  [
    'cmp',
    {
      flags: 'bls',
      numbers: 'n',
      values: 'i',
      long: 'print-bytes quiet silent verbose',
      longNumbers: 'bytes',
      longValues: 'ignore-initial',
    },
  ],
];

/** Each works on what comes in, or on the words themselves. */
const filters: readonly [name: string, table: OptionTable][] = [
  ['tr', { flags: 'cCdstu', long: 'complement delete squeeze-repeats truncate-set1' }],
  [
    'numfmt',
    {
      flags: 'z',
      values: 'd',
      long: 'debug grouping zero-terminated',
      longNumbers: 'padding from-unit to-unit',
      longValues: 'delimiter field format from invalid round suffix to',
      longAttached: 'header',
    },
  ],
  ['basename', { flags: 'az', values: 's', long: 'multiple zero', longValues: 'suffix' }],
  ['dirname', { flags: 'z', long: 'zero' }],
];

const tail = looker(
  { flags: 'qvz', numbers: 'cn', long: 'quiet silent verbose zero-terminated', longNumbers: 'bytes lines', old: count },
  ({ rest }) => {
    // `+5f` is an old way to say `-n +5 -f`.
    const follows = rest.some((word) => word !== undefined && /^\+[0-9]+.*[fF]/.test(word));
    return follows ? notKnown('unknown', 'it may follow the file and never end', readsOf(rest)) : looksAt(rest);
  },
);

/** What comes in cannot be read backwards, so it is kept in a temporary file. */
const tac = looker({ flags: 'br', values: 's', long: 'before regex', longValues: 'separator' }, ({ rest }) => {
  const files = rest.filter((word) => word !== '-' && word !== '/dev/stdin');
  if (files.length === rest.length && rest.length > 0) return looksAt(rest);
  return notKnown('unknown', 'tac keeps what comes in in a temporary file', readsOf(files));
});

/**
 * `--compress-program` runs a program, `-T` writes elsewhere, `--files0-from` reads what nobody knows. With little room,
 * or with more files to merge than it opens at once, it keeps some of it in temporary files.
 */
const sort = looker(
  {
    flags: 'bdfgiMhnRrVcCmsuz',
    numbers: 'S',
    values: 'kto',
    long:
      'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort ' +
      'human-numeric-sort numeric-sort random-sort reverse version-sort debug merge stable unique zero-terminated',
    longNumbers: 'batch-size buffer-size parallel',
    longValues: 'sort key field-separator output',
    longAttached: 'check',
  },
  (reading) => {
    const into = valuesOf(reading, 'o', 'output');
    const found = into.length === 0 ? looksAt(reading.operands) : filesInto(reading.operands, into);
    if (!has(reading, 'm', 'merge', 'S', 'buffer-size', 'batch-size')) return found;
    const kind = into.length === 0 ? 'unknown' : 'write';
    return notKnown(kind, 'sort may keep some of it in temporary files', found.effects);
  },
);

const shuf = looker(
  {
    flags: 'erz',
    numbers: 'n',
    values: 'io',
    long: 'echo repeat zero-terminated',
    longNumbers: 'head-count',
    longValues: 'input-range output',
  },
  (reading) => {
    if (has(reading, 'r', 'repeat') && !has(reading, 'n', 'head-count')) return notKnown('unknown', 'it never ends');
    const files = has(reading, 'e', 'echo') ? [] : reading.operands;
    const into = valuesOf(reading, 'o', 'output');
    return into.length === 0 ? looksAt(files) : filesInto(files, into);
  },
);

/** The second operand is written. */
const uniq = looker(
  {
    flags: 'cdDiuz',
    numbers: 'fsw',
    long: 'count repeated ignore-case unique zero-terminated',
    longNumbers: 'skip-fields skip-chars check-chars',
    longAttached: 'all-repeated group',
  },
  (reading) => {
    const [from, ...into] = reading.operands;
    if (!isSettled(reading)) return notKnown('write', unsettled, readsOf(reading.rest));
    if (into.length > 1) return notKnown('write', 'it has more than two files');
    const source = reading.operands.length === 0 ? [] : [from];
    return into.length === 0 || into[0] === '-' ? looksAt(source) : filesInto(source, into);
  },
);

/** The second operand is written. */
const xxd = looker({ flags: 'abCEeiudpr', numbers: 'cglos', old: /^-(ps|plain)$/ }, (reading, { words }) => {
  const [from, ...into] = reading.operands;
  // Of joined letters it sees the first alone, so that what follows is no value but a file.
  if (words.some((word) => word !== undefined && /^-[a-zA-Z]{2}/.test(word) && !/^-(ps|plain)$/.test(word))) {
    return notKnown('write', 'its options are joined', readsOf(reading.rest));
  }
  if (!isSettled(reading)) return notKnown('write', unsettled, readsOf(reading.rest));
  if (into.length > 1) return notKnown('write', 'it has more than two files');
  const source = reading.operands.length === 0 ? [] : [from];
  return into.length === 0 || into[0] === '-' ? looksAt(source) : filesInto(source, into);
});

/** An operand `@file` stands for the words in that file. */
const strings = looker(
  {
    flags: 'adfow',
    numbers: 'n',
    values: 'te',
    long: 'all data print-file-name include-all-whitespace',
    longNumbers: 'bytes',
    longValues: 'radix encoding',
    old: count,
  },
  ({ rest }) =>
    rest.some((word) => word?.startsWith('@'))
      ? notKnown('unknown', 'it takes more options out of a file', readsOf(rest))
      : looksAt(rest),
);

export const textPrograms: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...readers.flatMap(([names, table]) => names.split(' ').map((name) => [name, reader(table)] as const)),
  ...filters.map(([name, table]) => [name, silent(table)] as const),
  ['tail', tail],
  ['tac', tac],
  ['sort', sort],
  ['shuf', shuf],
  ['uniq', uniq],
  ['xxd', xxd],
  ['strings', strings],
]);

function filesInto(from: readonly Word[], into: readonly Word[]): Finding {
  return does('write', [...reads(from), ...pours(into)]);
}

function readsOf(paths: readonly Word[]): Finding['effects'] {
  return looksAt(paths).effects;
}
