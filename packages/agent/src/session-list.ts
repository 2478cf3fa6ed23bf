/** The sessions a user has, for whoever lists, shows, names or deletes them. */
import { resolve } from 'node:path';
import type { SessionEntry } from '@tau/core';
import {
  deleteSession as deleteFile,
  findSession,
  listSessions as listFiles,
  openSession,
  type SessionInfo,
  type SessionList,
  sessionInfo,
} from '@tau/session';
import { findHome } from './config/home.ts';
import { loadSettings } from './config/settings.ts';
import { realFolder, underHome } from './place.ts';

export interface SessionPlace {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Instead of the one in the settings, or `~/.tau/sessions`. */
  sessionDir?: string;
}

/** Those of the working folder, or all; the one used last comes first. */
export async function listSessions(
  place: SessionPlace,
  options: { all?: boolean; limit?: number; signal?: AbortSignal } = {},
): Promise<SessionList> {
  const { all = false, ...rest } = options;
  const { dir, cwd } = await folders(place);
  return listFiles({ dir, ...(!all && { cwd }), ...rest });
}

/** The one that is meant, by a path, an id, a part of one, a name, or `last`. Throws where there is none, or more than one. */
export async function lookUpSession(wanted: string, place: SessionPlace): Promise<SessionInfo> {
  return sessionInfo(findSession(wanted, await folders(place)));
}

export interface ShownSession {
  info: SessionInfo;
  /** The active chain. */
  entries: readonly SessionEntry[];
  problems: readonly string[];
}

/** Reading needs no lock: a session in use can be shown. */
export async function showSession(wanted: string, place: SessionPlace): Promise<ShownSession> {
  const path = findSession(wanted, await folders(place));
  const { session, problems } = openSession(path);
  const name = session.name();
  const { name: _, ...info } = sessionInfo(path);
  return { info: { ...info, ...(name !== undefined && { name }) }, entries: session.entries(), problems };
}

/** Returns the path that is gone. */
export async function deleteSession(wanted: string, place: SessionPlace): Promise<string> {
  const path = findSession(wanted, await folders(place));
  deleteFile(path);
  return path;
}

/** An empty name takes it away. Returns the session's id. */
export async function nameSession(wanted: string, name: string, place: SessionPlace): Promise<string> {
  const { session } = openSession(findSession(wanted, await folders(place)), { claim: true });
  try {
    session.setName(name);
    return session.header.id;
  } finally {
    session.close();
  }
}

async function folders({ env, cwd: given, sessionDir }: SessionPlace): Promise<{ dir: string; cwd: string }> {
  const cwd = realFolder(given);
  if (sessionDir !== undefined) return { dir: resolve(cwd, sessionDir), cwd };
  const home = findHome(env);
  const { settings } = await loadSettings(home, { env, cwd });
  return { dir: underHome(settings.sessionDir, home) ?? home.sessions, cwd };
}
