/** `sed`: a script over files, which may write them back. */
import type { Effect } from '@tau/core';
import type { Judge, Word } from '../../invocation.ts';
import { defined, does, notKnown, pours, reads, readsFiles, writes } from '../findings.ts';
import { isSettled, looker, unsettled } from '../judges.ts';
import { has, type Reading, valuesOf } from '../options.ts';
import { readSedScript } from './script.ts';

/** `-f` reads the script from a file. */
const sed = looker(
  {
    flags: 'nErsuz',
    numbers: 'l',
    values: 'e',
    attached: 'i',
    long: 'quiet silent regexp-extended separate unbuffered null-data debug posix sandbox',
    longNumbers: 'line-length',
    longValues: 'expression',
    longAttached: 'in-place',
  },
  (reading) => {
    const inPlace = has(reading, 'i', 'in-place');
    const given = valuesOf(reading, 'e', 'expression');
    const [first, ...others] = reading.operands;
    const script = given.length > 0 ? given.join('\n') : first;
    const files = given.length > 0 ? reading.operands : others;
    const touched = [...reads(files), ...(inPlace ? writes(files) : [])];
    const notProved = (why: string) => notKnown(inPlace ? 'write' : 'unknown', why, defined(touched));
    if (script === undefined) return notProved('its script is known only when it runs');
    if (!isSettled(reading) && (inPlace || given.length > 0)) return notProved(unsettled);
    const read = readSedScript(script);
    if (read === undefined) return notProved('its script may do more than change text');
    const opened = [...reads(read.reads), ...pours(read.writes)];
    const reason = inPlace ? strangeInPlace(reading, given.length > 0) : undefined;
    if (reason !== undefined) return notProved(reason);
    if (inPlace) return does('write', [...inPlaceEffects(reading, files), ...opened]);
    const late = given.length > 0 ? reading.rest : reading.rest.slice(1);
    return does(pours(read.writes).length > 0 ? 'write' : 'read-only', [...reads(late), ...opened]);
  },
);

/** Each file, and its copy where one is kept. */
function inPlaceEffects(reading: Reading, files: readonly Word[]): (Effect | undefined)[] {
  const endings = valuesOf(reading, 'i', 'in-place').filter((ending) => ending !== undefined && ending !== '');
  const copies = endings.flatMap((ending) => files.map((file) => (file === undefined ? file : `${file}${ending}`)));
  return [...readsFiles(files), ...writes([...files, ...copies])];
}

/**
 * On macOS `-i` takes the next word for the ending of a copy, so that the script is one word later: `sed -i '' s/a/b/ x`
 * there, `sed -i s/a/b/ x` elsewhere. What is a script to one of them must not be able to write for the other.
 */
function strangeInPlace(reading: Reading, scriptGiven: boolean): string | undefined {
  const endings = valuesOf(reading, 'i', 'in-place');
  if (endings.some((ending) => ending !== undefined && /[*/]/.test(ending))) return 'its copies go elsewhere';
  if (endings.every((ending) => ending !== undefined && ending !== '')) return undefined;
  const next = scriptGiven ? reading.operands[0] : reading.operands[1];
  if (next === undefined) return undefined;
  const other = readSedScript(next);
  const leadsAway = other
    ? [...other.reads, ...other.writes].some((path) => path.startsWith('/') || path.includes('..'))
    : /[\s;{}]/.test(next);
  return leadsAway ? 'one of its files may be taken for a script' : undefined;
}

export const sedPrograms: ReadonlyMap<string, Judge> = new Map([
  ['sed', sed],
  ['gsed', sed],
]);
