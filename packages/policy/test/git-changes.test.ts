/** Calls of git that change something: their class, what they reach, and which of them cannot be taken back. */
import { describe, expect, test } from 'vitest';
import { effectsOf, judge } from './judging.ts';

describe('what git keeps elsewhere is no danger', () => {
  test.each([
    'git add .',
    "git commit -m 'fix the ProxyCommand --hard -f'",
    'git commit --amend --no-edit',
    'git merge main',
    'git rebase main',
    'git cherry-pick abc',
    'git revert HEAD',
    'git checkout main',
    'git checkout feature/x',
    'git checkout v1.2.3',
    'git checkout release/1.x',
    'git checkout -b new origin/main',
    'git switch -c new',
    'git restore --staged a.ts',
    'git restore -S a.ts',
    'git reset HEAD~1',
    'git reset --soft HEAD~1',
    'git stash',
    'git stash pop',
    'git branch new',
    'git branch -d old',
    'git branch -m old new',
    'git tag v1',
    'git tag -d v1',
    'git rm a.ts',
    'git rm --cached -f a.ts',
    'git mv a b',
    'git gc',
    'git worktree add ../x',
    'git worktree remove x',
    'git config user.name me',
    'git config --unset alias.x',
    'git init',
    'git -c user.name=x commit',
    'git -c credential.helper= commit',
    'git -c core.pager=cat log --stat --zz',
  ])('%s is of class git', (line) => {
    const finding = judge(line);
    expect(finding).toMatchObject({ class: 'git', known: false });
    expect(finding.why).not.toBe('');
    expect(finding).not.toHaveProperty('danger');
  });
});

const dangers: readonly [danger: string, lines: readonly string[]][] = [
  [
    'it rewrites or deletes what others have',
    [
      'git push --force',
      'git push -f origin main',
      'git push -uf origin main',
      'git push --forc',
      'git push --force-with-lease',
      'git push --mirror',
      'git push --delete origin x',
      'git push origin -d x',
      'git push origin :x',
      'git push origin +main',
      'git push --prune origin',
    ],
  ],
  [
    'it throws away changes that are not committed',
    [
      'git reset --hard',
      'git reset --har HEAD~1',
      'git reset HEAD~1 --hard',
      'git checkout -- a.ts',
      'git checkout HEAD -- a.ts',
      'git checkout .',
      'git checkout a.ts',
      'git checkout src/',
      'git checkout HEAD~1 src',
      'git checkout -f main',
      'git switch --discard-changes main',
      'git restore a.ts',
      'git restore .',
      'git restore --staged --worktree a.ts',
      'git restore -SW a.ts',
      'git restore -sfeatureS a.ts',
      'git rm -f a.ts',
      'git worktree remove --force x',
      'git submodule deinit -f sub',
    ],
  ],
  [
    'it removes files that git does not have',
    [
      'git clean -f',
      'git clean -fdx',
      'git clean -d --force',
      'git clean -f -enode_modules',
      'git clean -n --no-dry-run',
    ],
  ],
  [
    'it deletes a branch even if its commits are nowhere else',
    ['git branch -D x', 'git branch -d -f x', 'git branch --delete --force x', 'git -C sub branch -D x'],
  ],
  ['it throws away work that was set aside', ['git stash drop', 'git stash clear', "git stash drop 'stash@{1}'"]],
  ['it rewrites the history', ['git filter-branch --all', 'git filter-repo --path x']],
  [
    'it throws away the history that undoing needs',
    ['git reflog expire --expire=now --all', 'git reflog delete HEAD@{1}', 'git gc --prune=now', 'git prune'],
  ],
  ['it deletes a branch or a tag whatever it holds', ['git update-ref -d refs/heads/x']],
  [
    'it changes what git runs',
    [
      'git config alias.x !rm',
      'git config core.hooksPath hooks',
      'git config --global core.sshCommand x',
      'git config set core.fsmonitor x',
      'git config --add credential.helper x',
      'git config --edit',
      'git -c alias.x=!sh x',
      'git -c core.sshCommand=x fetch',
      'git -c diff.external=x diff',
      'git --exec-path=/tmp/x status',
      'git --config-env=core.pager=X log',
      'git -c $X log',
      'git clone -c core.fsmonitor=x https://example.org/a',
      'git clone --template=t https://example.org/a',
    ],
  ],
  [
    'it runs a program that the address or an option names',
    [
      "git clone 'ext::sh -c x'",
      'git fetch ext::x',
      'git remote add x ext::y',
      'git clone --upload-pack=x a b',
      'git clone -u x a b',
      'git fetch --upload-pack x origin',
      'git push --receive-pack=x origin',
      'git ls-remote --exec=x origin',
      'git clone ssh://-oProxyCommand=x/y',
    ],
  ],
  ['it leaves something that runs later', ['git maintenance start']],
  ['it hands out or changes stored passwords', ['git credential fill', 'git credential-store get']],
];

describe.each(dangers)('%s', (danger, lines) => {
  test.each(lines)('%s', (line) => {
    expect(judge(line)).toMatchObject({ known: false, danger });
  });

  test.each(lines)('%s, with more words to come', (line) => {
    expect(judge(line, { open: true })).toMatchObject({ known: false, danger });
  });
});

const remote: readonly [line: string, effects: readonly string[]][] = [
  ['git push', ['net *']],
  ['git push -u origin main', ['net *']],
  ['git fetch --all', ['net *']],
  ['git pull --rebase', ['net *']],
  ['git ls-remote https://example.org/x.git', ['net example.org']],
  ['git clone https://me:pw@example.org/x.git here', ['net example.org', 'write here']],
  ['git clone git@example.org:a/b', ['net example.org']],
  ['git clone --depth 1 -b main ssh://git@example.org:22/a', ['net example.org']],
  ["git clone 'https://good.org\\@evil.org/x'", ['net *']],
  ['git remote update', ['net *']],
  ['git submodule update --init', ['net *']],
  ['git lfs pull', ['net *']],
];

test.each(remote)('%s talks to another repository', (line, effects) => {
  const finding = judge(line);
  expect(finding).toMatchObject({ class: 'network', known: false });
  expect(effectsOf(finding)).toEqual(effects);
});

test.each([
  ['git config --global user.name x', 'write /home/me/.gitconfig'],
  ['git config --system --unset x.y', 'write /etc/gitconfig'],
  ['git config -f other user.name x', 'write other'],
  ['git diff --output=x', 'write x'],
  ['git format-patch -o out main', 'write out'],
  ['git archive -o a.tar HEAD', 'write a.tar'],
])('%s says which file it writes', (line, effect) => {
  expect(effectsOf(judge(line))).toContain(effect);
});

const forges: readonly [line: string, danger: string | undefined][] = [
  ['gh pr view 5', undefined],
  ['gh pr create --fill', undefined],
  ['gh api repos/a/b', undefined],
  ['gh api -X DELETE repos/a/b', 'it deletes something on the server'],
  ['gh api --method=delete repos/a/b', 'it deletes something on the server'],
  ['gh repo delete a/b --yes', 'it deletes or changes something on the server for everybody'],
  ['gh release delete v1', 'it deletes or changes something on the server for everybody'],
  ['gh secret set X', 'it deletes or changes something on the server for everybody'],
  ['gh auth token', 'it hands out a token'],
  ['glab repo delete x', 'it deletes or changes something on the server for everybody'],
];

test.each(forges)('%s is network, and its danger is: %s', (line, danger) => {
  const finding = judge(line);
  expect(finding).toMatchObject({ class: 'network', known: false });
  expect(finding.danger).toBe(danger);
});
