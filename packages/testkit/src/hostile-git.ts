/** A repository whose own files name programs wherever git lets them, and others of that kind inside of it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How the project itself is one: `.git` as a folder, as a file that leads elsewhere, the project as a bare repository, a
 * `.git` whose branch is called like an escape sequence, or none at all.
 */
export const gitShapes = ['folder', 'file', 'bare', 'odd head', 'none'] as const;
export type GitShape = (typeof gitShapes)[number];

interface Traps {
  /** A shell command that runs the canary under this name. */
  run(name: string): string;
  program: string;
  script(name: string): string;
}

const hookNames =
  'applypatch-msg pre-commit post-commit pre-push post-checkout post-merge post-index-change reference-transaction fsmonitor-watchman prepare-commit-msg commit-msg pre-auto-gc sendemail-validate'.split(
    ' ',
  );

/** Everything in it names a program that git starts at some moment. */
function config({ run, program }: Traps): string {
  const value = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  const aliases = 'status st log diff show branch ls rev-parse config'.split(' ');
  return `
[core]
	fsmonitor = ${program}
	hooksPath = hooks-of-canary
	pager = ${value(run('core.pager'))}
	editor = ${value(run('core.editor'))}
	sshCommand = ${value(run('core.sshCommand'))}
	gitProxy = ${value(run('core.gitProxy'))}
	askPass = ${program}
	alternateRefsCommand = ${value(run('core.alternateRefsCommand'))}
	attributesFile = .canary-attributes
[pager]
	status = ${value(run('pager.status'))}
	log = ${value(run('pager.log'))}
[sequence]
	editor = ${value(run('sequence.editor'))}
[diff]
	external = ${program}
	submodule = diff
[diff "canary"]
	textconv = ${program}
	command = ${program}
[merge "canary"]
	driver = ${value(run('merge.driver'))}
[filter "canary"]
	clean = ${value(run('filter.clean'))}
	smudge = ${value(run('filter.smudge'))}
	process = ${value(run('filter.process'))}
	required = true
[alias]
${aliases.map((name) => `\t${name} = ${value(`!${run(`alias.${name}`)}`)}`).join('\n')}
[include]
	path = ../canary.gitconfig
[includeIf "gitdir:**"]
	path = ../canary.gitconfig
[credential]
	helper = ${value(`!${run('credential.helper')}`)}
[gpg]
	program = ${program}
[gpg "ssh"]
	program = ${program}
	defaultKeyCommand = ${value(run('gpg.ssh.defaultKeyCommand'))}
[log]
	showSignature = true
[uploadpack]
	packObjectsHook = ${program}
[remote "origin"]
	url = ${value(`ext::${run('remote.url')}`)}
	uploadpack = ${program}
	vcs = canary
	promisor = true
	partialCloneFilter = blob:none
[extensions]
	worktreeConfig = true
[protocol "ext"]
	allow = always
[submodule "sub"]
	url = ${value(`ext::${run('submodule.url')}`)}
	update = ${value(`!${run('submodule.update')}`)}
	active = true
[submodule]
	recurse = true
[trailer "canary"]
	command = ${value(run('trailer'))}
[interactive]
	diffFilter = ${value(run('interactive.diffFilter'))}
[browser "canary"]
	cmd = ${value(run('browser'))}
[instaweb]
	httpd = ${value(run('instaweb'))}
[sendemail]
	smtpServer = ${program}
[core]
	worktree = ..
`;
}

/** A `.git` folder at `folder` with one commit, something changed since, and every trap. */
function plantRepository(folder: string, traps: Traps, nested: readonly string[] = []): void {
  const put = (path: string, text: string, mode = 0o644) => {
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), mode);
  };
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: '/', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
    const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid'];
    execFileSync('git', [...who, ...args], { cwd: folder, env, stdio: 'pipe' });
  };
  put('tracked.txt', 'one\n');
  git('init', '--quiet', '--initial-branch=main');
  git('add', 'tracked.txt');
  for (const name of nested) git('update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},${name}`);
  git('commit', '--quiet', '-m', 'start \u202ebidi');
  git('checkout', '--quiet', '-b', 'fix/\u202egnp.exe');
  put('.gitattributes', '* filter=canary diff=canary merge=canary\n');
  put('.canary-attributes', '* filter=canary diff=canary\n');
  put('canary.gitconfig', `[core]\n\tfsmonitor = ${traps.program}\n[diff]\n\texternal = ${traps.program}\n`);
  put('.gitmodules', `[submodule "sub"]\n\tpath = sub\n\turl = ext::${traps.program}\n\tupdate = !${traps.program}\n`);
  mkdirSync(join(folder, 'hooks-of-canary'), { recursive: true });
  for (const name of hookNames) {
    put(`hooks-of-canary/${name}`, traps.script(`hooksPath:${name}`), 0o755);
    put(`.git/hooks/${name}`, traps.script(`.git/hooks/${name}`), 0o755);
  }
  put('.git/info/attributes', '* filter=canary diff=canary\n');
  put('.git/config', config(traps));
  put('.git/config.worktree', `[core]\n\tfsmonitor = ${traps.program}\n`);
  put('.git/packed-refs', `${'a'.repeat(40)} refs/heads/\u001b]0;owned\u0007\n`);
  // Of the same length, so that only a look inside tells that it changed.
  put('tracked.txt', 'two\n');
}

/** The parts of a repository without a working tree, as a clone brings them along among its files. */
function plantBare(folder: string, { program }: Traps): void {
  for (const part of ['objects', 'refs/heads', 'hooks']) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  const text = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${program}\n\tpager = ${program}\n[diff]\n\texternal = ${program}\n`;
  writeFileSync(join(folder, 'config'), text);
}

export function plantGit(project: string, shape: GitShape, traps: Traps): void {
  // Inside, whatever the project itself is.
  plantRepository(join(project, 'inner'), traps);
  plantBare(join(project, 'bare'), traps);
  mkdirSync(join(project, 'sub'), { recursive: true });
  writeFileSync(join(project, 'sub/.git'), 'gitdir: ../inner/.git\n');
  if (shape === 'bare') plantBare(project, traps);
  if (shape === 'bare' || shape === 'none') return;
  plantRepository(project, traps, ['inner']);
  if (shape === 'file') {
    renameSync(join(project, '.git'), join(project, 'elsewhere'));
    writeFileSync(join(project, '.git'), 'gitdir: elsewhere\n');
  }
  if (shape === 'odd head') writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/\u001b]0;owned\u0007main\n');
}
