/** Programs that run the program they are given, each with what is known of its options. */
import type { Effect } from '@tau/core';
import type { Invocation, Word } from '../invocation.ts';
import { type Leading, readLeading, type Shape } from './leading.ts';
import { type Arg, literal } from './words.ts';

/** What is left when a wrapper is taken off. */
export interface Peeled {
  /** What it runs; absent when these words run nothing else. */
  inner?: readonly Arg[];
  /** What it has a shell run. */
  line?: Word;
  /** It has a shell run something, and nobody knows what. */
  hidden?: boolean;
  /** The shell does it, so that what it runs is still the shell's to find. */
  builtin?: boolean;
  /** It adds words that nobody knows yet. */
  open?: boolean;
  assigns?: Invocation['assigns'];
  /** Where it goes first. */
  folder?: { path: Word };
  effects?: readonly Effect[];
  why?: string | undefined;
  danger?: string;
}

type Peel = (args: readonly Arg[]) => Peeled;

const otherUser = 'it runs with the rights of another user';

function simple(shape: Shape, operands = 0): Peel {
  return (args) => {
    const { at, why } = readLeading(args, shape);
    return { inner: args.slice(at + operands), why };
  };
}

/** Not understood, whatever its words are; but what it may run is still to be found. */
function opaque(why: string, shape: Shape = {}, operands = 0): Peel {
  return (args) => ({ inner: args.slice(readLeading(args, shape).at + operands), why });
}

const asOther =
  (shape: Shape): Peel =>
  (args) => {
    const { at } = readLeading(args, shape);
    return { ...withAssigns(args.slice(at)), danger: otherUser };
  };

function env(args: readonly Arg[]): Peeled {
  const leading = readLeading(args, {
    flags: 'v0i',
    values: 'uCS',
    long: 'debug null ignore-environment',
    longValues: 'unset chdir split-string',
  });
  const rest = args.slice(args[leading.at]?.value === '-' ? leading.at + 1 : leading.at);
  const line = optionValue(leading, 'S', 'split-string');
  if (line !== undefined)
    return {
      line: line.value,
      hidden: line.value === undefined,
      inner: rest,
      why: 'env takes a text apart in its own way',
    };
  const folder = optionValue(leading, 'C', 'chdir');
  const peeled = withAssigns(rest);
  const takesAway = hasOption(leading, 'i', 'ignore-environment', 'u', 'unset') || args[leading.at]?.value === '-';
  const prints = peeled.inner?.length === 0 ? 'it prints the environment, which may hold secrets' : undefined;
  return {
    ...peeled,
    ...(folder !== undefined && { folder: { path: folder.value } }),
    why: leading.why ?? peeled.why ?? prints ?? (takesAway ? 'it takes variables away' : undefined),
  };
}

/** `NAME=value` before the program. */
function withAssigns(args: readonly Arg[]): Peeled {
  const assigns: { name: string; value: Word }[] = [];
  for (const [index, { value: word }] of args.entries()) {
    const found = word === undefined ? undefined : /^([^=]*)=(.*)$/s.exec(word);
    if (word === undefined)
      return { inner: args.slice(index), assigns, why: 'what it runs is known only when it runs' };
    if (!found) return { inner: args.slice(index), assigns };
    assigns.push({ name: found[1] ?? '', value: found[2] });
  }
  return { inner: [], assigns };
}

function xargs(args: readonly Arg[]): Peeled {
  const leading = readLeading(args, {
    flags: '0rtx',
    values: 'nLPIdsE',
    long: 'null no-run-if-empty verbose exit',
    longValues: 'max-args max-procs delimiter max-chars',
  });
  const mark = optionValue(leading, 'I')?.value;
  const given = args.slice(leading.at);
  const inner = given.length > 0 ? given : [{ ...literal('echo'), plain: true }];
  if (mark === undefined || mark === '') return { inner, open: true, why: leading.why };
  return { inner: inner.map((arg) => withHole(arg, mark)), why: leading.why };
}

/** A word that something is put into when it runs. */
export function withHole(arg: Arg, mark: string): Arg {
  return arg.value?.includes(mark) ? { ...arg, value: undefined } : arg;
}

function command(args: readonly Arg[]): Peeled {
  const leading = readLeading(args, { flags: 'pvV' });
  // `command -v` only says where a program is.
  if (hasOption(leading, 'v', 'V')) return {};
  return { inner: args.slice(leading.at), builtin: true, why: leading.why };
}

function flock(args: readonly Arg[]): Peeled {
  const leading = readLeading(args, {
    flags: 'esxnuoF',
    values: 'wE',
    long: 'shared exclusive nonblock nb unlock close no-fork',
    longValues: 'timeout wait conflict-exit-code',
  });
  const [file, next, line] = args.slice(leading.at);
  const path = file?.value;
  const effects: Effect[] = path === undefined || /^\d+$/.test(path) ? [] : [{ kind: 'write', path }];
  const why = leading.why ?? (path === undefined ? 'which file it locks is known only when it runs' : undefined);
  const isLine = next?.value === '-c' || next?.value === '--command';
  return isLine
    ? { line: line?.value, hidden: line?.value === undefined, effects, why }
    : { inner: args.slice(leading.at + 1), effects, why };
}

