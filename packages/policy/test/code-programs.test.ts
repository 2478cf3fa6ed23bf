/** Programs that run code. */
import { expect, test } from 'vitest';
import { judge } from './judging.ts';

test.each([
  'python3 a.py',
  'node a.js',
  'ruby a.rb',
  'make',
  'make test',
  'pytest',
  'vitest run',
  'tsc --noEmit',
  'gcc a.c',
  'cmake .',
  'java -jar a.jar',
  'deno run a.ts',
])('%s runs code that nobody has looked at', (line) => {
  expect(judge(line)).toEqual({
    class: 'unknown',
    known: false,
    effects: [],
    why: 'it runs code that nobody has looked at',
  });
});

test.each([
  "python3 -c 'import os'",
  "python -Ic 'x'",
  "node -e 'x'",
  'node -pe 1',
  'node --eval=x',
  "perl -ne 'x' f",
  "ruby -e 'x'",
  "php -r 'x'",
  'deno eval x',
])('%s runs code given on the line', (line) => {
  expect(judge(line)).toMatchObject({ class: 'unknown', known: false, why: 'it runs code given on the line' });
});

const versions = [
  'node --version',
  'node -v',
  'python3 --version',
  'python -V',
  'ruby -v',
  'perl -v',
  'make --version',
  'gcc --version',
];

test.each(versions)('%s is proved where no version manager stands in front of it', (line) => {
  expect(judge(line, { managed: () => false })).toEqual({ class: 'read-only', known: true, effects: [] });
});

test.each(versions)('%s is not proved where one does, or where nobody looked', (line) => {
  expect(judge(line, { managed: () => true }).known).toBe(false);
  expect(judge(line).known).toBe(false);
});

test.each([
  ['code follows', 'node --version a.js'],
  ['a module is loaded first', 'node -r ./x --version'],
  ['the toolchain may be fetched', 'rustc --version'],
  ['the toolchain may be fetched for go', 'go version'],
  ['the project brings it', 'tsc --version'],
  ['the project brings it by a link', 'yarn --version'],
  ['a word is not known', 'node $X'],
])('%s: %s is not known', (_power, line) => {
  expect(judge(line, { managed: () => false }).known).toBe(false);
});

test('a program that a version manager stands in front of proves nothing', () => {
  expect(judge('git status', { managed: () => true })).toMatchObject({
    known: false,
    why: 'the project may choose which git is started',
  });
});

test('sqlite3 can run anything, and dropping a table is a danger', () => {
  expect(judge('sqlite3 a.db .tables')).toMatchObject({ class: 'unknown', known: false });
  expect(judge("sqlite3 a.db 'drop table x'")).toMatchObject({ danger: 'it deletes data from a database' });
});
