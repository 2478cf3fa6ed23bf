/** What the shell itself does with words: it prints, compares and looks up. */
import type { Finding, Judge, Word } from '../invocation.ts';
import { does, looksAt, notKnown, reads } from './findings.ts';
import { silent } from './judges.ts';

const mayShow = 'what it prints is known only when it runs, and may be a secret of the environment';

/** Any word is printed as it is. One that is a variable may be a secret. */
const echo: Judge = ({ words, open }) =>
  open || words.includes(undefined) ? notKnown('unknown', mayShow) : looksAt([]);

/** `-v` sets a variable, and so does `%n`: both run code that hides in a name like `a[$(…)]`. */
const printf: Judge = ({ words: [, ...given], open }) => {
  const words = given[0] === '--' ? given.slice(1) : given;
  const [format] = words;
  if (open || words.includes(undefined)) return notKnown('unknown', mayShow);
  if (format === undefined) return looksAt([]);
  if (format.startsWith('-') && given[0] !== '--') return notKnown('unknown', 'printf can set variables');
  return isPlainFormat(format) ? looksAt([]) : notKnown('unknown', 'its format is not understood');
};

function isPlainFormat(format: string): boolean {
  const specifiers = /%(%|[-+ #0']*(\*|[0-9]+)?(\.(\*|[0-9]*))?[hlLjzt]*[diouxXeEfFgGaAcsbq]|\([^()]*\)T)/g;
  return !format.replace(specifiers, '').includes('%');
}

const nothingHappens: Judge = () => looksAt([]);

/** Tests of a path that need no more than to look at it. */
export const pathTests: ReadonlySet<string> = new Set(
  '-a -b -c -d -e -f -g -h -k -L -N -O -G -p -r -S -s -u -w -x'.split(' '),
);
const textTests: ReadonlySet<string> = new Set(['-n', '-z', '-t', '-o']);
const comparisons: ReadonlySet<string> = new Set('= == != < > -eq -ne -lt -le -gt -ge'.split(' '));
export const pathComparisons: ReadonlySet<string> = new Set(['-nt', '-ot', '-ef']);

/** Nobody compares more than that at once. */
const mostWords = 100;

/** `-v` and `-R` look at a variable by its name, and a name like `a[$(…)]` runs code. */
const test: Judge = ({ words: [name, ...given], open }) => {
  if (open) return notKnown('unknown', 'it gets more words when it runs');
  if (given.length > mostWords) return notKnown('unknown', 'it has too many words');
  if (given.includes('-v') || given.includes('-R')) return notKnown('unknown', 'it looks at a variable by its name');
  if (name !== '[') return judgeTest(given);
  return given.at(-1) === ']' ? judgeTest(given.slice(0, -1)) : notKnown('unknown', 'the ] is missing');
};

function judgeTest(words: readonly Word[]): Finding {
  const [first, ...more] = words;
  if (first === '!' && more.length > 0) return judgeTest(more);
  const joint = words.findIndex((word, at) => at > 0 && (word === '-a' || word === '-o'));
  // A word that is not known could be an operator, so that nobody can say which words belong together.
  if (joint !== -1 && words.length > 3 && !words.includes(undefined)) {
    const sides = [words.slice(0, joint), words.slice(joint + 1)].map(judgeTest);
    const bad = sides.find(({ known }) => !known);
    return (
      bad ??
      does(
        'read-only',
        sides.flatMap(({ effects }) => effects),
      )
    );
  }
  return oneTest(words) ?? notKnown('unknown', 'the test is not understood');
}

function oneTest(words: readonly Word[]): Finding | undefined {
  const [first, second, third] = words;
  if (words.length <= 1) return looksAt([]);
  if (words.length === 2 && first !== undefined) {
    if (textTests.has(first)) return looksAt([]);
    return pathTests.has(first) ? does('read-only', reads([second])) : undefined;
  }
  if (words.length !== 3 || second === undefined) return undefined;
  if (comparisons.has(second)) return looksAt([]);
  return pathComparisons.has(second) ? does('read-only', reads([first, third])) : undefined;
}

/** `command` with a name starts it, and is taken apart elsewhere. */
const command: Judge = ({ words: [, how, ...names], open }) => {
  const looks = (how === '-v' || how === '-V') && names.every((name) => name !== undefined && !name.startsWith('-'));
  return looks && !open ? looksAt([]) : notKnown('unknown', 'it starts another program');
};

export const talkPrograms: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['echo', echo],
  ['printf', printf],
  ['true', nothingHappens],
  ['false', nothingHappens],
  [':', nothingHappens],
  ['test', test],
  ['[', test],
  ['pwd', silent({ flags: 'LP', long: 'logical physical' })],
  ['type', silent({ flags: 'afptP' })],
  ['which', silent({ flags: 'as' })],
  ['command', command],
  // Calculates with its words; there is nothing else that it can do.
  ['expr', echo],
]);
