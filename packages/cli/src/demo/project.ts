/** The small real project that the demo repairs: its tests fail for a reason that running them reveals. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TauError, withOwnPrograms } from '@tau/agent';

const files: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "median",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'src/median.js': `/** The middle value of a list; for an even count, the mean of the middle two. */
export function median(values) {
  const sorted = [...values].sort();
  const middle = Math.floor(sorted.length / 2);
  return sorted[middle];
}
`,
  'test/median.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from '../src/median.js';

test('the middle of an odd count', () => {
  assert.equal(median([3, 1, 2]), 2);
});

test('numbers are ordered as numbers', () => {
  assert.equal(median([10, 9, 1]), 9);
});

test('an even count gives the mean of the middle two', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
});
`,
};

export async function makeProject(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'add', '.');
  await git(folder, 'commit', '--quiet', '--message', 'A median with a bug');
}

export function projectDiff(folder: string): Promise<string> {
  return git(folder, 'diff', '--no-ext-diff', '--no-textconv', '--no-color');
}

/** True when the project's own tests pass. */
export async function testsPass(folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { execFileSync } = await import('node:child_process');
  try {
    execFileSync(process.execPath, ['--test'], { cwd: folder, env, stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

/** Git that heeds no configuration but its own: no hooks, no helpers, no signing, no person's name. */
async function git(folder: string, ...args: string[]): Promise<string> {
  const { execFileSync } = await import('node:child_process');
  const identity = { GIT_AUTHOR_NAME: 'tau demo', GIT_AUTHOR_EMAIL: 'demo@tau.invalid' };
  const env = {
    PATH: withOwnPrograms(process.env).PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...identity,
    GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
  };
  try {
    return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : String(error);
    throw new TauError('process', `git could not be used for the demo's project: ${why}`, {
      remedy: 'Is git installed?',
    });
  }
}
