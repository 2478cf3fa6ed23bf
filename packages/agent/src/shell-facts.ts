/** What decisions about command lines need to know of this machine. All of it is looked up when a line first needs it. */
import { homedir } from 'node:os';
import { meaningOtherwise } from '@tau/host';
import type { Analysis, ShellFacts, ShellReader } from '@tau/policy';
import type { Settings } from './config/types.ts';
import { createTameGit } from './git/tame.ts';
import { globNames } from './glob.ts';
import { holdsLinks } from './links.ts';
import { realPlace } from './place.ts';
import { createManaged } from './version-managers.ts';

export interface FactsPlace {
  cwd: string;
  /** See `ShellOptions`. */
  project?: string;
  env: NodeJS.ProcessEnv;
  /** What the user says of the shell. */
  settings: Pick<Settings, 'shell' | 'commandPrefix' | 'env'>;
  /** See `isTrustedPath`. */
  trustedPath(): boolean;
}

export function createShellFacts({ cwd, project, env, settings, trustedPath }: FactsPlace): () => ShellFacts {
  const { shell, commandPrefix, env: commandEnv } = settings;
  let otherwise: { why: string | undefined } | undefined;
  const meaning = () => {
    otherwise ??= {
      why: meaningOtherwise(env, cwd, {
        ...(project !== undefined && { project }),
        ...(shell !== undefined && { shell }),
        ...(commandPrefix !== undefined && { commandPrefix }),
        ...(commandEnv && { commandEnv }),
      }),
    };
    return otherwise.why;
  };
  const managed = forOneTurn(() => createManaged(env.PATH));
  let tame: ((folder: string) => boolean) | undefined;
  const tameGit = (folder: string) => {
    tame ??= createTameGit(env);
    return tame(folder);
  };
  return () => ({
    cwd,
    // As the shell sees it: without one it asks the system, and then nobody knows.
    home: env.HOME ?? homedir(),
    otherwise: meaning(),
    trustedPath: trustedPath(),
    tameGit,
    glob: globNames,
    realPath: realPlace,
    holdsLinks,
    managed: managed(),
  });
}

/** One call asks up to three times what its line does. */
export function rememberForOneTurn(reader: ShellReader): ShellReader {
  const found = forOneTurn(() => new Map<string, Analysis>());
  return {
    ready: reader.ready,
    analyse(line) {
      const known = found().get(line);
      if (known) return known;
      const analysis = reader.analyse(line);
      // It may be that nobody was ready for it, and soon somebody is.
      if (analysis.problem === undefined) found().set(line, analysis);
      return analysis;
    },
  };
}

/** The same until the loop turns: before that, nothing of ours can happen that would make it another. */
export function forOneTurn<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    if (made) return made.value;
    made = { value: make() };
    setImmediate(() => {
      made = undefined;
    });
    return made.value;
  };
}
