/** Where tau keeps what is the user's: `~/.tau`, or wherever `TAU_HOME` (or `TAU_CONFIG_DIR`, its other name) points. */
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export interface Home {
  /** The user's own home folder. */
  user: string;
  tau: string;
  settings: string;
  models: string;
  auth: string;
  /** What the user allowed for good, by project. */
  permissions: string;
  /** Which projects are trusted. */
  trust: string;
  logs: string;
  sessions: string;
  context: string;
  /** Where the project of a folder begins, by folder: what it was when somebody asked first, as long as this is used. */
  roots: Map<string, string>;
}

export function findHome(env: NodeJS.ProcessEnv): Home {
  // Never a folder relative to the project: an empty or odd HOME must not make one there.
  const user = env.HOME && isAbsolute(env.HOME) ? env.HOME : userInfo().homedir;
  const moved = env.TAU_HOME || env.TAU_CONFIG_DIR;
  const tau = moved ? resolve(moved) : join(user, '.tau');
  return {
    user,
    tau,
    settings: `${tau}/settings.json`,
    models: `${tau}/models.json`,
    auth: `${tau}/auth.json`,
    permissions: `${tau}/permissions.json`,
    trust: `${tau}/trust.json`,
    logs: `${tau}/logs`,
    sessions: `${tau}/sessions`,
    context: `${tau}/AGENTS.md`,
    roots: new Map(),
  };
}
