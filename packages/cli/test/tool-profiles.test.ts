/** Which tools a request offers, and what that costs: the profiles, the flags, the model's family, the mode. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { defaultTools, offeredIn } from './offered.ts';
import { providerAt, writeProviders } from './providers.ts';

const kilobyte = 1000;

test.each(apis)('a request with the default tools is at most 8 KB, over %s', async (api) => {
  const { tau, model } = await converse([says('ok')], { api });
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stderr: '' });
  expect(offeredIn(request(model, 0))).toEqual(defaultTools);
  expect(Buffer.byteLength(request(model, 0).raw)).toBeLessThanOrEqual(8 * kilobyte);
});

test.each(apis)(
  '--tools minimal is read, write, edit and bash, and a request of at most 5 KB, over %s',
  async (api) => {
    const { tau, model } = await converse([says('ok')], { api });
    expect(await tau(['-p', 'hi', '--tools', 'minimal'])).toMatchObject({ code: 0, stderr: '' });
    expect(offeredIn(request(model, 0))).toEqual(['read', 'write', 'edit', 'bash']);
    expect(Buffer.byteLength(request(model, 0).raw)).toBeLessThanOrEqual(5 * kilobyte);
  },
);

test.each([
  [
    ['--tools', 'read,grep'],
    ['read', 'grep'],
  ],
  [
    ['--tools', 'grep, read', '--tools', 'ls'],
    ['read', 'grep', 'ls'],
  ],
  // As another agent calls them.
  [
    ['--tools', 'Read,WebFetch'],
    ['read', 'web_fetch'],
  ],
  [
    ['--tools', 'minimal,todo'],
    ['read', 'write', 'edit', 'bash', 'todo'],
  ],
  [
    ['--exclude-tools', 'bash,Write'],
    ['read', 'edit', 'grep', 'glob', 'ls', 'tool_search'],
  ],
  [
    ['--tools', 'minimal', '--exclude-tools', 'bash'],
    ['read', 'write', 'edit'],
  ],
  [['--no-tools'], []],
  [['--no-builtin-tools'], []],
])('%j offers exactly %j', async (args, names) => {
  const { tau, model } = await converse([says('ok')]);
  expect(await tau(['-p', 'hi', ...args])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(offeredIn(request(model, 0))).toEqual(names);
});

test.each([
  ['--tools', 'read,grap', '"grap"; did you mean grep?'],
  ['--exclude-tools', 'bsh', '"bsh"; did you mean bash?'],
  ['--tools', 'teleport', '"teleport"'],
])('%s %s is a usage error that says what would do', async (flag, names, words) => {
  const { tau, model } = await converse([says('never')]);
  expect(await tau(['-p', 'hi', flag, names])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`There is no tool ${words}`),
  });
  expect(model.requests).toHaveLength(0);
});

test('a tool that is not there in the settings is a warning, and the others are offered', async () => {
  const { tau, model } = await converse([says('ok')], { settings: { tools: ['read', 'grap'] } });
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stderr: expect.stringContaining('did you mean grep?') });
  expect(offeredIn(request(model, 0))).toEqual(['read']);
});

test('the flag goes before the setting', async () => {
  const { tau, model } = await converse([says('ok')], { settings: { tools: 'minimal' } });
  expect((await tau(['-p', 'hi', '--tools', 'ls'])).code).toBe(0);
  expect(offeredIn(request(model, 0))).toEqual(['ls']);
});

test('a tool that was left out cannot be called either', async () => {
  const { tau, model, project } = await converse([
    calls(call('write', { path: 'made', content: 'x' }), call('bash', { command: 'touch made' })),
    says('ok'),
  ]);
  const run = await tau(['-p', 'go', '--tools', 'read', '--permission-mode', 'dangerously']);
  expect(run.code).toBe(0);
  expect(resultsIn(request(model, 1)).map(({ text }) => text)).toEqual([
    'There is no tool named "write".',
    'There is no tool named "bash".',
  ]);
  expect(readdirSync(project)).toEqual([]);
});

test.each([
  ['gpt-5.4', true],
  ['scripted', false],
])('%s is offered apply_patch from the start: %s', async (id, offered) => {
  const { model, ...sandbox } = await converse([says('ok')], { settings: { model: `lab/${id}` } });
  writeProviders(sandbox, { lab: providerAt(model, 'openai-responses', { id }) });
  expect(await sandbox.tau(['-p', 'hi'])).toMatchObject({ code: 0, stderr: '' });
  expect(offeredIn(request(model, 0)).includes('apply_patch')).toBe(offered);
});

test('plan mode offers plan_exit, and no tool writes', async () => {
  const patch = ['*** Begin Patch', '*** Add File: made', '+x', '*** End Patch'].join('\n');
  const { tau, model, write, read, project } = await converse([
    calls(
      call('read', { path: 'a.txt' }),
      call('write', { path: 'made', content: 'x' }),
      call('edit', { path: 'a.txt', old_string: 'one', new_string: 'two' }),
      call('apply_patch', { input: patch }),
      call('bash', { command: 'touch made' }),
      call('bash', { command: 'touch made', background: true }),
      call('bash', { command: 'cat a.txt > made' }),
    ),
    says('a plan'),
  ]);
  write('a.txt', 'one');
  const free = ['--allow', 'bash', '--allow', 'write', '--allow', 'edit', '--allow', 'apply_patch'];
  const run = await tau(['-p', 'go', '--permission-mode', 'plan', ...free]);
  expect(run.stdout).toBe('a plan\n');
  expect(offeredIn(request(model, 0))).toEqual([...defaultTools, 'plan_exit']);
  const [seen, ...refused] = resultsIn(request(model, 1)).map(({ text }) => text);
  expect(seen).toBe('1\tone');
  expect(refused).toHaveLength(6);
  for (const text of refused) expect(text).toContain('plan mode only reads');
  expect(readdirSync(project)).toEqual(['a.txt']);
  expect(read(join(project, 'a.txt'))).toBe('one');
});
