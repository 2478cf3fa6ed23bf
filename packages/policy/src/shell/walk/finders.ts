/** Programs that look for files and run others on them: `find -exec`, `fd -x`. */
import { type Call, program } from './calls.ts';
import type { Spot, Walk } from './state.ts';
import type { Arg } from './words.ts';
import { withHole } from './wrappers.ts';

/** One command that is run on what was found. */
export interface Clause {
  args: readonly Arg[];
  open: boolean;
  /** Runs in the folder of each file. */
  elsewhere: boolean;
  /** The same with what stands for all files that may be found, when that is certain: the folders searched. */
  covered?: readonly Arg[];
}

export function isFinder(name: string): boolean {
  return name === 'find' || name === 'fd' || name === 'fdfind';
}

/** States what the search itself does, and answers with what it runs. */
export function search(call: Call, name: string, spot: Spot, walk: Walk): Clause[] {
  return name === 'find' ? findClauses(call, spot, walk) : fdClauses(call, spot, walk);
}

function findClauses(call: Call, spot: Spot, walk: Walk): Clause[] {
  const { args } = call;
  const rest: Arg[] = [];
  const clauses: Clause[] = [];
  const starts = startsOf(args);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    if (at === 0 || !/^-(exec|ok)(dir)?$/.test(arg.value ?? '')) {
      rest.push(arg);
      continue;
    }
    const end = endOf(args, at + 1);
    const inner = args.slice(at + 1, end);
    // Like a test that is passed by all: what else the search does is not changed by it.
    rest.push({ ...arg, value: '-print', plain: true });
    const many = args[end]?.value === '+';
    const covered = starts === undefined || arg.value?.endsWith('dir') ? undefined : covering(inner, starts, many);
    clauses.push({
      args: inner.map((one) => withHole(one, '{}')),
      open: many,
      elsewhere: arg.value?.endsWith('dir') === true,
      ...(covered !== undefined && { covered }),
    });
    at = end;
  }
  program(call, spot, walk, { args: rest, open: call.open });
  return clauses;
}

function endOf(args: readonly Arg[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const word = args[at]?.value;
    if (word === ';' || (word === '+' && args[at - 1]?.value === '{}')) return at;
  }
  return args.length;
}

/**
 * Where the search begins, if whatever it finds is a plain file below: then each file has a name that begins with one
 * of these, and is covered by reading them. Links that are found lead elsewhere.
 */
function startsOf(args: readonly Arg[]): readonly string[] | undefined {
  const words = args.slice(1).map(({ value }) => value);
  const first = words.findIndex((word) => word === undefined || /^[-(!,]/.test(word));
  const starts = first < 0 ? words : words.slice(0, first);
  const tests = first < 0 ? [] : words.slice(first);
  const loose = /^(-o|-or|-a?not|!|,|\(|\)|-L|-H|-P|-O.*|-follow|-files0-from|-[xX]type)$/;
  const types = tests.flatMap((test, at) => (test === '-type' ? [tests[at + 1]] : []));
  if (types.length !== 1 || types[0] !== 'f' || tests.indexOf('-type') > tests.findIndex(isExec)) return undefined;
  if (tests.some((test) => test === undefined || loose.test(test))) return undefined;
  const known = starts.filter((start): start is string => start !== undefined);
  return known.length === 0 ? ['.'] : known;
}

function isExec(word: string | undefined): boolean {
  return word !== undefined && /^-(exec|ok)/.test(word);
}

/** With `many` it gets several files at once, and to some programs the second is one to write. */
function covering(inner: readonly Arg[], starts: readonly string[], many: boolean): Arg[] | undefined {
  if (inner[0]?.value?.includes('{}') !== false) return undefined;
  if (inner.some(({ value }) => value !== undefined && value !== '{}' && value.includes('{}'))) return undefined;
  return inner.flatMap((arg) =>
    arg.value === '{}'
      ? (many ? [...starts, ...starts] : starts).map((value) => ({
          ...arg,
          value: `./${value}`.replace(/^\.\/(\/|\.\/|\.$)/, '$1'),
        }))
      : [arg],
  );
}

function fdClauses(call: Call, spot: Spot, walk: Walk): Clause[] {
  program(call, spot, walk);
  const { args } = call;
  const clauses: Clause[] = [];
  for (let at = 1; at < args.length; at++) {
    if (!/^(-x|-X|--exec|--exec-batch)$/.test(args[at]?.value ?? '')) continue;
    const stop = args.findIndex(({ value }, index) => index > at && value === ';');
    const end = stop < 0 ? args.length : stop;
    clauses.push({ args: args.slice(at + 1, end).map((one) => withHole(one, '{')), open: true, elsewhere: false });
    at = end;
  }
  return clauses;
}
