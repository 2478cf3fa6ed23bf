/** `send_file`: a file reaches the user in every output format, under the same rules as any read. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';

const sends = (input: Record<string, unknown>, name = 'send_file') => [calls(call(name, input)), says('There it is.')];

test.each(apis)('as text the path is told on stderr, over %s', async (api) => {
  const { tau, model, write, project } = await converse(sends({ path: 'out.csv', description: 'the figures' }), {
    api,
  });
  write('out.csv', 'a,b\n');
  expect(await tau(['-p', 'go'])).toMatchObject({
    code: 0,
    stdout: 'There it is.\n',
    stderr: `tau: file for you: ${join(project, 'out.csv')} (the figures)\n`,
  });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: 'Delivered out.csv (4 bytes) to the user.' }]);
});

test('SendUserFile, as another agent calls it, is the same tool', async () => {
  const { tau, write, project } = await converse(sends({ file_path: 'a.txt' }, 'SendUserFile'));
  write('a.txt', '');
  const run = await tau(['-p', 'go']);
  expect(run).toMatchObject({ code: 0, stderr: `tau: file for you: ${join(project, 'a.txt')}\n` });
});

test('the JSON object lists the files of its prompt, and only of that', async () => {
  const { tau, write, project } = await converse([...sends({ path: 'a.txt', description: 'x' }), says('no file')]);
  write('a.txt', '');
  const run = await tau(['-p', 'go', 'and', '--output-format', 'json']);
  const [first, second] = run.events();
  expect(first).toMatchObject({ files: [{ path: join(project, 'a.txt'), description: 'x' }] });
  expect(second).not.toHaveProperty('files');
});

test('in the stream the details of the result say it', async () => {
  const { tau, write, project } = await converse(sends({ path: 'a.txt' }));
  write('a.txt', 'abc');
  const run = await tau(['-p', 'go', '--output-format', 'stream-json']);
  expect(run.stderr).toBe('');
  expect(run.events().find(({ type }) => type === 'tool_execution_end')).toMatchObject({
    toolName: 'send_file',
    result: { details: { path: join(project, 'a.txt'), bytes: 3 } },
  });
});

test('what may not be read is not delivered', async () => {
  const { tau, model, write } = await converse(sends({ path: 'secrets/a.txt' }));
  write('secrets/a.txt', '');
  const run = await tau(['-p', 'go', '--deny', 'read(secrets/**)']);
  expect(run.stderr).not.toContain('file for you');
  expect(resultsIn(request(model, 1))[0]?.text).toContain('the rule read(secrets/**) denies it');
});

test('a file that is not there is an error for the model, and nothing is told', async () => {
  const { tau, model } = await converse(sends({ path: 'gone.txt' }));
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1))[0]?.text).toContain('There is no file gone.txt');
});

test('what a name or a description holds cannot move the cursor', async () => {
  const { tau, write } = await converse(sends({ path: 'a\u001b[2J.txt', description: 'x\n\u001b]0;y\u0007' }));
  write('a\u001b[2J.txt', '');
  const { stderr } = await tau(['-p', 'go']);
  expect(stderr).toContain('a^[[2J.txt (x ⏎ ^[]0;y^G)');
  expect(stderr).not.toContain('\u001b');
});

test('it is found by what it is for', async () => {
  const { tau, model } = await converse([
    calls(call('tool_search', { query: 'deliver a file to the user' })),
    says('ok'),
  ]);
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))[0]?.text).toContain('- send_file: hand a file to the user');
});
