/** Claude Code's rule files: what counts of them, for whom, as what, and that a change of them counts too. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeSandbox } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openPermissionView, trustStatus } from '../src/index.ts';
import { call, collect, resultText, says, workbench } from './workbench.ts';

type Rules = Partial<Record<'allow' | 'ask' | 'deny', readonly unknown[]>>;

function place(settings: object = {}) {
  const sandbox = makeSandbox({ settings });
  onTestFinished(sandbox.dispose);
  const { home, project, write } = sandbox;
  const env = { HOME: home, PATH: process.env.PATH, TAU_SANDBOX_ENABLED: 'false' };
  return {
    ...sandbox,
    rules: (path: string, permissions: Rules) => write(path, JSON.stringify({ permissions })),
    ownRules: (permissions: Rules) => write(join(home, '.claude/settings.json'), JSON.stringify({ permissions })),
    view: (cwd = project) => openPermissionView({ cwd, env }),
    status: () => trustStatus({ cwd: project, env }),
  };
}

type View = Awaited<ReturnType<ReturnType<typeof place>['view']>>;

const read = async (view: View, path: string) => (await view.explain('read', { path })).decision;
const edit = async (view: View, path: string) => (await view.explain('write', { path, content: '' })).decision;
const run = async (view: View, command: string) => (await view.explainCommand(command)).decision;

test('what asks or denies counts without a word from anybody, with the file in the reason', async () => {
  const { rules, ownRules, view } = place();
  rules('.claude/settings.json', { deny: ['Bash(git push:*)', 'Read(/secrets/**)'], ask: ['Bash(npm run test:*)'] });
  rules('.claude/settings.local.json', { deny: ['Edit(*.lock)'] });
  ownRules({ deny: ['Bash(curl:*)'], allow: ['Bash(npm run build)'] });
  const seen = await view();
  expect(await run(seen, 'ls && sudo git push origin')).toMatchObject({
    outcome: 'deny',
    rule: 'Bash(git push:*)',
    reason: 'the rule Bash(git push:*) of .claude/settings.json denies it',
  });
  expect((await run(seen, 'curl -s https://example.org')).reason).toContain('of ~/.claude/settings.json');
  expect(await run(seen, 'npm run test -- x')).toMatchObject({ outcome: 'ask', rule: 'Bash(npm run test:*)' });
  expect(await run(seen, 'npm run build')).toMatchObject({ outcome: 'ask' });
  expect(await read(seen, 'secrets/key')).toMatchObject({ outcome: 'deny', rule: 'Read(/secrets/**)' });
  expect((await run(seen, 'cat secrets/key')).outcome).toBe('deny');
  expect((await edit(seen, 'a/yarn.lock')).reason).toContain('.claude/settings.local.json');
  expect(seen.problems).toEqual([]);
});

test('with claudeRules what the user’s file allows counts too, with false nothing does', async () => {
  const permissions = { allow: ['Bash(npm run test:*)', 'WebFetch(domain:example.org)'], deny: ['Bash(npm run x)'] };
  const on = place({ claudeRules: true });
  on.ownRules(permissions);
  const view = await on.view();
  expect(await run(view, 'npm run test -- a')).toMatchObject({
    outcome: 'allow',
    reason: 'the rule Bash(npm run test:*) of ~/.claude/settings.json allows it',
  });
  // Every part must be allowed, and a deny anywhere denies.
  expect((await run(view, 'npm run test && npm install')).outcome).toBe('ask');
  expect((await run(view, 'npm run test && npm run x')).outcome).toBe('deny');
  const off = place({ claudeRules: false });
  off.ownRules(permissions);
  off.write('.claude/settings.json', 'odd');
  const none = await off.view();
  expect((await run(none, 'npm run x')).outcome).toBe('ask');
  expect([none.rules, none.problems]).toEqual([[], []]);
});

test('a project cannot turn it on, and what it allows counts when exactly that is trusted', async () => {
  const { rules, ownRules, view, status, write, tauHome } = place();
  ownRules({});
  rules('.claude/settings.json', { allow: ['Bash(npm run test:*)'], deny: ['Bash(npm run x)'] });
  write('.tau/settings.json', '{ "claudeRules": true }');
  const tested = async () => (await run(await view(), 'npm run test')).outcome;
  await (await status()).record('yes');
  expect(await tested()).toBe('ask');
  expect((await view()).rules).toContainEqual(
    expect.objectContaining({ rule: 'Bash(npm run test:*)', not: 'claudeRules is not on in your settings' }),
  );

  write(join(tauHome, 'settings.json'), '{ "claudeRules": true }');
  expect(await tested()).toBe('allow');
  rules('.claude/settings.json', { allow: ['Bash(npm run test:*)', 'Bash(npm run y)'], deny: ['Bash(npm run x)'] });
  expect(await tested()).toBe('ask');
  const seen = await view();
  expect((await run(seen, 'npm run x')).outcome).toBe('deny');
  expect(seen.problems).toEqual([expect.stringMatching(/^\.claude\/settings\.json: what it allows does not count/)]);
  const changed = await status();
  expect(changed).toMatchObject({
    state: 'untrusted',
    open: true,
    changed: [{ path: '.claude/settings.json', change: 'changed' }],
    enables: [
      { name: 'claudeRules' },
      { name: 'permissions.allow', value: ['Bash(npm run test:*)', 'Bash(npm run y)'], counts: true },
    ],
  });
  await changed.record('yes');
  expect(await tested()).toBe('allow');
  expect(await status()).toMatchObject({ state: 'trusted', changed: [] });
});

test('rules of Claude Code are no reason to distrust a project where they do not count', async () => {
  const { rules, status } = place();
  rules('.claude/settings.json', { allow: ['Bash(ls)'] });
  expect(await status()).toMatchObject({ state: 'nothing to trust', open: false, enables: [{ counts: false }] });
  await (await status()).record('yes');
  rules('.claude/settings.local.json', { allow: ['Bash(pwd)'] });
  expect(await status()).toMatchObject({ state: 'trusted', changed: [] });
});

test('a file that leads out of the project restricts, and allows nothing whatever was said', async () => {
  const { view, status, write, project, home } = place({ claudeRules: true });
  write(
    join(home, 'elsewhere.json'),
    JSON.stringify({ permissions: { allow: ['Bash(npm x)'], deny: ['Bash(npm y)'] } }),
  );
  write('.claude/x', '');
  symlinkSync(join(home, 'elsewhere.json'), join(project, '.claude/settings.json'));
  await (await status()).record('yes');
  const seen = await view();
  expect([(await run(seen, 'npm x')).outcome, (await run(seen, 'npm y')).outcome]).toEqual(['ask', 'deny']);
});

test('comments in the files are no reason to leave them out, with trust too', async () => {
  const { view, status, write } = place({ claudeRules: true });
  write('.claude/settings.json', '{ // ours\n"permissions": { "allow": ["Bash(npm x)"], "deny": ["Bash(npm y)"], } }');
  await (await status()).record('yes');
  const seen = await view();
  expect([(await run(seen, 'npm x')).outcome, (await run(seen, 'npm y')).outcome]).toEqual(['allow', 'deny']);
});

test('they are listed with file, line and why one does not count', async () => {
  const { write, view, project } = place();
  write('.claude/settings.json', '{\n  "permissions": {\n    "allow": ["Bash(ls)"],\n    "deny": ["Bash(x)"]\n  }\n}');
  const path = join(project, '.claude/settings.json');
  expect((await view()).rules).toEqual([
    { outcome: 'deny', rule: 'Bash(x)', origin: 'claude', place: `${path}:4:5` },
    {
      ...{ outcome: 'allow', rule: 'Bash(ls)', origin: 'claude', place: `${path}:3:5` },
      not: 'claudeRules is not on in your settings',
    },
  ]);
});

test('a slash is the folder of the file: of the project, of the folder tau was started in, or the user’s .claude', async () => {
  const { rules, ownRules, view, project, home, write } = place();
  mkdirSync(join(project, '.git'));
  write('packages/app/a.txt', 'x');
  rules('.claude/settings.json', { deny: ['Edit(/src/**)'] });
  rules('.claude/settings.local.json', { deny: ['Edit(/docs/**)'] });
  rules('packages/app/.claude/settings.json', { deny: ['Edit(/lib/**)'] });
  ownRules({ deny: ['Edit(/commands/**)', 'Edit(~/notes/**)'] });
  const app = join(project, 'packages/app');
  const view_ = await view(app);
  const denied = async (path: string) => (await edit(view_, path)).outcome === 'deny';
  expect(
    await Promise.all(
      ['src/a', 'docs/a', 'packages/app/docs/a', 'packages/app/lib/a'].map((path) => denied(join(project, path))),
    ),
  ).toEqual([true, true, true, true]);
  expect(
    await Promise.all(['packages/app/src/a', 'lib/a', 'commands/a'].map((path) => denied(join(project, path)))),
  ).toEqual([false, false, false]);
  expect(await denied(join(home, '.claude/commands/a'))).toBe(true);
  expect(await denied(join(home, 'notes/a'))).toBe(true);
  expect(await denied('/src/a')).toBe(false);
});

test('what cannot be read is said with its place: a file counts for nothing, a rule for its whole tool', async () => {
  const { write, ownRules, view, project } = place();
  ownRules({ deny: ['Bash(rm', 7], ask: ['Read(**/*.{pem,key})'] });
  write('.claude/settings.json', '{\n  "permissions": {\n    "deny": ["Bash(x)"\n  }\n}');
  write('.claude/settings.local.json', '{ "permissions": { "deny": "Bash(x)" } }');
  const seen = await view();
  expect(seen.problems).toEqual([
    expect.stringMatching(
      /^~\/\.claude\/settings\.json: The deny rule "Bash\(rm" cannot be read: .* denies every use of bash/,
    ),
    expect.stringMatching(
      /\.claude\/settings\.json:1:\d+: permissions\.deny\.1: must be a rule, as a text; it is left out$/,
    ),
    expect.stringMatching(
      `^${project}/\\.claude/settings\\.json:4:3: this is not valid JSON.*No permission rule in it counts`,
    ),
    expect.stringMatching(/settings\.local\.json:1:\d+: permissions\.deny: must be a list of rules; it is left out$/),
  ]);
  expect((await run(seen, 'ls')).outcome).toBe('deny');
  expect([(await read(seen, 'a/b.key')).outcome, (await read(seen, 'a/b.ts')).outcome]).toEqual(['ask', 'allow']);
});

