/** What does not talk to a model, in a stranger's repository: listings and explanations start nothing of it and call nobody. */
import { expect, test } from 'vitest';
import { says } from './conversation.ts';
import { stranger } from './hostile.ts';

const commands: string[][] = [
  ['--help'],
  ['doctor'],
  ['doctor', '--json'],
  ['sessions', '--all', '--json'],
  ['config', 'list'],
  ['config', 'list', '--json'],
  ['config', 'path'],
  ['config', 'explain', 'env'],
  ['permissions', 'list'],
  ['permissions', 'explain', 'git status; ls; rm -rf inner'],
  ['permissions', 'explain', '--tool', 'read', '{"path":"id_rsa.txt"}'],
  ['auth'],
  ['demo'],
  ['trust', 'status'],
  ['trust', 'status', '--json'],
  ['trust', 'no'],
];

test('every listing and explanation, where PATH leads into the folder', async () => {
  const { open, repo, model } = await stranger([says('never')]);
  for (const args of commands) {
    const run = await open(args, { env: { PATH: repo.path } });
    // Doctor has problems to tell of here.
    expect({ args, code: run.code }).toEqual({ args, code: args[0] === 'doctor' ? run.code : 0 });
    expect(run.stdout, args.join(' ')).not.toBe('');
  }
  expect(model.requests).toHaveLength(0);
}, 120_000);

test('tau models asks this machine only, and lists nothing of the folder', async () => {
  const { open, repo } = await stranger([says('never')]);
  const besides = ['127.0.0.1:11434', '127.0.0.1:1234', '127.0.0.1:8080'];
  const run = await open(['models', '--all'], { env: { PATH: repo.path }, besides });
  expect(run.code).toBe(0);
  expect(run.stdout).not.toContain('canary');
});

test('the editor of tau config edit is the user’s, not one that lies in the folder', async () => {
  const { open, repo } = await stranger([says('never')]);
  const run = await open(['config', 'edit'], { env: { PATH: repo.path, EDITOR: 'cat' } });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('scripted');
});
