/** Our reader of command lines against Node's. */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokensOf } from '../src/args/words.ts';

const table = [
  { name: 'print', short: 'p' },
  { name: 'model', short: 'm', value: 'NAME' },
  { name: 'file', value: 'PATH' },
  { name: 'quiet' },
  { name: 'x', short: 'x', value: 'X' },
];

const options = Object.fromEntries(
  table.map(({ name, short, value }) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
  ]),
);

/** But for what Node makes of `--=` and of a dash among letters, which is no option of anybody. */
test('every command line is read as Node reads it', () => {
  const name = fc.constantFrom('print', 'model', 'file', 'quiet', 'x', 'gone');
  const word = fc.oneof(
    fc.constantFrom('-', '--', '', 'word', '-=', '--=', '---', '--model=a=b'),
    name.map((one) => `--${one}`),
    fc.tuple(name, fc.constantFrom('', 'a', '-', '=')).map(([one, value]) => `--${one}=${value}`),
    fc.string({ unit: fc.constantFrom('p', 'm', 'x', 'q', '=', 'é'), minLength: 1, maxLength: 4 }).map((s) => `-${s}`),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (args) => {
      const { tokens } = parseArgs({ args, options, strict: false, tokens: true, allowPositionals: true });
      const expected = tokens.flatMap((token): unknown[] => {
        if (token.kind === 'option-terminator') return [];
        if (token.kind === 'positional') return [token.value];
        const { rawName, value, inlineValue } = token;
        return [
          { name: table.find((one) => one.name === token.name)?.name, rawName, value, inline: inlineValue ?? false },
        ];
      });
      const read = tokensOf(args, table).map((token) => {
        if (typeof token === 'string') return token;
        const { option, rawName, value, inline = false } = token;
        return { name: option?.name, rawName, value, inline };
      });
      expect(read).toEqual(expected);
    }),
    { numRuns: 5000, seed: 21 },
  );
});
