import type { JsonSchema, ToolInput } from '@tau/core';
import { textResult } from '@tau/core';
import { expect, test } from 'vitest';
import { coerceInput } from '../src/coerce.ts';
import { createScene } from './scene.ts';
import { call, calls, says } from './speech.ts';

const edit: JsonSchema = {
  type: 'object',
  properties: { old: { type: 'string' }, new: { type: 'string' }, times: { type: 'integer' } },
  required: ['old', 'new'],
  additionalProperties: false,
};
const parameters: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    limit: { type: 'integer', minimum: 1 },
    ratio: { type: 'number' },
    all: { type: 'boolean' },
    mode: { enum: ['fast', 'safe'] },
    edits: { type: 'array', items: edit, minItems: 1 },
    names: { type: 'array', items: { type: 'string' } },
    options: { type: 'object', properties: { depth: { type: 'number' } } },
    note: { type: ['string', 'null'] },
    either: { type: ['string', 'number'] },
    data: { type: 'object' },
    anything: {},
  },
  required: ['path'],
  additionalProperties: false,
};
const tool = {
  name: 'change',
  description: '',
  parameters,
  aliases: { file_path: 'path', oldText: 'old', newText: 'new' },
  effects: () => [],
  run: async (input: ToolInput) => textResult(JSON.stringify(input)),
};

test.each<[string, ToolInput, ToolInput]>([
  ['a number as text', { limit: '5', ratio: ' 0.5 ' }, { limit: 5, ratio: 0.5 }],
  ['text that is no number', { limit: 'five', ratio: '' }, { limit: 'five', ratio: '' }],
  ['no finite number', { ratio: 'Infinity', limit: 'NaN' }, { ratio: 'Infinity', limit: 'NaN' }],
  ['a boolean as text', { all: 'true' }, { all: true }],
  ['a boolean as other text', { all: 'yes' }, { all: 'yes' }],
  ['text as a number or boolean', { path: 5, names: [true, 1.5] }, { path: '5', names: ['true', '1.5'] }],
  ['an object is no text', { path: { a: 1 } }, { path: { a: 1 } }],
  ['a list as JSON', { edits: '[{"old":1,"new":"b","times":"2"}]' }, { edits: [{ old: '1', new: 'b', times: 2 }] }],
  ['an object as JSON', { options: '{"depth":"3"}' }, { options: { depth: 3 } }],
  ['a list in which each object is JSON', { edits: ['{"old":"a","new":"b"}'] }, { edits: [{ old: 'a', new: 'b' }] }],
  ['JSON of another kind stays text', { edits: '5', options: '[1]' }, { edits: '5', options: '[1]' }],
  ['broken JSON stays text', { edits: '[{"old"' }, { edits: '[{"old"' }],
  ['JSON where text is wanted stays text', { path: '{"a":1}' }, { path: '{"a":1}' }],
  ['null for what may be left out', { path: 'a', limit: null }, { path: 'a' }],
  ['null deep inside', { edits: [{ old: 'a', new: 'b', times: null }] }, { edits: [{ old: 'a', new: 'b' }] }],
  ['null for what is required stays', { path: null }, { path: null }],
  ['null where the schema takes it', { note: null }, { note: null }],
  ['null in an object of any shape stays', { data: { a: null } }, { data: { a: null } }],
  ['null where anything is taken stays', { anything: null }, { anything: null }],
  ['a number where text or null is wanted', { note: 5 }, { note: '5' }],
  ['one of several types is not guessed', { either: '5' }, { either: '5' }],
  ['another spelling', { file_path: 'a' }, { path: 'a' }],
  ['another spelling deep inside', { edits: [{ oldText: 'a', newText: 'b' }] }, { edits: [{ old: 'a', new: 'b' }] }],
  ['another spelling does not beat the proper one', { file_path: 'a', path: 'b' }, { path: 'b' }],
  ['a name written another way', { Path: 'a', LIMIT: '2' }, { path: 'a', limit: 2 }],
  ['a word in another case', { mode: 'FAST' }, { mode: 'fast' }],
  ['a boolean as a word or a bit', { all: 'False' }, { all: false }],
  ['a boolean as a bit', { all: 1 }, { all: true }],
  ['one text where a list is wanted', { names: 'a' }, { names: ['a'] }],
  ['one text that looks like something else', { names: '123' }, { names: ['123'] }],
  ['one text in quotes keeps them', { names: '"a"' }, { names: ['"a"'] }],
  ['one object where a list is wanted', { edits: { old: 1, new: 'b' } }, { edits: [{ old: '1', new: 'b' }] }],
  ['an unknown key stays for the validator', { path: 'a', foo: '1' }, { path: 'a', foo: '1' }],
  ['a key that every object has', { constructor: 'a', toString: null }, { constructor: 'a' }],
])('coercion: %s', (_name, given, expected) => {
  const before = structuredClone(given);
  expect(coerceInput(tool, given)).toEqual(expected);
  expect(given).toEqual(before);
});

