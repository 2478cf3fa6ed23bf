/** Incident 20, CVE-2026-45033: a repository whose own configuration names programs, and git that only looks. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareSandbox, type Conversation } from './conversation.ts';
import { attempt, bash, modes } from './incidents.ts';

interface Trap {
  /** Lines for `.git/config`; `%s` is the program that leaves the sign. */
  config: string;
  attributes?: string;
  /** What git itself falls into, with nobody guarding it: the proof that the trap is one. */
  springs?: string;
}

/** Everything a repository can name that git would start when it only looks. */
const traps: Readonly<Record<string, Trap>> = {
  'core.fsmonitor': { config: '[core]\n\tfsmonitor = %s', springs: 'git status' },
  'core.hooksPath': { config: '[core]\n\thooksPath = hooks-of-evil', springs: 'git checkout -q -b x' },
  'diff.external': { config: '[diff]\n\texternal = %s', springs: 'git diff' },
  'diff.textconv': { config: '[diff "evil"]\n\ttextconv = %s', attributes: '* diff=evil', springs: 'git diff' },
  'diff.command': { config: '[diff "evil"]\n\tcommand = %s', attributes: '* diff=evil', springs: 'git diff' },
  'filter.clean': { config: '[filter "evil"]\n\tclean = %s', attributes: '* filter=evil', springs: 'git status' },
  'filter.process': { config: '[filter "evil"]\n\tprocess = %s', attributes: '* filter=evil', springs: 'git status' },
  'core.pager': { config: '[core]\n\tpager = %s', springs: 'GIT_PAGER_IN_USE=1 script -qc "git log" /dev/null' },
  'pager.log': { config: '[pager]\n\tlog = %s\n\tdiff = %s\n\tstatus = %s\n\tshow = %s' },
  'core.sshCommand': {
    config: '[core]\n\tsshCommand = %s\n[remote "origin"]\n\turl = ssh://x/y',
    springs: 'git fetch',
  },
  'core.editor': {
    config: '[core]\n\teditor = %s\n[sequence]\n\teditor = %s',
    springs: 'TERM=xterm git -c user.name=x -c user.email=x@y commit --amend',
  },
  'alias.st': { config: '[alias]\n\tst = !%s\n\tstatus = !%s\n\tlog = !%s', springs: 'git st' },
  'include.path': { config: '[include]\n\tpath = ../included', springs: 'git status' },
  'includeIf.onbranch': { config: '[includeIf "onbranch:*"]\n\tpath = ../included', springs: 'git status' },
  'gpg.program': { config: '[log]\n\tshowSignature = true\n[gpg]\n\tprogram = %s' },
  'diff.submodule': { config: '[diff]\n\tsubmodule = diff\n[status]\n\tsubmoduleSummary = true' },
  'core.alternateRefsCommand': { config: '[core]\n\talternateRefsCommand = %s' },
  'core.attributesFile': {
    config: '[core]\n\tattributesFile = attributes\n[filter "evil"]\n\tclean = %s',
    springs: 'git status',
  },
};

const looking = ['git status', 'git diff', 'git log -p', 'git show', 'git diff HEAD', 'git status --short', 'git st'];

interface Ground {
  project: string;
  env: Record<string, string>;
  sign: string;
}

/** A repository at `folder` with one commit, one change that is not in it, and the trap. */
function plant({ project, env, sign }: Ground, folder: string, { config, attributes }: Trap): void {
  const at = join(project, folder);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid', ...args], {
      cwd: at,
      env,
      stdio: 'pipe',
    });
  mkdirSync(at, { recursive: true });
  const program = join(project, '..', 'trap.sh');
  writeFileSync(program, `#!/bin/sh\necho sprung >> '${sign}'\n[ $# -gt 0 ] || cat\n`);
  chmodSync(program, 0o755);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(at, 'a.txt'), 'one\n');
  if (attributes !== undefined) writeFileSync(join(at, '.gitattributes'), `${attributes}\n`);
  writeFileSync(join(at, 'attributes'), '* filter=evil\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'start');
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-commit']) {
    mkdirSync(join(at, 'hooks-of-evil'), { recursive: true });
    writeFileSync(join(at, 'hooks-of-evil', hook), `#!/bin/sh\necho sprung >> '${sign}'\n`, { mode: 0o755 });
  }
  writeFileSync(join(at, 'included'), `[core]\n\tfsmonitor = ${program}\n`);
  writeFileSync(join(at, '.git/config'), `\n${config.replaceAll('%s', program)}\n`, { flag: 'a' });
  // Of the same length, so that only a look inside tells that it changed.
  writeFileSync(join(at, 'a.txt'), 'two\n');
}

