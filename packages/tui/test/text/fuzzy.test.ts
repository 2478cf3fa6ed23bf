import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzyFilter, fuzzyMatch } from '../../src/text/fuzzy.ts';

test('letters are found in order, and best where words begin or where they stand together', () => {
  expect(fuzzyMatch('fb', 'foo_bar')?.positions).toEqual([0, 4]);
  expect(fuzzyMatch('wt', 'packages/tui/src/text/wrap.test.ts')?.positions).toEqual([22, 27]);
  expect(fuzzyMatch('gm', 'getModel')?.positions).toEqual([0, 3]);
  expect(fuzzyMatch('edit', 'e-d-i-t edit')?.positions).toEqual([8, 9, 10, 11]);
  expect(fuzzyMatch('xyz', 'foo_bar')).toBeUndefined();
  expect(fuzzyMatch('ba', 'ab')).toBeUndefined();
  expect(fuzzyMatch('', 'anything')).toEqual({ score: 0, positions: [] });
});

test('every word of a query must be found, in any order', () => {
  expect(fuzzyMatch('test wrap', 'src/wrap.test.ts')).toBeDefined();
  expect(fuzzyMatch('test cut', 'src/wrap.test.ts')).toBeUndefined();
});

test('a capital makes case count', () => {
  expect(fuzzyMatch('readme', 'README.md')).toBeDefined();
  expect(fuzzyMatch('README', 'readme.md')).toBeUndefined();
  expect(fuzzyMatch('i', 'İstanbul i')?.positions).toEqual([9]);
});

test('the best comes first, of equals the shorter, else the order stays', () => {
  const files = ['docs/editing.md', 'src/edit.ts', 'src/edit/model.ts', 'src/reedit.ts', 'x'];
  expect(fuzzyFilter('edit', files, (file) => file)).toEqual([
    'src/edit.ts',
    'docs/editing.md',
    'src/edit/model.ts',
    'src/reedit.ts',
  ]);
  expect(fuzzyFilter(' ', files, (file) => file)).toEqual(files);
});

test('what is found is a place of each letter, in order, for any text', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '/', '_', 'é', '漢'), maxLength: 30 });
  const short = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '漢'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(short, letters, (query, text) => {
      const lower = text.toLowerCase();
      let from = -1;
      const isThere = [...query].every((letter) => {
        from = lower.indexOf(letter, from + 1);
        return from !== -1;
      });
      const match = fuzzyMatch(query, text);
      expect(match !== undefined).toBe(isThere);
      expect(match?.positions.map((at) => lower.charAt(at)).join('') ?? query).toBe(query);
      expect(match?.positions).toEqual(match && [...new Set(match.positions)].sort((a, b) => a - b));
    }),
    { seed: 9, numRuns: 500 },
  );
});

test('a text of any length is searched', () => {
  expect(fuzzyMatch('end', `${'x'.repeat(200_000)}end`)?.positions).toEqual([200_000, 200_001, 200_002]);
});
