/** Programs that make, change and remove files. */
import { resolve } from 'node:path/posix';
import type { Effect } from '@tau/core';
import type { Finding, Judge, ShellFacts, Word } from '../invocation.ts';
import { defined, does, likelyPaths, notKnown, pours, reads, readsFiles, writes } from './findings.ts';
import { asksForHelp, byOptions, changer, isSettled, refused, type Told, unsettled } from './judges.ts';
import { has, type OptionTable, type Reading, valuesOf } from './options.ts';

/** Says what is done only where it is certain which words are files. */
function settled(told: Told): Told {
  return (reading, ...others) => {
    const finding = told(reading, ...others);
    return isSettled(reading) ? finding : { ...finding, known: false, why: unsettled };
  };
}

const touch = changer(
  { flags: 'acfhm', values: 'dtr', long: 'no-create no-dereference', longValues: 'date reference time' },
  settled((reading) =>
    does('write', [...readsFiles(valuesOf(reading, 'r', 'reference')), ...writes(reading.operands)]),
  ),
);

const mkdir = changer(
  { flags: 'pv', values: 'm', long: 'parents verbose', longValues: 'mode' },
  settled(({ operands }) => does('write', writes(operands))),
);

const rmdir = changer(
  { flags: 'pv', long: 'parents verbose ignore-fail-on-non-empty' },
  settled((reading) => {
    const folders = has(reading, 'p', 'parents') ? reading.operands.flatMap(withParents) : reading.operands;
    return does('write', writes(folders, 'file'));
  }),
);

/** `a/b/c`, `a/b`, `a`. */
function withParents(path: Word): Word[] {
  if (path === undefined) return [path];
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/')).filter((one) => one !== '');
}

const rmTable: OptionTable = {
  flags: 'fiIrRdv',
  long: 'force recursive dir verbose one-file-system preserve-root no-preserve-root',
  longAttached: 'interactive',
};

const rmKnown = byOptions(
  rmTable,
  settled((reading) => {
    const tree = has(reading, 'r', 'R', 'recursive');
    return withNoRoot(does('write', writes(reading.operands, tree ? 'tree' : 'file')), reading);
  }),
  (why, words) => {
    const tree = words.some((word) => word === undefined || /^-.*r/i.test(word));
    return notKnown('write', why, defined(writes(likelyPaths(words), tree ? 'tree' : 'file')));
  },
);

/** Many a disk was emptied by a variable that was empty itself. What `find` puts in, it has found. */
const rm: Judge = (invocation, facts) => {
  const finding = rmKnown(invocation, facts);
  const { words, open, through, folders } = invocation;
  const nowhere = folders === undefined && words.slice(1).some((word) => word !== undefined && /^[^-/]/.test(word));
  const hidden = (open || nowhere || words.includes(undefined)) && through.at(-1) !== 'find';
  const tree = words.some((word) => word !== undefined && /^-(?!-).*[rR]|^--r/.test(word));
  return hidden && tree ? { ...finding, danger: 'it removes folders that are known only when it runs' } : finding;
};

function withNoRoot(finding: Finding, reading: Reading): Finding {
  if (!has(reading, 'no-preserve-root')) return finding;
  return { ...finding, danger: 'it gives up the protection of the root folder' };
}

const tee = changer({ flags: 'aip', long: 'append ignore-interrupts', longAttached: 'output-error' }, ({ rest }) =>
  does(pours(rest).length === 0 ? 'read-only' : 'write', pours(rest)),
);

const truncate = changer(
  { flags: 'co', values: 'sr', long: 'no-create io-blocks', longValues: 'size reference' },
  settled((reading) =>
    does('write', [...readsFiles(valuesOf(reading, 'r', 'reference')), ...writes(reading.operands)]),
  ),
);

const modeTable: OptionTable = {
  flags: 'cfvR',
  long: 'changes silent quiet verbose recursive preserve-root',
  old: /^-[rwxXstugoa,=+-]+$/,
};

