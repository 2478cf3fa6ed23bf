/** One item of a list in a file with comments: only its own bytes change. */
import { expect, test } from 'vitest';
import { editList } from '../src/config/edit-json.ts';

const path = ['permissions', 'allow'];

test.each([
  ['an empty file', '', '{\n  "permissions": { "allow": [ "x" ] }\n}\n'],
  ['a file without the list', '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "permissions": { "allow": [ "x" ] }\n}\n'],
  ['an empty list', '{ "permissions": { "allow": [] } }', '{ "permissions": { "allow": [\n  "x"\n] } }'],
  ['a list on one line', '{ "permissions": { "allow": ["a"] } }', '{ "permissions": { "allow": ["a", "x"] } }'],
  [
    'a list on many lines, with a comment behind the last',
    '{ "permissions": { "allow": [\n  "a" // why\n] } }',
    '{ "permissions": { "allow": [\n  "a", // why\n  "x"\n] } }',
  ],
  [
    'a list that ends with a comma',
    '{ "permissions": { "allow": [\r\n  "a",\r\n] } }',
    '{ "permissions": { "allow": [\r\n  "a",\r\n  "x",\r\n] } }',
  ],
  ['a list that has it', '{ "permissions": { "allow": ["x"] } }', '{ "permissions": { "allow": ["x"] } }'],
  [
    'a list that has it with examples',
    '{ "permissions": { "allow": [{ "rule": "x", "match": ["y"] }] } }',
    '{ "permissions": { "allow": [{ "rule": "x", "match": ["y"] }] } }',
  ],
])('an item is added to %s', async (_what, before, after) => {
  expect(await editList(before, path, 'x', 'add')).toBe(after);
});

test.each([
  ['from the middle', '{ "permissions": { "allow": ["a", "x", "b"] } }', ['a', 'b']],
  ['from the end', '{ "permissions": { "allow": ["a", "x"] } }', ['a']],
  ['when it is alone', '{ "permissions": { "allow": ["x"] } }', []],
  ['each time it is there', '{ "permissions": { "allow": ["x", "a", "x"] } }', ['a']],
  ['with its examples', '{ "permissions": { "allow": ["a", { "rule": "x", "match": [] }] } }', ['a']],
  ['when it is not there', '{ "permissions": { "allow": ["a"] } }', ['a']],
])('an item is removed %s', async (_what, before, left) => {
  const after = await editList(before, path, 'x', 'remove');
  expect(JSON.parse(after)).toEqual({ permissions: { allow: left } });
});

test('a comment about another item stays when one is removed', async () => {
  const before = '{ "permissions": { "allow": [\n  "a", // about a\n  "x" // about x\n] } }';
  expect(await editList(before, path, 'x', 'remove')).toContain('// about a');
});

test('a value that is no list is an error, and nothing is guessed', async () => {
  await expect(editList('{ "permissions": { "allow": "a" } }', path, 'x', 'add')).rejects.toThrow('no list');
  await expect(editList('[]', path, 'x', 'add')).rejects.toThrow('must be an object');
});
