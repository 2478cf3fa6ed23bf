/** What is said to only look is run by a real git, in a repository of its own, and nothing in there changes. */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { looks } from './git-looks.ts';

let folder: string;
let repository: string;

/** As commands that were proved are started. */
const hardened = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'diff.autoRefreshIndex',
  GIT_CONFIG_VALUE_0: 'false',
};

function git(...words: readonly string[]): number | null {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...hardened };
  return spawnSync('git', words, { cwd: repository, env, stdio: 'ignore' }).status;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-git-looks-'));
  repository = join(folder, 'repository');
  mkdirSync(join(repository, 'src'), { recursive: true });
  for (const name of ['a', 'b', 'a.ts', 'src/a.ts', 'Makefile']) writeFileSync(join(repository, name), 'one\ntwo\n');
  writeFileSync(join(repository, '.gitattributes'), '* diff=custom filter=custom\n');
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'me');
  git('config', 'user.email', 'me@example.org');
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(repository, 'a.ts'), 'three\n');
  git('stash');
  git('tag', 'v1');
  writeFileSync(join(repository, 'b'), 'changed\n');
  writeFileSync(join(repository, 'untracked'), 'new\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every file with its content and times, and every folder. */
function snapshot(): string[] {
  return readdirSync(repository, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(repository, name);
      const { mode, mtimeMs } = statSync(path);
      return `${name} ${mode} ${mtimeMs} ${statSync(path).isFile() ? readFileSync(path, 'base64') : ''}`;
    });
}

/** The index no longer knows that this file is unchanged, which tempts git to write that down. */
let disturbed = 0;
function disturb(): void {
  utimesSync(join(repository, 'src/a.ts'), new Date(), new Date(1_700_000_000_000 + 1000 * disturbed++));
}

test('none of the calls that only look changes a file', () => {
  for (const [line] of looks) {
    disturb();
    const before = snapshot();
    git(...(line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).slice(1).map((word) => word.replaceAll("'", '')));
    expect(snapshot(), line).toEqual(before);
  }
});

test('one that writes would have been noticed', () => {
  disturb();
  const before = snapshot();
  expect(git('describe', '--always', '--dirty')).toBe(0);
  expect(snapshot()).not.toEqual(before);
});

test('most of them do something here: the proof is not empty', () => {
  const done = looks.filter(([line]) => git(...line.replaceAll("'", '').split(' ').slice(1)) === 0);
  expect(done.length).toBeGreaterThan(looks.length * 0.6);
});