/** The mode comes first, unless it looks like an option: `chmod -x file`. */
const chmod = changer(
  modeTable,
  settled((reading, _invocation, facts) => {
    const option = reading.options.find(({ name }) => name.startsWith('-'))?.name;
    const mode = option ?? reading.operands[0];
    const files = option === undefined ? reading.operands.slice(1) : reading.operands;
    const finding = withVast(does('write', writes(files)), reading, files, facts);
    if (mode === undefined) return { ...finding, known: false, why: 'the mode is known only when it runs' };
    return lendsRights(mode)
      ? { ...finding, danger: 'it lets others run the file with the rights of its owner' }
      : finding;
  }),
);

/** Sets the bits that make a program run as its owner or group. */
export function lendsRights(mode: string): boolean {
  return /^[+=]?0*[2-7][0-7]{3}$/.test(mode) || /[+=][rwxXtugo]*s/.test(mode);
}

/** `-L` follows links out of the folder. */
const chown = changer(
  {
    flags: 'cfvhRHP',
    long: 'changes silent quiet verbose no-dereference dereference recursive preserve-root',
  },
  settled((reading, _invocation, facts) => {
    const [owner, ...files] = reading.operands;
    return withVast(does('write', owner === undefined ? [owner] : writes(files)), reading, files, facts);
  }),
);

/** The rights of a whole home or system were set one by one, and nobody remembers them. */
function withVast(finding: Finding, reading: Reading, files: readonly Word[], { home }: ShellFacts): Finding {
  const system = /^\/(usr|etc|var|bin|sbin|lib\w*|opt|boot|root)?$/;
  const vast = files.some((file) => {
    const path = resolve('/', file?.startsWith('/') ? file : '/-');
    return system.test(path) || path === home || home.startsWith(`${path}/`);
  });
  return vast && has(reading, 'R', 'recursive')
    ? { ...finding, danger: 'it changes who may do what in a whole system or home' }
    : finding;
}

const ddWords: ReadonlySet<string> = new Set('bs ibs obs cbs count skip seek conv status iflag oflag'.split(' '));

const dd: Judge = (invocation) => {
  if (asksForHelp(invocation)) return does('read-only', []);
  const effects: (Effect | undefined)[] = [];
  let why = invocation.open ? 'it gets more words when it runs' : undefined;
  for (const word of invocation.words.slice(1)) {
    const [, name = '', value = ''] = /^([a-z]+)=(.*)$/s.exec(word ?? '') ?? [];
    if (name === 'if') effects.push(...reads([value]));
    else if (name === 'of') effects.push(...pours([value]));
    else if (!ddWords.has(name)) why = 'one of its words is not understood';
  }
  const kind = effects.some((effect) => effect?.kind === 'write') ? 'write' : 'read-only';
  return why === undefined ? does(kind, effects) : notKnown('write', why, defined(effects));
};

const shred: Judge = ({ words }) => ({
  ...notKnown('write', 'it overwrites what it is given', defined(writes(likelyPaths(words.slice(1)), 'file'))),
  danger: 'it overwrites files so that nothing can bring them back',
});

const editor = refused('unknown', 'an editor can start other programs');
const pager = refused('unknown', 'a pager can start other programs');
const parts = refused('write', 'it makes as many files as it likes');

export const filePrograms: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['touch', touch],
  ['mkdir', mkdir],
  ['rmdir', rmdir],
  ['rm', rm],
  [
    'unlink',
    changer(
      {},
      settled(({ operands }) => does('write', writes(operands, 'file'))),
    ),
  ],
  ['tee', tee],
  ['truncate', truncate],
  ['chmod', chmod],
  ['chown', chown],
  ['chgrp', chown],
  ['dd', dd],
  ['shred', shred],
  ['srm', shred],
  ['split', parts],
  ['csplit', parts],
  ['patch', refused('write', 'what it changes is named in the patch')],
  ['mktemp', refused('write', 'the name of what it makes is known only when it runs')],
  ...['less', 'more', 'most'].map((name) => [name, pager] as const),
  ...['ed', 'ex', 'vi', 'vim', 'nvim', 'view', 'nano', 'emacs'].map((name) => [name, editor] as const),
]);
