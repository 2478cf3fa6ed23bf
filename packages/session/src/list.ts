/** The sessions there are, by last use. Each file is glanced at, however long it is. */
import { describeError } from '@tau/core';
import { sessionFiles } from './folder.ts';
import { createGlance, type SessionInfo } from './glance.ts';

export interface ListSessionsOptions {
  dir: string;
  /** Only those of this working folder. */
  cwd?: string;
  limit?: number;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

export interface SessionList {
  sessions: SessionInfo[];
  /** Files that were not looked at because of the limit. */
  more: number;
  /** Files that are no sessions, or none that tau reads. */
  problems: string[];
}

const batch = 200;

export async function listSessions(options: ListSessionsOptions): Promise<SessionList> {
  const { cwd, limit = Number.POSITIVE_INFINITY, onProgress, signal } = options;
  const files = sessionFiles(options);
  const sessions: SessionInfo[] = [];
  const problems: string[] = [];
  const glanceAt = createGlance();
  let done = 0;
  for (const file of files) {
    if (sessions.length >= limit) break;
    done++;
    try {
      const info = glanceAt(file);
      if (cwd === undefined || info.cwd === cwd) sessions.push(info);
    } catch (error) {
      problems.push(describeError(error));
    }
    if (done % batch > 0) continue;
    onProgress?.(done, files.length);
    // Whatever else waits gets its turn.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  onProgress?.(done, files.length);
  return { sessions, more: files.length - done, problems };
}
