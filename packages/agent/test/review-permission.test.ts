import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionMode } from '@tau/core';
import { createShellReader } from '@tau/policy';
import { expect, test } from 'vitest';
import { suggestRules } from '../src/index.ts';
import { createPermission } from '../src/permission.ts';
import { call, collect, extensionOf, resultText, says, workbench } from './workbench.ts';

const shell = createShellReader(() => ({ cwd: '/work/project', home: '/home/me', trustedPath: true }));
const scope = {
  roots: ['/work/project'],
  temp: ['/tmp'],
  toolchain: ['/usr'],
  home: '/home/me',
  tauHome: '/home/me/.tau',
};

test.each<PermissionMode>(['default', 'plan', 'dontAsk', 'acceptEdits'])(
  'in %s mode a search leaves out what a rule denies or asks about, and nothing else',
  (mode) => {
    const rules = [{ allow: ['grep'], ask: ['read(notes:*)'], deny: ['read(secrets/**)'] }];
    const permission = createPermission({ mode, rules, scope, shell });
    const mayRead = (path: string, root = '/work/project') => permission.mayRead(path, root);
    expect(mayRead('/work/project/a')).toBe(true);
    // Whether the folder outside may be searched was asked about, or allowed by a rule, before the search began.
    expect(mayRead('/srv/docs/a', '/srv/docs')).toBe(true);
    expect(mayRead('/work/project/secrets/key')).toBe(false);
    expect(mayRead('/work/project/secrets/key', '/work/project/secrets')).toBe(false);
    expect(mayRead('/home/me/.ssh/id_rsa', '/home/me')).toBe(false);
    // A search of the folder itself asks, so what it finds was approved.
    expect(mayRead('/work/project/notes/a')).toBe(false);
    expect(mayRead('/work/project/notes/sub/a', '/work/project/notes/sub')).toBe(true);
    expect(permission.deniesBelow('/work/project')).toBe(true);
  },
);

test('in dangerously mode only denials count for a search, as for a read', () => {
  const rules = [{ ask: ['read(notes:*)'], deny: ['read(secrets/**)'] }];
  const permission = createPermission({ mode: 'dangerously', rules, scope, shell });
  expect(permission.mayRead('/work/project/notes/a', '/work/project')).toBe(true);
  expect(permission.mayRead('/work/project/secrets/a', '/work/project')).toBe(false);
});

test('a rule that asks before every read keeps nothing from a search', () => {
  const permission = createPermission({ mode: 'default', rules: [{ ask: ['read'] }], scope, shell });
  expect(permission.mayRead('/work/project/a', '/work/project')).toBe(true);
});

test('a search shows nothing of a file that an ask rule covers, unless the search itself asked', async () => {
  const steps = [call('grep', { pattern: 'needle' }), says('ok'), call('grep', { pattern: 'needle', path: 'notes' })];
  const { agent, write } = await workbench([...steps, says('ok')], {
    rules: { ask: ['read(notes/**)'] },
    ask: async () => ({ outcome: 'allow' }),
  });
  write('notes/a.txt', 'needle in the notes\n');
  write('open.txt', 'needle\n');
  expect(resultText(await collect(agent.prompt('go')))).toBe(
    'open.txt:1:needle\n[1 file left out: reading is denied, or asks first: name them in path.]',
  );
  expect(resultText(await collect(agent.prompt('go')))).toBe('notes/a.txt:1:needle in the notes');
});

test('a folder outside that a rule lets grep search is searched where nothing asks', async () => {
  const input = { pattern: '^root:', path: '/etc', glob: '/passwd' };
  const { agent } = await workbench([call('grep', input), says('ok')], {
    permissionMode: 'dontAsk',
    rules: { allow: ['grep'] },
  });
  expect(resultText(await collect(agent.prompt('go')))).toContain('/etc/passwd:1:root:');
});

test('a rule that names a link restricts what is behind it, by whatever path it is reached', async () => {
  const steps = ['real/key', 'link/key', 'real/open'].map((path) => call('read', { path }));
  const { write, project, another } = await workbench([
    ...steps.flatMap((step) => [step, says('ok')]),
    call('grep', { pattern: 'secret' }),
    says('ok'),
  ]);
  write('real/key', 'the secret\n');
  write('real/open', 'the rest\n');
  symlinkSync('real', join(project, 'link'));
  const agent = await another({ rules: { deny: ['read(link/key)'] } });
  const told = async () => resultText(await collect(agent.prompt('go')));
  expect(await told()).toContain('the rule read(link/key) denies it');
  expect(await told()).toContain('the rule read(link/key) denies it');
  expect(await told()).toContain('the rest');
  expect(await told()).toContain('No line matches');
});

test('what comes after plan_enter in the same message is judged in plan mode', async () => {
  const blocks = [
    { call: 'write', input: { path: 'before.txt', content: 'x' }, id: 'one' },
    { call: 'plan_enter', input: {}, id: 'two' },
    { call: 'write', input: { path: 'after.txt', content: 'x' }, id: 'three' },
  ];
  const { agent, project } = await workbench([{ blocks }, says('ok')], { permissionMode: 'acceptEdits' });
  const events = await collect(agent.prompt('go'));
  expect(agent.permissionMode).toBe('plan');
  expect(existsSync(join(project, 'after.txt'))).toBe(false);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'tool_execution_end',
      toolCallId: 'three',
      result: expect.objectContaining({
        content: [{ type: 'text', text: expect.stringMatching('plan mode only reads') }],
      }),
    }),
  );
});

test('a hook that guards a tool by its name guards it under every name a model has for it', async () => {
  const guard = extensionOf('guard', (api) =>
    api.beforeTool(({ toolName }) => (toolName === 'bash' ? { block: 'no commands' } : undefined)),
  );
  for (const name of ['bash', 'Bash', 'shell', 'run_shell_command']) {
    const { agent } = await workbench([call(name, { command: 'true' }), says('ok')], { extensions: [guard] });
    expect(resultText(await collect(agent.prompt('go')))).toContain('no commands');
  }
});

test('a call under another agent’s name is offered the same narrow rule', async () => {
  const { agent } = await workbench([call('shell', { command: 'make' }), says('ok')]);
  const asked = (await collect(agent.prompt('go'))).find(({ type }) => type === 'permission_request');
  if (asked?.type !== 'permission_request') throw new Error('nothing was asked');
  const { toolCallId: id, toolName, input, decision } = asked;
  expect(suggestRules({ id, toolName, input }, decision.effects, '/work')).toEqual(['bash(make)']);
});
