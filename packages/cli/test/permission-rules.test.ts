import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareSandbox, call, calls, converse, request, resultsIn, says } from './conversation.ts';

test('rules of the settings, with wildcards and examples, decide what the model may do', async () => {
  const step = calls(
    call('bash', { command: 'touch a.made' }),
    call('bash', { command: 'touch a.made && touch b.txt' }),
    call('bash', { command: 'touch c.made > d.txt' }),
    call('bash', { command: 'cat sub/.env' }),
    call('read', { path: 'sub/.env' }),
    call('write', { path: 'docs/x/page.md', content: 'page' }),
    call('write', { path: 'docs/x/page.txt', content: 'page' }),
  );
  const { tau, model, write, tauHome, project } = await converse([step, says('done')]);
  write('sub/.env', 'KEY=secret-value');
  write(
    join(tauHome, 'settings.json'),
    JSON.stringify({
      permissions: {
        allow: [
          { rule: 'Bash(touch *.made)', match: ['touch x.made'], notMatch: ['touch x.txt'] },
          'Edit(docs/**/*.md)',
        ],
        deny: ['Read(.env)'],
      },
    }),
  );
  const run = await tau(['-p', 'go']);
  expect(run).toMatchObject({ code: 3, stdout: 'done\n' });
  const results = resultsIn(request(model, 1)).map(({ text }) => text);
  expect(results[3]).toContain('Read(.env)');
  expect(results[4]).toContain('Read(.env)');
  expect(results.join('\n')).not.toContain('secret-value');
  const made = ['a.made', 'b.txt', 'c.made', 'd.txt', 'docs/x/page.md', 'docs/x/page.txt'];
  expect(made.filter((name) => existsSync(join(project, name)))).toEqual(['a.made', 'docs/x/page.md']);
});

test('a rule with a field that means nothing stops tau, for a guard must not silently be missing', async () => {
  const { tau, write, tauHome } = bareSandbox();
  write(
    join(tauHome, 'settings.json'),
    '{ "permissions": { "deny": [{ "rule": "bash(rm:*)", "matches": ["rm x"] }] } }',
  );
  const run = await tau(['-p', 'go']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('permissions.deny');
});

test('a run says which rules of the settings may not be what was meant, and leaves out an allow whose example fails', async () => {
  const step = calls(call('bash', { command: 'touch made.txt' }));
  const { tau, write, tauHome, project } = await converse([step, says('done')]);
  write(
    join(tauHome, 'settings.json'),
    JSON.stringify({
      permissions: {
        allow: [{ rule: 'bash(touch *)', notMatch: ['touch "$HOME"/x'] }, 'bsh(ls)', 'bash(git push:*)', 'bash(env:*)'],
        deny: ['bash(git:*)'],
      },
    }),
  );
  const run = await tau(['-p', 'go']);
  expect(run.code).toBe(3);
  expect(existsSync(join(project, 'made.txt'))).toBe(false);
  expect(run.stderr).toMatch(/"bash\(touch \*\)" covers "touch .*", which it must not/);
  expect(run.stderr).toMatch(/"bsh\(ls\)".*Did you mean bash\?/);
  expect(run.stderr).toMatch(/"bash\(git push:\*\)" never counts/);
  expect(run.stderr).toMatch(/"bash\(env:\*\)" allows any command/);
});