test('coercion: a key named __proto__ is a key, not a way to hide parameters', () => {
  const given: ToolInput = JSON.parse('{"__proto__": {"path": "/etc/passwd"}, "edits": [{"__proto__": {"old": "a"}}]}');
  const coerced = coerceInput(tool, given);
  expect(Object.keys(coerced)).toEqual(['__proto__', 'edits']);
  expect('path' in coerced).toBe(false);
});

async function told(args: ToolInput): Promise<string[]> {
  const scene = createScene({ tools: [tool] });
  await scene.play(calls([call('change', args)]), says('done'));
  return (scene.told('change') ?? '').split('\n');
}

test('arguments that fit after coercion reach the tool', async () => {
  expect(await told({ file_path: 'a', limit: '3', all: null })).toEqual(['{"path":"a","limit":3}']);
});

test.each<[string, ToolInput, string[]]>([
  ['what is missing', {}, ['- "path" is missing']],
  ['a wrong type', { path: ['a'] }, ['- path: must be string, not array']],
  ['a fraction for a whole number', { path: 'a', limit: 1.5 }, ['- limit: must be integer, not number']],
  ['one of two types', { path: 'a', note: [] }, ['- note: must be string or null, not array']],
  [
    'what there is not',
    { path: 'a', pth: 1, x: 2 },
    ['- pth: there is no such key; did you mean path?', '- x: there is no such key'],
  ],
  ['a choice', { path: 'a', mode: 'slow' }, ['- mode: must be one of ["fast","safe"]']],
  ['a limit', { path: 'a', limit: 0 }, ['- limit: 0 is less than 1']],
  ['an empty list', { path: 'a', edits: [] }, ['- edits: Array has too few items (0 < 1)']],
  [
    'each item of a list',
    { path: 'a', edits: [{ old: 'x' }, { old: [], new: 'y' }, { old: 'x', new: 'y', z: 1 }, 'what'] },
    [
      '- edits.0: "new" is missing',
      '- edits.1.old: must be string, not array',
      '- edits.2.z: there is no such key',
      '- edits.3: must be object, not string',
    ],
  ],
  ['an odd name', { path: 'a', 'a/b ~c': 1 }, ['- a/b ~c: there is no such key']],
])('the model is told about %s', async (_name, args, problems) => {
  const lines = await told(args);
  expect(lines.slice(0, -1)).toEqual(['The arguments do not fit change:', ...problems]);
  expect(lines.at(-1)).toMatch(
    /^It takes: path \(string\), limit\? \(integer\).*edits\? \(array of \{old \(string\), new \(string\), times\? \(integer\)\}\)/,
  );
});

test('of very many problems the first are told', async () => {
  const lines = await told(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`key${at}`, 1])));
  expect(lines).toContain('- and 21 more');
});

test('a tool may mend its input itself, or say what is wrong with it', async () => {
  const prepare = (input: ToolInput) => {
    if (input.path === 'bad') throw new Error('bad is no path');
    return { ...input, path: `${input.base}/x` };
  };
  const scene = createScene({
    tools: [{ ...tool, parameters: { ...parameters, additionalProperties: true }, prepare }],
  });
  await scene.play(calls([call('change', { base: 'b' }, '1'), call('change', { path: 'bad' }, '2')]), says('done'));
  expect(scene.told('1')).toBe('{"base":"b","path":"b/x"}');
  expect(scene.told('2')).toContain('bad is no path');
});

test('a hidden path is refused', async () => {
  expect(await told(JSON.parse('{"__proto__": {"path": "/etc/passwd"}}'))).toContain('- "path" is missing');
});

test('a schema that is broken refuses the call instead of letting it through', async () => {
  const scene = createScene({ tools: [{ ...tool, parameters: { $ref: '#/nowhere' } }] });
  await scene.play(calls([call('change', { path: 'a' })]), says('done'));
  expect(scene.told('change')).toMatch(/^The call could not be checked, so it was not made: /);
});