test('a change counts from the next prompt on, and a slip takes no guard away', async () => {
  const looks = [call('bash', { command: 'ls' }), says('ok')];
  const { another, write } = await workbench([...looks, ...looks, ...looks, ...looks]);
  const agent = await another();
  const go = async () => {
    const events = await collect(agent.prompt('go'));
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
    return { denied: resultText(events).includes('of .claude/settings.json'), notices };
  };
  expect(await go()).toEqual({ denied: false, notices: [] });
  write('.claude/settings.json', JSON.stringify({ permissions: { deny: ['Bash(ls:*)'] } }));
  expect(await go()).toEqual({ denied: true, notices: [] });
  expect(agent.rules()).toEqual([
    { outcome: 'deny', rule: 'Bash(ls:*)', origin: 'claude', file: '.claude/settings.json' },
  ]);
  write('.claude/settings.json', '{ "permissions": ');
  expect(await go()).toEqual({ denied: true, notices: [expect.stringContaining('stood in it before stay')] });
  write('.claude/settings.json', '{}');
  expect(await go()).toEqual({ denied: false, notices: [] });
});

test('another agent gets what they deny in words of its own', async () => {
  const { another, write, home } = await workbench([]);
  write(
    '.claude/settings.json',
    JSON.stringify({ permissions: { deny: ['Read(/x/*.{a,b})', 'Bash(y)'], allow: ['Bash'] } }),
  );
  write(join(home, '.claude/settings.json'), JSON.stringify({ permissions: { deny: ['Edit(z/**)'] } }));
  const agent = await another();
  const { rules } = agent.permissionState();
  expect(rules.allow).toEqual([]);
  expect(rules.deny).toEqual([
    'edit(**/z)',
    expect.stringMatching(/^read\(\/.*\/x\/\*\.a\)$/),
    expect.stringMatching(/^read\(\/.*\/x\/\*\.b\)$/),
    'Bash(y)',
  ]);
});

