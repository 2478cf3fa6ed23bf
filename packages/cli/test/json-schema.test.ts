/** `--json-schema`: the answer fits, or the run fails. */
import { expect, test } from 'vitest';
import { apis, converse, request, says, talkIn } from './conversation.ts';
import { defaultTools, offeredIn } from './offered.ts';

const schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
const asked = ['-p', 'how many?', '--json-schema', JSON.stringify(schema)];

test.each(apis)('over %s the schema goes with the request, and the JSON alone is on stdout', async (api) => {
  const { tau, model } = await converse([says(' {"count": 3}\n')], { api });
  expect(await tau(asked)).toMatchObject({ code: 0, stdout: '{"count": 3}\n', stderr: '' });
  expect(request(model, 0).raw).toContain('"count"');
});

test('a fence around it is taken off', async () => {
  const { tau } = await converse([says('```json\n{"count": 3}\n```')]);
  expect(await tau(asked)).toMatchObject({ code: 0, stdout: '{"count": 3}\n' });
});

test('an answer that does not fit is sent back with what is wrong, until it fits', async () => {
  const { tau, model } = await converse([says('three'), says('{"count":"three"}'), says('{"count":3}')]);
  expect(await tau(asked)).toMatchObject({ code: 0, stdout: '{"count":3}\n', stderr: '' });
  const talk = talkIn(request(model, 2));
  expect(talk[2]).toMatch(/^user: .*it is no JSON/s);
  expect(talk[4]).toMatch(/^user: .*count: must be integer, not string/s);
});

test('after two more tries it fails with what is wrong, and stdout stays empty', async () => {
  const { tau, model } = await converse([says('{}'), says('{}'), says('{}'), says('never')]);
  const run = await tau(asked);
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('"count" is missing') });
  expect(model.requests).toHaveLength(3);
});

test('in json the value is parsed, and the tries are counted together', async () => {
  const { tau } = await converse([says('{}'), says('{"count":3}')]);
  const [result] = (await tau([...asked, '--output-format', 'json'])).events();
  expect(result).toMatchObject({ answer: '{"count":3}', structured: { count: 3 }, turns: 2, usage: { input: 20 } });
});

test('in json an answer that never fits is an error', async () => {
  const { tau } = await converse([says('{}'), says('{}'), says('{}')]);
  const run = await tau([...asked, '--output-format', 'json']);
  const [result] = run.events();
  expect(result).toMatchObject({ error: { class: 'answerSchema' }, exitCode: 1 });
  expect(result).not.toHaveProperty('structured');
});

test('in stream-json the value has a line of its own, or the misfit has', async () => {
  const { tau } = await converse([says('{"count":3}'), says('{}'), says('{}'), says('{}')]);
  const stream = [...asked, '--output-format', 'stream-json'];
  expect((await tau(stream)).events().at(-1)).toMatchObject({ type: 'structured', value: { count: 3 } });
  expect((await tau(stream)).events().at(-1)).toMatchObject({ type: 'error', class: 'answerSchema' });
});

test('the schema may be in a file, with tools in play', async () => {
  const { tau, write, model } = await converse([
    { blocks: [{ call: 'bash', input: { command: 'pwd' } }] },
    says('{"count":1}'),
  ]);
  write('schema.json', JSON.stringify(schema));
  expect(await tau(['-p', 'go', '--json-schema', '@schema.json'])).toMatchObject({ code: 0, stdout: '{"count":1}\n' });
  // Both requests offer the tools and carry the schema.
  for (const number of [0, 1]) {
    expect(offeredIn(request(model, number))).toEqual(defaultTools);
    expect(request(model, number).raw).toContain('json_schema');
  }
});

test('an answer that is cut by the output limit is not sent back', async () => {
  const { tau } = await converse(
    Array.from({ length: 9 }, () => ({ blocks: [{ text: '{"cou' }], stopReason: 'length' as const })),
  );
  const run = await tau([...asked, '--output-format', 'json']);
  expect(run.code).toBe(4);
  expect(run.events()).toMatchObject([{ cut: true, exitCode: 4 }]);
});