function groundOf({ project, home }: Pick<Conversation, 'project' | 'home'>): Ground {
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', TERM: 'dumb' };
  return { project, env, sign: join(project, '..', 'sprung') };
}

test.each(Object.entries(traps).filter(([, { springs }]) => springs !== undefined))(
  'the trap of %s is one: git falls into it when nobody guards it',
  (_, trap) => {
    const ground = groundOf(bareSandbox());
    plant(ground, '.', trap);
    rmSync(ground.sign, { force: true });
    try {
      execFileSync('bash', ['-c', trap.springs ?? ''], {
        cwd: ground.project,
        env: ground.env,
        stdio: 'pipe',
        timeout: 10_000,
      });
    } catch {
      // Some of them end in an error afterwards.
    }
    expect(existsSync(ground.sign)).toBe(true);
  },
);

describe.each(modes)('incident 20 in %s mode', (mode) => {
  test.each(Object.entries(traps))('%s of the project is asked about or stays silent', async (_, trap) => {
    let ground: Ground | undefined;
    const { told } = await attempt({
      mode,
      calls: looking.map(bash),
      prepare: (sandbox) => {
        ground = groundOf(sandbox);
        plant(ground, '.', trap);
        rmSync(ground.sign, { force: true });
      },
    });
    expect(existsSync(ground?.sign ?? '/')).toBe(false);
    expect(told).toHaveLength(looking.length);
  });

  test('a repository inside the project, its submodules, and a bare one in a folder do not spring either', async () => {
    let ground: Ground | undefined;
    const names = Object.keys(traps);
    const lines = [
      ...names.flatMap((name) => [`git -C ${name} status`, `cd ${name} && git diff`, `(cd ${name}; git log -p)`]),
      ...['cd bare && git status', 'cd bare; git log', 'git -C bare show', 'git -C file-of-git status', 'git status'],
      ...[
        'git diff --submodule=diff',
        'git submodule status',
        'git -C bare/sub status',
        'cd nested/deep && git status',
      ],
    ];
    await attempt({
      mode,
      git: true,
      calls: lines.map(bash),
      prepare: (sandbox) => {
        ground = groundOf(sandbox);
        for (const [name, trap] of Object.entries(traps)) plant(ground, name, trap);
        const { project, env, sign } = ground;
        const trap = join(project, '..', 'trap.sh');
        const sh = (line: string) => execFileSync('bash', ['-ec', line], { cwd: project, env, stdio: 'pipe' });
        // A folder that is itself a repository, as a clone would bring it along.
        sh(`git init -q --bare bare && mkdir bare/sub nested nested/deep`);
        writeFileSync(join(project, 'bare/config'), `[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${trap}\n`);
        sh('cp -r bare/. nested/');
        mkdirSync(join(project, 'file-of-git'));
        writeFileSync(join(project, 'file-of-git/.git'), 'gitdir: ../filter.clean/.git\n');
        // One of the traps is a submodule, without being listed as one.
        sh('git add filter.clean core.fsmonitor 2>/dev/null && git -c user.name=x -c user.email=x@y commit -qm sub');
        rmSync(sign, { force: true });
      },
    });
    expect(existsSync(ground?.sign ?? '/')).toBe(false);
  });
});

test('without a trap the same lines run unasked, so it is the trap that is refused', async () => {
  const { told, code } = await attempt({
    mode: 'default',
    git: true,
    calls: ['git status', 'git diff', 'git log -p', 'git show'].map(bash),
    prepare: ({ write }) => write('a.txt', 'x'),
  });
  expect(told.filter((text) => text.startsWith('Not allowed'))).toEqual([]);
  expect(told[0]).toContain('a.txt');
  expect(code).toBe(0);
});
