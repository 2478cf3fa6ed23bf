/** What is offered to somebody who writes a prompt: the project's files and folders, and what changed in it. */
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { changesIn, listModels } from '../src/index.ts';
import { call, collect, resultText, says, workbench } from './workbench.ts';

test('files that git ignores or a rule denies are not offered', async () => {
  const { agent, write, project } = await workbench([says('ok')], { rules: { deny: ['read(./private/**)'] } });
  execFileSync('git', ['init', '-q'], { cwd: project });
  write('.gitignore', 'ignored.log\n');
  write('ignored.log', '');
  write('src/a b.ts', '');
  write('private/diary.txt', '');
  const { paths, complete } = await agent.files();
  expect(complete).toBe(true);
  expect(paths.toSorted()).toEqual(['.gitignore', 'src/a b.ts']);
  const stopped = AbortSignal.abort();
  await expect(agent.files({ signal: stopped })).rejects.toThrow();
});

test('a folder is listed as it is written, a link as what it leads to, and what is denied not at all', async () => {
  const { agent, write, project, home } = await workbench([says('ok')], { rules: { deny: ['read(./private/**)'] } });
  write('src/a.ts', '');
  write('private/diary.txt', '');
  write(join(home, 'notes/n.txt'), '');
  write(join(home, '.ssh/id_rsa'), '');
  symlinkSync(join(project, 'src'), join(project, 'link'));
  symlinkSync(join(project, 'private/diary.txt'), join(project, 'harmless.txt'));
  expect(await agent.folder('')).toEqual([
    { name: 'link', folder: true },
    { name: 'src', folder: true },
  ]);
  expect(await agent.folder('private/')).toEqual([]);
  expect(await agent.folder('~/notes/')).toEqual([{ name: 'n.txt', folder: false }]);
  expect(await agent.folder('~/.ssh/')).toEqual([]);
  await expect(agent.folder('nowhere/')).rejects.toThrow('nowhere');
});

test('what changed is told by a git that runs nothing the repository names', async () => {
  const { write, project, home } = await workbench([says('ok')]);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project });
  const env = { PATH: process.env.PATH, HOME: home };
  await expect(changesIn(project, env)).rejects.toThrow('This folder is in no git repository');
  git('init', '-q');
  write('a.txt', 'one\n');
  git('add', '.');
  expect(await changesIn(project, env)).toMatchObject({ diff: expect.stringContaining('+one'), untracked: [] });
  git('commit', '-qm', 'first');
  expect(await changesIn(project, env)).toEqual({ diff: '', untracked: [], cut: false });
  write('a.txt', 'two\n');
  write('new file.txt', '');
  write('.gitattributes', '*.txt diff=evil\n');
  git('config', 'diff.evil.textconv', `touch ${join(project, 'ran')}; cat`);
  git('config', 'diff.external', `touch ${join(project, 'ran')}`);
  git('config', 'core.fsmonitor', `touch ${join(project, 'ran')}`);
  const { diff, untracked } = await changesIn(project, env);
  expect(diff).toContain('-one\n+two');
  expect(untracked).toEqual(['.gitattributes', 'new file.txt']);
  expect(existsSync(join(project, 'ran'))).toBe(false);
});

test('a scope names models by name, pattern or part, in its order and each once', async () => {
  const { home, write } = await workbench([says('ok')]);
  const provider = { baseUrl: 'http://127.0.0.1:9', api: 'anthropic-messages', apiKey: 'k' };
  const models = ['small', 'large', 'large-fast'].map((id) => ({ id }));
  write(join(home, '.tau/models.json'), JSON.stringify({ providers: { here: { ...provider, models } } }));
  const found = async (scope: string[]) =>
    (await listModels({ env: { HOME: home }, scope })).models.map(({ id }) => id);
  expect(await found(['large', 'here/*'])).toEqual(['large', 'small', 'large-fast']);
  expect(await found(['fast'])).toEqual(['large-fast']);
  expect(await found(['nothing'])).toEqual([]);
});

test('a folder that is added counts as inside from the next call on, and one that is not there is an error', async () => {
  const reads = call('read', { path: '../added/note.txt' });
  const { another, home, write } = await workbench([reads, says('no'), reads, says('yes')]);
  write('../added/note.txt', 'a note');
  // Else everything here would be inside: it is all in the temp folder.
  vi.stubEnv('TMPDIR', join(home, 'tmp'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const agent = await another();
  expect(resultText(await collect(agent.prompt('go')))).not.toContain('a note');
  const added = agent.addFolder('../added');
  expect(agent.folders()).toEqual([expect.stringMatching(/project$/), added]);
  expect(resultText(await collect(agent.prompt('go')))).toContain('a note');
  expect(() => agent.addFolder('nowhere')).toThrow('there is no such folder');
});