test('what is pasted from Claude Code into tau’s own settings is understood, or named with what to write instead', async () => {
  const { view, write, tauHome } = place();
  const permissions = {
    ...{ defaultMode: 'plan', additionalDirectories: ['/x'], disableBypassPermissionsMode: 'disable' },
    deny: [
      'Read(/no-such-folder/**)',
      'Read(//no-such-folder/x)',
      'read(/no-such-folder/y)',
      'Read(/etc/x)',
      'Bash(curl:*)',
    ],
  };
  write(join(tauHome, 'settings.json'), JSON.stringify({ permissions }));
  const seen = await view();
  expect(seen.warnings).toEqual([
    expect.stringMatching(
      /permissions\.defaultMode: .*In tau this is "permissionMode", at the top of the file\. It is ignored$/,
    ),
    expect.stringMatching(/permissions\.additionalDirectories: .*"additionalDirectories" stands at the top/),
    expect.stringMatching(/permissions\.disableBypassPermissionsMode: .*tau has no such switch/),
  ]);
  expect(seen.problems).toEqual([
    expect.stringMatching(
      /^The deny rule "Read\(\/no-such-folder\/\*\*\)" is about \/no-such-folder at the root .* write "Read\(\.\/no-such-folder\/\*\*\)"/,
    ),
  ]);
  expect((await run(seen, 'curl x')).outcome).toBe('deny');
  write(join(tauHome, 'settings.json'), '{ "permissions": { "denny": [] } }');
  await expect(view()).rejects.toThrow('permissions.denny');
});
