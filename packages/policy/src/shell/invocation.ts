/** The words between taking a line apart (`walk/`) and knowing what programs do (`programs/`). */
import type { CommandClass, Effect } from '@tau/core';

/** A word as the program would get it; undefined where only the shell will know, when it runs. */
export type Word = string | undefined;

/** One start of a program that a line leads to, however deep it is hidden in it. */
export interface Invocation {
  /** The program as it is called, then what it is given. */
  words: readonly Word[];
  /** A name in plain letters: quotes, backslashes and expansions in a program's name are not for honest people. */
  plainName: boolean;
  /** The folders it may be started in, as absolute paths: more than one after a `cd` that may fail. Undefined: any. */
  folders: readonly string[] | undefined;
  /** The programs it is started through, outermost first: `sudo`, `env`, `xargs`, `find`, `bash`. */
  through: readonly string[];
  /** Starts another program that is told of as well, and does nothing else: `timeout`, `env`, `xargs`. */
  wrapper: boolean;
  /** Variables set for it alone, before its name or by `env`. */
  assigns: readonly { name: string; value: Word }[];
  /** It gets more words when it runs, which nobody knows yet: `xargs`, `find -exec`. */
  open: boolean;
  /** It reads what another command writes. `network`: and that one has it from the network. */
  input: 'none' | 'command' | 'network';
}

/** What a program does when it is called like this. */
export interface Finding {
  class: CommandClass;
  /** Nothing happens but what stands in the effects. With only reads in them, that is a proof. */
  known: boolean;
  /** Paths as the program is given them; `read` of a folder covers what is in it. */
  effects: readonly Effect[];
  /** Programs that it starts by itself: `egrep` starts grep. */
  starts?: readonly string[];
  /** Why this could do harm that nobody can take back. */
  danger?: string;
  /** Why it is not known, as the end of "because …". */
  why?: string;
  /** It has a shell read a text that nobody knows yet: that may be any command. */
  hidden?: boolean;
}

/** Pure. Called with words that may be undefined, and with a name it knows. */
export type Judge = (invocation: Invocation, facts: ShellFacts) => Finding;

/** What a decision knows of the machine. Nothing here is looked up by `policy` itself. */
export interface ShellFacts {
  /** Where a line starts: the project's real path. */
  cwd: string;
  home: string;
  /** See `isTrustedPath`. */
  trustedPath: boolean;
  /** Why a line may mean something else here than it says in bash: another shell runs it, or something runs before it. */
  otherwise?: string | undefined;
  /**
   * True when git, started in this folder with `GIT_CONFIG_*` as read-only commands are, runs nothing that a repository
   * names: no filter, no driver. Absent: nobody looked.
   */
  tameGit?(folder: string): boolean;
  /**
   * True when a name on PATH leads through a version manager (asdf, mise, volta, pyenv, rustup), which may start what the
   * project names instead. Absent: nobody looked.
   */
  managed?(name: string): boolean;
  /**
   * The names a pattern with `*` or `?` may stand for in a folder: all that the shell would find, perhaps more. Undefined
   * when there are too many, or when nobody can say. Absent: nobody can look.
   */
  glob?(pattern: string, folder: string): readonly string[] | undefined;
  /** Where an absolute path leads: links followed as far as there is anything. Absent: nobody can look. */
  realPath?(path: string): string;
  /** False when an absolute path is certain to be no link and to have none below it. Absent: nobody can look. */
  holdsLinks?(path: string): boolean;
}
