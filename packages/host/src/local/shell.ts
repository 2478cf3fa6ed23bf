/** Which shell runs a command, in what environment, and how its two outputs become one. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { TauError } from '@tau/core';

/** What the user wants of the shell; none of it may come from a project nobody trusts. */
export interface ShellOptions {
  /** An absolute path, or a name on the PATH. It must take `-c` and the words of a POSIX shell. */
  shell?: string;
  /** Runs before every command, in the same shell. */
  commandPrefix?: string;
  /** Added to the environment of every command; wins over what is there. */
  commandEnv?: Readonly<Record<string, string>>;
  /** The folder whose programs are not the user's. Default: the one that commands run in. */
  project?: string;
}

export interface Shell {
  path: string;
  env: NodeJS.ProcessEnv;
  /** In front of every command. */
  prefix: string;
}

/**
 * Nothing may wait for a person: no pager, no editor, no password prompt, no questions of the package manager. A command
 * has no terminal either (it is in a session of its own), so what asks at the terminal fails at once.
 */
const unattended = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  EDITOR: 'true',
  VISUAL: 'true',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  TERM: 'dumb',
  // A bash of the first level whose input is a socket takes itself for a remote one, and reads the user's files first.
  SHLVL: '1',
};

/**
 * Variables by which a shell takes a line for something else than it says: where `cd` goes, what is run first, what a
 * pattern matches, how words are split. With functions for programs' names they stay out of every command.
 */
const misleading: ReadonlySet<string> = new Set(
  'CDPATH PWD OLDPWD BASH_ENV ENV IFS GLOBIGNORE SHELLOPTS BASHOPTS BASH_COMPAT BASH_XTRACEFD EXECIGNORE POSIXLY_CORRECT PS4'.split(
    ' ',
  ),
);

function withoutMisleading(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !misleading.has(name) && !name.startsWith('BASH_FUNC_'));
  return Object.fromEntries(kept);
}

/** Why a line may mean something else than bash would make of it, if it may. */
export function meaningOtherwise(env: NodeJS.ProcessEnv, cwd: string, options: ShellOptions): string | undefined {
  const { shell, commandPrefix = '', commandEnv = {}, project = cwd } = options;
  if (commandPrefix.trim() !== '') return 'the setting commandPrefix runs before it';
  const set = Object.keys(commandEnv).find((name) => misleading.has(name) || name.startsWith('BASH_FUNC_'));
  if (set !== undefined) return `the setting env changes what it means by ${set}`;
  const { path } = findShell(env, project, shell === undefined ? {} : { shell });
  return basename(realpathSync(path)) === 'bash' ? undefined : `${path} runs it, which is not bash`;
}

/** The shell the user chose, or the first bash of the PATH; never one that the project supplies. */
export function findShell(env: NodeJS.ProcessEnv, cwd: string, options: ShellOptions): Shell {
  const { shell, commandPrefix = '', commandEnv, project = cwd } = options;
  const folders = [...(env.PATH ?? '').split(':').filter(isAbsolute), '/bin', '/usr/bin'];
  return {
    path:
      shell === undefined ? (programIn(folders, 'bash', project) ?? '/bin/sh') : chosenShell(shell, folders, project),
    env: { ...withoutMisleading(env), ...unattended, ...commandEnv },
    prefix: joined(commandPrefix.trim()),
  };
}

function chosenShell(shell: string, folders: readonly string[], project: string): string {
  const remedy = 'Name an absolute path or a program on the PATH, outside the project.';
  const wrong = (why: string) => new TauError('configuration', `The shell ${shell} cannot be used: ${why}`, { remedy });
  if (isAbsolute(shell)) {
    if (leadsInto(project, shell)) throw wrong('the project supplies it');
    if (!isProgram(shell)) throw wrong('it is no program');
    return shell;
  }
  const found = shell.includes('/') ? undefined : programIn(folders, shell, project);
  if (found === undefined) throw wrong('there is no such program');
  return found;
}

/** A program of the PATH, or of the usual places; never one that the project supplies. */
export function findProgram(name: string, env: NodeJS.ProcessEnv, project: string): string | undefined {
  return programIn([...(env.PATH ?? '').split(':').filter(isAbsolute), '/usr/bin', '/bin'], name, project);
}

function programIn(folders: readonly string[], name: string, project: string): string | undefined {
  const isThere = (path: string) => isProgram(path) && !leadsInto(project, path);
  const found = folders.find((folder) => isThere(`${folder}/${name}`));
  return found && join(found, name);
}

/** On the command's first line, which keeps line numbers; but a comment would take the command with it. */
function joined(prefix: string): string {
  if (prefix === '') return '';
  if (/#.*$/.test(prefix)) return `${prefix}\n`;
  return /[;&|({]$/.test(prefix) ? `${prefix} ` : `${prefix}; `;
}

/** Two pipes lose the order between them, so the shell joins its own. */
const joinOutputs = 'exec 2>&1; ';

/**
 * A companion in the command's process group, for when tau cannot clean up itself (`kill -9`): it reads from a pipe that
 * only tau holds open, and at its end kills the group. A line on the pipe sends it home. Started twice removed, so that a
 * plain `wait` in the command does not wait for it.
 */
const guard = '( (trap "" HUP INT TERM; exec >&- 2>&-; read -r line <&3 || kill -KILL 0) & ); exec 3<&-; ';

/** So many processes a contained command may have. A complaint goes nowhere: a file for it would be one more to look at. */
const limitProcesses = 'ulimit -u 4096 2>&-; ';

/** Before it, the kernel counted all processes of the user, of which there may be many. */
function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

/** In a sandbox all ends with the shell, so that of a command in the background waits for its children. */
const waitForChildren = "trap 'tau_status=$?; wait; exit $tau_status' EXIT; ";

interface OpeningOptions {
  guarded: boolean;
  /** Its two outputs are one. */
  joined: boolean;
  /** Its processes are in a namespace of their own. */
  contained?: { background: boolean };
}

/** What stands before the command as the shell gets it. */
export function opening({ prefix }: Shell, { guarded, joined: both, contained }: OpeningOptions): string {
  const limit = contained && countsByNamespace() ? limitProcesses : '';
  const inside = limit + (contained?.background ? waitForChildren : '');
  return (both ? joinOutputs : '') + (guarded ? guard : '') + inside + prefix;
}

/** A shell that cannot parse the first line quotes it; show the line as it was written. */
export function asWritten(complaint: string, before: string): string {
  return complaint.replace(before, () => '');
}

function leadsInto(folder: string, path: string): boolean {
  try {
    return `${realpathSync.native(path)}/`.startsWith(`${realpathSync.native(folder)}/`);
  } catch {
    return false;
  }
}

export function isProgram(path: string): boolean {
  try {
    // Mostly it is not there, and a failed look makes an error object.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
