import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRecord, partialArguments } from '../src/index.ts';

test('half-arrived arguments are what is there so far', () => {
  expect(partialArguments('{"path":"src/in')).toEqual({ path: 'src/in' });
  expect(partialArguments('{"path":"a","edits":[{"old":"x"},{"ol')).toEqual({ path: 'a', edits: [{ old: 'x' }, {}] });
  expect(partialArguments('{"path":"a","limit":1')).toEqual({ path: 'a' });
  expect(partialArguments('{"all":tru')).toEqual({});
  expect(partialArguments('{"text":"line\\')).toEqual({ text: 'line' });
});

test.each(['', ' ', '{', '{"', '[', '[1', '"text"', 'nonsense', '{]'])('%j has no arguments yet', (json) => {
  expect(partialArguments(json)).toEqual({});
});

test('whatever arrives, nothing is shown that the whole does not say', () => {
  const input = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
  fc.assert(
    fc.property(input, fc.double({ min: 0, max: 1, noNaN: true }), (whole, share) => {
      const json = JSON.stringify(whole);
      expect(begins(partialArguments(json.slice(0, Math.floor(json.length * share))), JSON.parse(json))).toBe(true);
      if (!json.includes('__proto__')) expect(partialArguments(json)).toEqual(JSON.parse(json));
    }),
    { numRuns: 1000, seed: 3 },
  );
});

test.each(['__proto__', '\\u005f_proto__', '_\\u005Fproto__'])('a key %s brings nothing in', (key) => {
  for (const json of [`{"${key}":{"path":"a"},"b":"c`, `{"edits":[{"${key}":{"path":"a"}`]) {
    const found = partialArguments(json);
    expect(found).toEqual({});
    expect(found.path).toBeUndefined();
  }
});

/** True when `part` is a beginning of `whole`, at every depth. */
function begins(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((item, at) => begins(item, whole[at]));
  if (isRecord(part)) {
    return (
      isRecord(whole) &&
      Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && begins(value, whole[key]))
    );
  }
  return part === whole;
}
