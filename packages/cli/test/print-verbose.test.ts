/** What print mode says besides the answer: `--verbose`, `--debug`, and a crash. All of it on stderr. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, says } from './conversation.ts';

const thinking = { blocks: [{ thinking: 'hmm, let me see' }, call('bash', { command: 'echo hi' })] };

test('--verbose shows the sandbox, thinking, calls and usage on stderr without a terminal, and without colours', async () => {
  const { tau } = await converse([thinking, says('ok')], { settings: { tips: false } });
  const run = await tau(['-p', 'go', '--verbose']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(run.stderr).toMatch(
    /^tau: sandbox off, because the setting sandbox\.enabled [^\n]*\nhmm, let me see\n● bash echo hi\n✓ bash hi\ntau: 2 turns, 20 tokens in, 10 out, price not known, [\d.]+ s\n$/,
  );
});

test('--verbose names the context files', async () => {
  const { tau, write, project } = await converse([says('ok')]);
  write('AGENTS.md', 'Be kind.');
  expect((await tau(['-p', 'go', '--verbose'])).stderr).toContain(`tau: context file ${join(project, 'AGENTS.md')}\n`);
});

test('--verbose works with json, and says nothing beside an event stream', async () => {
  const { tau } = await converse([thinking, says('ok'), says('ok')]);
  const one = await tau(['-p', 'go', '--verbose', '--output-format', 'json']);
  expect(one.stderr).toContain('● bash echo hi\n');
  expect(one.events()).toMatchObject([{ answer: 'ok' }]);
  expect(await tau(['-p', 'go', '--verbose', '--output-format', 'stream-json'])).toMatchObject({ stderr: '' });
});

const line = /^\d{4}-\d\d-\d\dT[\d:.]+Z (request|tool|session|settings) \S.*$/;

test('--debug tells what happens, a stamped line each, in every format', async () => {
  const { tau } = await converse([thinking, says('ok')]);
  const run = await tau(['-p', 'go', '--debug', '--output-format', 'stream-json']);
  expect(run.code).toBe(0);
  const lines = run.stderr.trimEnd().split('\n');
  expect(lines.filter((one) => !line.test(one))).toEqual([]);
  for (const word of [
    'settings model scripted/scripted',
    'session agent_start',
    'request turn_start',
    'tool tool_execution_end',
  ]) {
    expect(run.stderr).toContain(word);
  }
});

test('--debug takes topics, and a word that is none of them is a prompt', async () => {
  const { tau } = await converse([thinking, says('ok')]);
  const run = await tau(['-p', '--debug', 'tool,request', 'go']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
  const topics = run.stderr
    .trimEnd()
    .split('\n')
    .map((one) => line.exec(one)?.[1]);
  expect(new Set(topics)).toEqual(new Set(['tool', 'request']));
  const other = await converse([says('ok')]);
  expect(await other.tau(['-p', '--debug', 'tools'])).toMatchObject({ code: 0, stdout: 'ok\n' });
});

test.each([
  ['--debug-file', ['--debug-file', 'log'], {}],
  ['TAU_DEBUG_FILE', [], { TAU_DEBUG_FILE: 'log' }],
])('%s adds to a private file instead', async (_, args, env) => {
  const { tau, read, write, project } = await converse([says('ok')]);
  write('other', '');
  expect(await tau(['-p', 'go', ...args], { env })).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(read('log')).toContain(' session agent_end ');
  expect(statSync(join(project, 'log')).mode & 0o777).toBe(0o600);
});

test('secrets are taken out of what --debug says', async () => {
  const secret = 'a-secret-nobody-should-see';
  const shaped = `sk-ant-api03-${'x'.repeat(90)}`;
  const { tau } = await converse([calls(call('bash', { command: `echo ${secret} ${shaped}` })), says('ok')]);
  const run = await tau(['-p', 'go', '--debug', '--api-key', secret]);
  expect(run.stderr).toContain('echo [secret] [secret]');
  expect(run.stderr).not.toContain(secret);
  expect(run.stderr).not.toContain(shaped);
});

test('a key of models.json is taken out too, whatever its shape', async () => {
  const { tau } = await converse([calls(call('bash', { command: 'echo test-key' })), says('ok')]);
  const run = await tau(['-p', 'go', '--debug']);
  expect(run.stderr).toContain('echo [secret]');
  expect(run.stderr).not.toContain('test-key');
});

/** The deed is done in tau when its request has arrived, and is not answered. */
async function crash(args: string[], deed: string) {
  const { start, model, write, project } = await converse([{ hang: 'beforeHeaders' }]);
  const look = `const timer = setInterval(() => {
    if (!require('node:fs').existsSync(${JSON.stringify(join(project, 'go'))})) return;
    clearInterval(timer);
    ${deed};
  }, 10).unref();`;
  write('crash.cjs', look);
  const run = start(args, { env: { NODE_OPTIONS: `--require ${join(project, 'crash.cjs')}` } });
  await model.arrival(0);
  write('go', '');
  return run.done;
}

test.each([
  ['an exception', `throw new Error('boom')`],
  ['a promise nobody looks after', `Promise.reject(new Error('boom'))`],
])('%s that nobody foresaw is one sentence and code 1', async (_, deed) => {
  expect(await crash(['-p', 'go'], deed)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'tau: something went wrong inside tau: boom\n',
  });
});

test('who debugs a crash also sees where it was', async () => {
  const run = await crash(['-p', '--debug', 'go now'], `throw new Error('boom')`);
  expect(run.stderr).toMatch(/inside tau: boom\nError: boom\n +at /);
});
