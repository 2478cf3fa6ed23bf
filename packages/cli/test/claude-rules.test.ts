/** Rules in Claude Code's files, through the built command. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareSandbox, call, calls, converse, request, resultsIn, says } from './conversation.ts';

const file = (permissions: object) => JSON.stringify({ permissions });

test('a deny in .claude/settings.json stops a command and a read in every mode, and the model is told where it stands', async () => {
  const steps = [
    calls(
      call('bash', { command: 'ls && touch made' }),
      call('read', { path: 'secrets/key' }),
      call('grep', { pattern: 'x' }),
    ),
    says('ok'),
  ];
  const sandbox = await converse(steps, { settings: { permissionMode: 'dangerously' } });
  sandbox.write('secrets/key', 'x');
  sandbox.write('open.txt', 'x');
  sandbox.write('.claude/settings.json', file({ deny: ['Bash(touch:*)', 'Read(/secrets/**)'] }));
  expect(await sandbox.tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  const [touch, read, grep] = resultsIn(request(sandbox.model, 1)).map(({ text }) => text);
  expect(touch).toContain('the rule Bash(touch:*) of .claude/settings.json denies it');
  expect(read).toContain('the rule Read(/secrets/**) of .claude/settings.json denies it');
  expect(grep).toMatch(/^open\.txt:1:x\n(?!.*secrets)/);
});

test('what a project allows there counts with claudeRules and trust; explain and list name the file', async () => {
  const { tau, write, project, tauHome } = bareSandbox();
  write('.claude/settings.json', file({ allow: ['Bash(npm run test:*)'], ask: ['Bash(ls:*)'] }));
  write(join(tauHome, 'settings.json'), '{ "claudeRules": true, "sandbox": { "enabled": false } }');
  const before = await tau(['permissions', 'explain', '--json', 'npm run test']);
  expect(JSON.parse(before.stdout)).toMatchObject({ outcome: 'ask' });
  const list = await tau(['permissions', 'list']);
  const place = `Claude Code, ${join(project, '.claude/settings.json')}:1:`;
  expect(list.stdout).toContain(`ask   Bash(ls:*)  (${place}`);
  expect(list.stdout).toContain('it is not taken from a project that is not trusted');
  const trust = await tau(['trust', 'yes', '--yes']);
  expect(trust).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('permissions.allow: all this happens without'),
  });
  const after = await tau(['permissions', 'explain', '--json', 'npm run test']);
  expect(JSON.parse(after.stdout)).toMatchObject({
    outcome: 'allow',
    rule: 'Bash(npm run test:*)',
    reason: expect.stringContaining('of .claude/settings.json'),
  });
});
