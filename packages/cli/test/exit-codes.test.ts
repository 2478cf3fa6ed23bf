import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, says } from './conversation.ts';
import { closedAddress } from './processes.ts';

test('0: done', async () => {
  const { tau } = await converse([says('ok')]);
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
});

test('1: nobody listens at the address', async () => {
  const { tau } = await converse([]);
  const address = await closedAddress();
  const run = await tau(['-p', 'hi', '--base-url', address]);
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(new URL(address).host) });
});

test.each(apis.flatMap((api) => [400, 404, 429, 500, 503, 529].map((status) => [status, api] as const)))(
  '1: the provider answers %i over %s, and says why',
  async (status, api) => {
    const { tau, model } = await converse([{ status }], { api });
    const run = await tau(['-p', 'hi']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      new RegExp(`^tau: scripted answered ${status}: scripted error ${status}\\. [A-Z][^\\n]+\\n$`),
    );
    expect(model.requests).toHaveLength(1);
  },
);

test.each(apis)('1: the stream over %s is cut', async (api) => {
  const { tau } = await converse([{ cut: true, blocks: [{ text: 'This will not be finished' }] }], { api });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^tau: scripted [^\n]+\n$/);
  expect(run.stderr).not.toContain('cannot be reached');
});

test('1: the stream is cut behind a call that was complete, and the call is not made', async () => {
  const blocks = [call('write', { path: 'a.txt', content: 'x' }), { text: 'and then '.repeat(50) }];
  const { tau, project } = await converse([{ cut: true, blocks }]);
  expect(await tau(['-p', 'hi', '--permission-mode', 'dangerously'])).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(join(project, 'a.txt'))).toBe(false);
});

test.each(apis)('4: an answer that the output limit cut short over %s is not passed off as whole', async (api) => {
  const settings = { limits: { recoveries: 0 } };
  const { tau } = await converse([{ blocks: [{ text: 'half an ans' }], stopReason: 'length' }], { api, settings });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({
    code: 4,
    stdout: 'half an ans\n',
    stderr: expect.stringMatching(/^tau: the answer is cut/),
  });
});

test('1: the provider answers something that is not its protocol', async () => {
  const { tau } = await converse([{ status: 200, body: '<html>Welcome to the hotel network</html>' }]);
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^tau: scripted/) });
});

test('1: a web page where the provider should be', async () => {
  const body = '<html>Welcome to the hotel network</html>';
  const { tau, model } = await converse([{ status: 200, body, headers: { 'content-type': 'text/html' } }]);
  expect(await tau(['-p', 'hi'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `tau: scripted at ${new URL(model.url).host} answered with a web page, not a model's stream; check the address\n`,
  });
});

test('1: a proxy in between answers in plain text', async () => {
  const { tau } = await converse([{ status: 502, body: 'Bad\n\u001b[31mGateway' }]);
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('502: Bad') });
  expect(run.stderr).not.toContain('\u001b');
});

test.each(apis)('2: the key is refused over %s', async (api) => {
  const { tau } = await converse([{ status: 401 }], { api });
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('401') });
});

test('2: an unknown model', async () => {
  const { tau } = await converse([]);
  expect((await tau(['-p', 'hi', '--model', 'whatever'])).code).toBe(2);
});

test('1: the folder of the sessions cannot be made, and nothing is sent', async () => {
  const { tau, model, write, project } = await converse([says('never')]);
  write('file', '');
  const run = await tau(['-p', 'hi', '--session-dir', join(project, 'file/below')]);
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('could not be saved') });
  expect(model.requests).toHaveLength(0);
});

const asking = calls(call('write', { path: 'a.txt', content: 'x' }));

test('3: something needed approval and nobody could give it, though the run finished', async () => {
  const { tau } = await converse([asking, says('I could not')]);
  const run = await tau(['-p', 'go']);
  expect(run).toMatchObject({
    code: 3,
    stdout: 'I could not\n',
    stderr: expect.stringContaining("--allow 'write(a.txt)'"),
  });
});

test('3: in the first of two prompts, and the second is still answered', async () => {
  const { tau } = await converse([asking, says('no'), says('two')]);
  expect(await tau(['-p', 'go', 'more'])).toMatchObject({ code: 3, stdout: 'no\ntwo\n' });
});

test('a failure of the provider goes before 3, and the report is there all the same', async () => {
  const { tau } = await converse([asking, { status: 500 }]);
  const run = await tau(['-p', 'go']);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('write a.txt') });
});

test('4: a limit of turns goes before 3', async () => {
  const { tau } = await converse([asking, asking]);
  expect((await tau(['-p', 'go', '--max-turns', '1'])).code).toBe(4);
});
