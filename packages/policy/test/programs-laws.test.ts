/** Laws that hold for every program that is known: what is not understood is never proved. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { has, isMisread, type OptionTable, readOptions, valuesOf } from '../src/shell/programs/options.ts';
import { judge } from './judging.ts';

/** Understood as they are, and every word in them may be an option. */
const lines: readonly string[] = [
  'cat a',
  'head -n 5 a',
  'tail -n 5 a',
  'wc -l a',
  'sort -u a',
  'uniq a b',
  'cut -f 1 a',
  'tr a b',
  'xxd a',
  'strings a',
  'base64 a',
  'sha256sum a',
  'cmp a b',
  'ls -l a',
  'tree a',
  'du -s a',
  'df a',
  'stat a',
  'file a',
  'readlink a',
  'realpath a',
  'date +%s',
  'uname -a',
  'hostname',
  'seq 3',
  'grep x a',
  'rg x a',
  'fd x a',
  'find a -name b',
  'jq . a',
  'sed p a',
  'sed -i p a',
  'touch a',
  'mkdir a',
  'rmdir a',
  'rm -r a',
  'tee a',
  'truncate -s 0 a',
  'chmod 755 a',
  'chown me a',
  'cp a b',
  'mv a b',
  'install a b',
  'ln -s a b',
  'tar -t -f a',
  'unzip -l a',
  'gzip a',
  'zstd a',
];

test.each(lines)('%s is understood', (line) => {
  expect(judge(line).known).toBe(true);
});

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const unknownOption = fc.oneof(
  word.map((name) => `--zq${name}`),
  word.map((name) => `--zq${name}=x`),
  word.map((name) => `-%${name}`),
  fc.constantFrom('--hel', '--versio', '--outpu=x', '--exec', '--eval=x', '-%'),
);

test('with an option that nobody knows, no program is proved', () => {
  fc.assert(
    fc.property(fc.constantFrom(...lines), unknownOption, fc.nat(), (line, option, place) => {
      const [name = '', ...words] = line.split(' ');
      const at = place % (words.length + 1);
      const changed = [name, ...words.slice(0, at), option, ...words.slice(at)];
      const taken = /^-[nfs]$|^-name$/.test(words[at - 1] ?? '') || (name === 'find' && words[at - 1] === '-name');
      fc.pre(!taken);
      expect(judge(changed.join(' ')).known).toBe(false);
    }),
    { numRuns: 4000, seed: 3 },
  );
});

test('with a word that nobody knows yet where an option may stand, no program is proved', () => {
  for (const line of lines) {
    const [name = '', ...words] = line.split(' ');
    expect(judge([name, '$X', ...words].join(' ')).known, line).toBe(false);
    expect(judge(`${line} $X`).known, line).toBe(false);
    expect(judge(line, { open: true }).known, line).toBe(false);
  }
});

test('where the PATH may lead elsewhere, no program is proved', () => {
  for (const line of lines) expect(judge(line, { trustedPath: false }).known, line).toBe(false);
});

test('a program called by its path is not proved, and what its name would touch is stated', () => {
  for (const line of lines) {
    const byPath = judge(`/tmp/${line}`);
    expect(byPath.known, line).toBe(false);
    expect(byPath.effects, line).toEqual(judge(line).effects);
  }
});

test('any words at all are judged without an accident', () => {
  const names = lines.map((line) => line.split(' ')[0] ?? '');
  const anything = fc.oneof(fc.string(), fc.constantFrom('-', '--', '', '..', '/', '-i', '-e', 's/a/b/', '{', '$X'));
  fc.assert(
    fc.property(fc.constantFrom(...names, 'awk', 'diff', 'printf', 'test', 'dd'), fc.array(anything), (name, words) => {
      const line = [name, ...words.map((one) => (one === '$X' ? one : `'${one.replaceAll("'", '')}'`))].join(' ');
      const finding = judge(line);
      expect(finding.known).toBe(finding.why === undefined);
    }),
    { numRuns: 3000, seed: 9 },
  );
});

const table: OptionTable = {
  flags: 'al',
  numbers: 'n',
  values: 'e',
  attached: 'i',
  long: 'all',
  longNumbers: 'lines',
  longValues: 'regexp',
  longAttached: 'color',
  old: /^-[0-9]+$/,
};

test.each([
  ['-la -n5 x', [['l'], ['a'], ['n', '5']], ['x']],
  ['-n 5 -lex y', [['n', '5'], ['l'], ['e', 'x']], ['y']],
  ['-e -a', [['e', '-a']], []],
  ['-i x', [['i']], ['x']],
  ['-i.bak x', [['i', '.bak']], ['x']],
  ['--all --lines=5 --regexp -a --color x', [['all'], ['lines', '5'], ['regexp', '-a'], ['color']], ['x']],
  ['--color=always', [['color', 'always']], []],
  ['-5 x', [['-5']], ['x']],
  ['a -l b', [['l']], ['a', 'b']],
  ['-- -a -l', [], ['-a', '-l']],
  ['- a', [], ['-', 'a']],
])('%s is read', (words, options, operands) => {
  const reading = readOptions(words.split(' '), table);
  if (isMisread(reading)) throw new Error(reading.why);
  expect(reading.options.map(({ name, value }) => (value === undefined ? [name] : [name, value]))).toEqual(options);
  expect(reading.operands).toEqual(operands);
});

test.each(['-x', '-lx', '--al', '--all=x', '--regexp', '-e', '-n', '-n x', '--lines=x', '--color x --colour', '-5x'])(
  '%s is not',
  (words) => {
    expect(readOptions(words.split(' '), table)).toHaveProperty('why');
  },
);

test('a word that nobody knows yet may be an option, but not after -- and not as a value', () => {
  expect(readOptions([undefined], table)).toHaveProperty('why');
  expect(readOptions(['-n', undefined], table)).toHaveProperty('why');
  expect(readOptions(['--', undefined], table)).toMatchObject({ operands: [undefined] });
  const reading = readOptions(['-e', undefined, 'x'], table);
  if (isMisread(reading)) throw new Error(reading.why);
  expect(valuesOf(reading, 'e')).toEqual([undefined]);
  expect(has(reading, 'a', 'e')).toBe(true);
});

test('everything from the first operand on may be an operand', () => {
  expect(readOptions(['-l', 'x', '-n', '5', '--', 'y'], table)).toMatchObject({
    operands: ['x', 'y'],
    rest: ['x', '-n', '5', '--', 'y'],
  });
  expect(readOptions(['-l', '--', 'x', '-n'], table)).toMatchObject({ operands: ['x', '-n'], rest: ['x', '-n'] });
  expect(readOptions(['-l', 'x', '-n'], { ...table, ordered: true })).toMatchObject({ operands: ['x', '-n'] });
});
