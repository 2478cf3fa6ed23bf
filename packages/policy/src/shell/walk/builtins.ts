/** What the shell does itself: going elsewhere, setting variables and options, ending things. */
import { type Call, program, wordsOf, wrapperPart } from './calls.ts';
import { changed, type Folders, merge } from './folders.ts';
import { doubt, type Flow, type Spot, stay, type Walk } from './state.ts';
import { isOwnName } from './variables.ts';
import { type Arg, isHidden } from './words.ts';

type Builtin = (call: Call, spot: Spot, walk: Walk) => Flow;

const steps = new Set(['exit', 'return', 'break', 'continue', 'shift', 'logout']);

/** Undefined when the shell looks for a program of that name. */
export function builtinFor(name: string): Builtin | undefined {
  if (steps.has(name)) return step;
  return builtins.get(name);
}

/** A part that does nothing outside the shell. A word that makes no sense to it is printed. */
function quiet(call: Call, spot: Spot, walk: Walk): void {
  const why = call.args.some(isHidden)
    ? 'a word that it complains about may be a secret of the environment'
    : undefined;
  wrapperPart(call, { ...spot, assigns: withoutSplitting(spot) }, walk, { builtin: true, starts: false, why });
}

/** How a line is split matters only to what `read` makes of it. */
function withoutSplitting({ assigns }: Spot): Spot['assigns'] {
  return assigns.filter(({ name }) => name !== 'IFS');
}

function step(call: Call, spot: Spot, walk: Walk): Flow {
  quiet(call, spot, walk);
  // With one word or none it ends the shell; with more it only complains.
  if (call.args[0]?.value === 'exit' && call.args.length < 3 && !call.open) return { ok: [], fail: [] };
  walk.escapes = merge(walk.escapes, spot.folders);
  return stay(spot);
}

/** `cd`, and `pushd` with a folder. */
function goTo(call: Call, spot: Spot, walk: Walk): Flow {
  quiet(call, spot, walk);
  const words = wordsOf(call.args.slice(1));
  let physical = false;
  while (words[0] !== undefined && /^-(P|L|e|@|Pe|-)$/.test(words[0])) {
    const option = words.shift();
    if (option === '--') break;
    // Of two that contradict each other the last one counts.
    if (option !== '-e' && option !== '-@') physical = option !== '-L';
  }
  const [target] = words;
  const isCd = call.args[0]?.value === 'cd';
  const clear = !call.open && words.length < 2 && !(target !== undefined && /^[-+]/.test(target));
  if (clear && words.length === 0) {
    const home = isCd && walk.mentions('HOME') === 0 ? [walk.facts.home] : undefined;
    return { ok: home, fail: spot.folders };
  }
  const folders: Folders = clear && walk.mentions('CDPATH') === 0 ? changed(spot.folders, target, physical) : undefined;
  return { ok: folders, fail: spot.folders };
}

function goBack(call: Call, spot: Spot, walk: Walk): Flow {
  quiet(call, spot, walk);
  return { ok: undefined, fail: spot.folders };
}

/** Sets what later commands may look at. */
function sets(call: Call, spot: Spot, walk: Walk): Flow {
  quiet(call, spot, walk);
  const names = wordsOf(call.args.slice(1)).filter((word) => word === undefined || !/^[-+]/.test(word));
  const name = names[0]?.split('=', 1)[0];
  doubt(walk, `it changes what later commands do (${[call.args[0]?.value, name].filter(Boolean).join(' ')})`);
  if (call.args[0]?.value === 'alias') for (const word of names) walk.functions.add(word?.split('=', 1)[0] ?? '');
  return stay(spot);
}

function setOptions(call: Call, spot: Spot, walk: Walk): Flow {
  quiet(call, spot, walk);
  const words = wordsOf(call.args.slice(1));
  const option = /^(pipefail|errexit|nounset|verbose)$/;
  // With `-x` everything is printed, with the variables filled in.
  const fine = words.every((word, at) => {
    if (word === undefined) return false;
    return /^(-[euvo]+|\+[euxvo]+)$/.test(word) || (option.test(word) && /^[-+][euxv]*o$/.test(words[at - 1] ?? ''));
  });
  if (!fine || call.open || words.length === 0) doubt(walk, 'it changes what later commands do (set)');
  return stay(spot);
}

/** `read`: into variables of the line's own it is harmless. */
function reads(call: Call, spot: Spot, walk: Walk): Flow {
  quiet(call, spot, walk);
  const names = namesRead(call.args.slice(1));
  if (call.open || names === undefined || !names.every((name) => isOwnName(name))) {
    doubt(walk, 'it changes what later commands do (read)');
  }
  for (const name of names ?? []) {
    walk.texts.add(name);
    walk.patterned.add(name);
    walk.assigned.add(name);
  }
  return stay(spot);
}

function namesRead(args: readonly Arg[]): string[] | undefined {
  const names: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const { value: word, plain } = args[at] ?? {};
    if (word === undefined) return undefined;
    if (/^-[rs]+$/.test(word)) continue;
    if (/^-[rs]*[dnNptu]$/.test(word)) at++;
    else if (/^-/.test(word) || !plain) return undefined;
    else names.push(word);
  }
  return names;
}

/** `printf -v` sets a variable; everything else that it does the table knows. */
function prints(call: Call, spot: Spot, walk: Walk): Flow {
  const [, first] = call.args;
  if (call.open || first?.value === undefined || first.value.startsWith('-v')) {
    doubt(walk, 'it changes what later commands do (printf)');
  }
  program(call, spot, walk);
  return stay(spot);
}

const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', goTo],
  ['pushd', goTo],
  ['popd', goBack],
  ['set', setOptions],
  ['read', reads],
  ['printf', prints],
  ...(
    'export declare readonly local typeset unset shopt alias unalias hash enable mapfile readarray getopts let bind ' +
    'complete compopt'
  )
    .split(' ')
    .map((name): [string, Builtin] => [name, sets]),
]);
