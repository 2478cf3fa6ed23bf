/** The one validator: what it accepts, and the words in which it refuses. */
import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createValidate, describeProblem, type JsonSchema } from '../src/index.ts';
import { isPlainlyValid } from '../src/plainly-valid.ts';

const point: JsonSchema = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number' } },
  required: ['x'],
  additionalProperties: false,
};

async function problems(schema: JsonSchema, value: unknown): Promise<string[]> {
  return (await createValidate()(schema, value)).map(describeProblem);
}

test.each<[string, JsonSchema, unknown, string[]]>([
  ['the wrong type', { type: 'string' }, 5, ['must be string, not number']],
  ['the wrong type inside', point, { x: 'a' }, ['x: must be number, not string']],
  ['a missing key', point, {}, ['"x" is missing']],
  ['a key too many', point, { x: 1, z: 2 }, ['z: there is no such key']],
  ['two things wrong', point, { y: 'a' }, ['"x" is missing', 'y: must be number, not string']],
  ['an item', { type: 'array', items: point }, [{ x: 1 }, {}], ['1: "x" is missing']],
  ['deep inside', { properties: { a: { items: point } } }, { a: [{ x: null }] }, ['a.0.x: must be number, not null']],
  ['none of the words', { enum: ['a', 'b'] }, 'c', ['must be one of ["a","b"]']],
])('%s is told as where and what', async (_, schema, value, expected) => {
  expect(await problems(schema, value)).toEqual(expected);
});

test.each(['a/b', 'a~b', 'ü x', '50%', '#', '~1', '%41'])('the key "%s" is named as it is written', async (key) => {
  const [problem] = await createValidate()({ properties: { [key]: { type: 'string' } } }, { [key]: 5 });
  expect(problem?.path).toEqual([key]);
});

test('a key that the schema does not have is told apart from a wrong value', async () => {
  const found = await createValidate()(point, { x: 'a', z: 1 });
  expect(found.map(({ path, unknownKey }) => [path, unknownKey])).toEqual([
    [['x'], false],
    [['z'], true],
  ]);
});

test('what is right has no problems', async () => {
  expect(await problems(point, { x: 1, y: 2 })).toEqual([]);
  expect(await problems({}, null)).toEqual([]);
});

test('one function validates many schemas, and the same one again', async () => {
  const validate = createValidate();
  const texts: JsonSchema = { type: 'string' };
  expect(await validate(texts, 5)).toHaveLength(1);
  expect(await validate(point, { x: 1 })).toEqual([]);
  expect(await validate(texts, 'x')).toEqual([]);
  expect(await validate(texts, 5)).toHaveLength(1);
});

test('nothing invalid passes: a value has problems exactly when its parts do not fit', async () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { list: { type: 'array', items: { anyOf: [{ type: 'string' }, point] } }, flag: { type: 'boolean' } },
    additionalProperties: { type: 'integer', minimum: 0 },
  };
  const good = { item: fc.constantFrom<unknown>('a', { x: 1 }), flag: fc.boolean(), other: fc.nat() };
  const bad = { item: fc.constantFrom<unknown>(5, {}, { x: 1, z: 1 }), flag: fc.constant(1), other: fc.constant(-1) };
  const value = (item: fc.Arbitrary<unknown>, flag: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>) =>
    fc.record({ list: fc.array(item, { minLength: 1, maxLength: 3 }), flag, other });
  await fc.assert(
    fc.asyncProperty(value(good.item, good.flag, good.other), async (fits) => {
      expect(await problems(schema, fits)).toEqual([]);
    }),
    { numRuns: 50, seed: 1 },
  );
  const spoilt = fc.oneof(
    value(bad.item, good.flag, good.other),
    value(good.item, bad.flag, good.other),
    value(good.item, good.flag, bad.other),
  );
  await fc.assert(
    fc.asyncProperty(spoilt, async (unfit) => {
      expect(await problems(schema, unfit)).not.toEqual([]);
    }),
    { numRuns: 50, seed: 1 },
  );
});

const names = fc.constantFrom('a', 'b', 'toString', '__proto__');
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('', 'a', '\u{1f600}', 'https://x', null, true, 0, -1, 1.5, 7, Number.NaN),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(names, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const kinds = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');

/** `part`: what stands where a schema has another. */
function schemasOf(part: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const all = {
    type: fc.oneof(kinds, fc.array(kinds, { minLength: 1, maxLength: 2 })),
    description: fc.constant('words'),
    enum: fc.array(values, { minLength: 1, maxLength: 3 }),
    anyOf: fc.array(part, { minLength: 1, maxLength: 2 }),
    pattern: fc.constantFrom('^https?://', 'a'),
    minimum: fc.constantFrom(0, 1),
    maximum: fc.constantFrom(1, 5),
    items: part,
    properties: fc.dictionary(names, part, { maxKeys: 3 }),
    additionalProperties: part,
    required: fc.array(names, { maxLength: 2 }),
    minLength: fc.constantFrom(0, 1, 2),
    exclusiveMinimum: fc.constantFrom(0, 1.5),
    title: fc.constant('words'),
    uniqueItems: fc.boolean(),
    not: part,
  };
  return fc.subarray(Object.keys(all), { maxLength: 4 }).chain((words) => {
    const chosen = Object.entries(all).filter(([word]) => words.includes(word));
    return fc.record<Record<string, unknown>>(Object.fromEntries(chosen));
  });
}

const schemas = schemasOf(fc.oneof(fc.boolean(), schemasOf(fc.oneof(fc.boolean(), schemasOf(fc.boolean())))));

test('what is plainly right is right: the validator never objects to it, and mostly it is not even asked', () => {
  let plain = 0;
  let right = 0;
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      const { valid } = new Validator({ ...schema }, '2020-12', false).validate(value);
      const quick = isPlainlyValid(schema, value);
      plain += quick ? 1 : 0;
      right += valid ? 1 : 0;
      expect(quick && !valid).toBe(false);
    }),
    { numRuns: 3000, seed: 7 },
  );
  expect(plain).toBeGreaterThan(right / 4);
});

test.each<[string, unknown, unknown]>([
  ['no schema', false, 5],
  ['a list', [], 5],
  ['items that are forbidden', { items: false }, ['x']],
  ['a property that is forbidden', { properties: { a: false } }, { a: 'x' }],
  ['nonsense for names', { required: 5 }, {}],
  ['nonsense for properties', { properties: 'a' }, { a: 'x' }],
  ['a broken pattern', { pattern: '(' }, 'x'],
  ['what is no JSON', {}, undefined],
  ['a whole number that is not', { type: ['integer', 'null'] }, 1.5],
  ['two halves of one character', { minLength: 2 }, '\u{1f600}'],
  ['the bound itself', { exclusiveMinimum: 0 }, 0],
])('nothing is plainly right by %s', (_, schema, value) => {
  expect(isPlainlyValid(schema as JsonSchema, value)).toBe(false);
});