/** `su -c` and `script -qc` have a shell run a line. */
function lineAfter(args: readonly Arg[]): Peeled {
  const at = args.findIndex(({ value }) => value === '--command' || /^-[a-z]*c$/.test(value ?? ''));
  const attached = args.find(({ value }) => value?.startsWith('--command='))?.value;
  const line = at < 0 ? attached?.slice('--command='.length) : args[at + 1]?.value;
  return { line, hidden: line === undefined && args.some(({ value }) => value === undefined) };
}

/** Some take the command after the file. */
function script(args: readonly Arg[]): Peeled {
  const peeled = lineAfter(args);
  const { at } = readLeading(args, { flags: 'aefqkr', values: 'cEoTImBOt' });
  const why = 'it records what runs in a file';
  return peeled.line === undefined ? { inner: args.slice(at + 1), why } : { ...peeled, why };
}

/** `-a` gives the program another name, and some programs do what they are called. */
function exec(args: readonly Arg[]): Peeled {
  const { at, why, options } = readLeading(args, { flags: 'cl', values: 'a' });
  return { inner: args.slice(at), why: why ?? (options.length > 0 ? 'it changes how a program is called' : undefined) };
}

function watch(args: readonly Arg[]): Peeled {
  const shape = { flags: 'bcdegtpx', values: 'n', longValues: 'interval' };
  const words = args.slice(readLeading(args, shape).at).map(({ value }) => value);
  const hidden = words.includes(undefined);
  return { line: hidden ? undefined : words.join(' '), hidden, why: 'it goes on until it is stopped' };
}

function parallel(args: readonly Arg[]): Peeled {
  const { at } = readLeading(args, { flags: '0kqXm', values: 'jnINLSd', longValues: 'jobs' });
  const end = args.findIndex(({ value }) => value !== undefined && /^:::/.test(value));
  const inner = args.slice(at, end < 0 ? undefined : end).map((arg) => withHole(arg, '{'));
  const [only, more] = inner;
  const isLine = more === undefined && only?.value !== undefined && /\s/.test(only.value);
  if (isLine) return { line: only.value, why: 'it makes commands of what it reads' };
  return { inner, open: true, why: 'it makes commands of what it reads' };
}

function hasOption({ options }: Leading, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

function optionValue({ options }: Leading, ...names: readonly string[]): { value: Word } | undefined {
  return options.find(({ name }) => names.includes(name));
}

export const wrappers: ReadonlyMap<string, Peel> = new Map<string, Peel>([
  ['sudo', asOther({ flags: 'AbEeHiKklnPSsvV', values: 'CDghpRrTtUu', long: 'non-interactive', longValues: 'user' })],
  ['doas', asOther({ flags: 'Lns', values: 'Cu' })],
  ['pkexec', asOther({ longValues: 'user' })],
  ['su', (args) => ({ ...lineAfter(args), danger: otherUser })],
  ['env', env],
  ['command', command],
  ['builtin', (args) => ({ inner: args.slice(1), builtin: true })],
  ['exec', exec],
  ['nohup', simple({})],
  ['nice', nice],
  ['ionice', simple({ flags: 't', values: 'cn', long: 'ignore', longValues: 'class classdata' })],
  ['time', simple({ flags: 'pv', long: 'portability verbose' })],
  [
    'timeout',
    simple(
      { flags: 'v', values: 'ks', long: 'foreground preserve-status verbose', longValues: 'kill-after signal' },
      1,
    ),
  ],
  ['stdbuf', simple({ values: 'ioe', longValues: 'input output error' })],
  ['setsid', simple({ flags: 'w', long: 'wait' })],
  ['chrt', opaque('it changes how programs are scheduled', { flags: 'abdfior', values: 'TPD' }, 1)],
  ['taskset', simple({ flags: 'c', long: 'cpu-list' }, 1)],
  ['xargs', xargs],
  ['flock', flock],
  ['watch', watch],
  ['parallel', parallel],
  ['script', script],
  ['busybox', opaque('it is many programs in one')],
  ['toybox', opaque('it is many programs in one')],
  ['unshare', opaque('it runs programs in another world', { flags: 'mnpuirfCUT' })],
  [
    'nsenter',
    opaque('it runs programs in another world', {
      flags: 'amnpuirCUTF',
      values: 'tSGw',
      longValues: 'target setuid setgid',
    }),
  ],
  ['chroot', opaque('it runs programs in another world', {}, 1)],
  ['strace', opaque('it looks into programs', { flags: 'fqtyTvxc', values: 'eopsu' })],
]);

/** `nice -5` is an old form of `nice -n 5`. */
function nice(args: readonly Arg[]): Peeled {
  const old = /^-\d+$/.test(args[1]?.value ?? '') ? args.filter((_, index) => index !== 1) : args;
  return simple({ values: 'n', longValues: 'adjustment' })(old);
}
