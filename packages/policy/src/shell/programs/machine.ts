/** Programs that tell something about the machine, the user or the time. */
import type { Judge, Word } from '../invocation.ts';
import { does, looksAt, notKnown, readsFiles } from './findings.ts';
import { looker, refused, silent, type Told } from './judges.ts';
import { type OptionTable, valuesOf } from './options.ts';

/** Operands could set what is only to be shown. */
function alone(table: OptionTable): Judge {
  return operandsLike(table, () => false);
}

function operandsLike(table: OptionTable, fits: (word: string) => boolean): Judge {
  const told: Told = ({ rest }) =>
    rest.every((word) => word !== undefined && fits(word))
      ? looksAt([])
      : notKnown('unknown', 'one of its words is not understood');
  return looker(table, told);
}

const number = (word: string) => /^[+-]?[0-9]*\.?[0-9]+$/.test(word);
const duration = (word: string) => /^[0-9]*\.?[0-9]+[smhd]?$/.test(word);

/** A date as an operand sets the clock, unless it is a format. `-f` reads dates from a file. */
const date = looker(
  {
    flags: 'uRj',
    values: 'dr',
    attached: 'I',
    long: 'utc universal rfc-email debug resolution',
    longValues: 'date rfc-3339 reference',
    longAttached: 'iso-8601',
  },
  (reading) => {
    const { rest } = reading;
    if (rest.length > 1 || !rest.every((word) => word?.startsWith('+'))) {
      return notKnown('unknown', 'a date that is no format sets the clock');
    }
    return does('read-only', readsFiles(valuesOf(reading, 'r', 'reference')));
  },
);

/** Variables that are no secret. All the others may be. */
const harmless: ReadonlySet<Word> = new Set(
  'HOME PATH PWD OLDPWD SHELL USER LOGNAME LANG LC_ALL TERM TMPDIR TZ EDITOR CI NODE_ENV'.split(' '),
);

const printenv = looker({ flags: '0', long: 'null' }, ({ rest }) =>
  rest.length > 0 && rest.every((word) => harmless.has(word))
    ? looksAt([])
    : notKnown('unknown', 'the environment may hold secrets'),
);

export const machinePrograms: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['sleep', operandsLike({}, duration)],
  [
    'seq',
    operandsLike(
      {
        flags: 'w',
        values: 'fs',
        long: 'equal-width',
        longValues: 'format separator',
        old: /^-[0-9]*\.?[0-9]+$/,
      },
      number,
    ),
  ],
  ['date', date],
  ['cal', operandsLike({ flags: '13jmy' }, number)],
  [
    'uname',
    alone({
      flags: 'asnrvmpio',
      long: 'all kernel-name nodename kernel-release kernel-version machine processor operating-system',
    }),
  ],
  ['arch', alone({})],
  ['nproc', alone({ long: 'all', longNumbers: 'ignore' })],
  // Everything but the plain name asks the network for it.
  ['hostname', alone({ flags: 's', long: 'short' })],
  ['whoami', alone({})],
  ['logname', alone({})],
  ['id', silent({ flags: 'ugGnrz', long: 'user group groups name real zero' })],
  ['groups', silent({})],
  ['users', alone({})],
  ['tty', alone({ flags: 's', long: 'silent quiet' })],
  ['uptime', alone({ flags: 'ps', long: 'pretty since' })],
  ['free', alone({ flags: 'bkmghtwl', long: 'bytes kibi mebi gibi human total wide lohi si' })],
  // `-m` has others unpack the lists it looks at.
  ['locale', silent({ flags: 'ack', long: 'all-locales category-name keyword-name' })],
  // `-v` starts another getconf.
  ['getconf', operandsLike({ flags: 'a' }, (word) => /^[A-Z_0-9]+$/i.test(word))],
  ['printenv', printenv],
  ['sync', alone({})],
  ['yes', refused('unknown', 'it never ends')],
]);
