/** A session by what people type: a path, an id, a part of one, a name, `last`. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { nearestAll, TauError } from '@tau/core';
import { firstLine, latestSession, type SessionFile, sessionFiles } from './folder.ts';
import { createGlance, type SessionInfo } from './glance.ts';
import { readHeader } from './lines.ts';

export interface FindSessionOptions {
  dir: string;
  /** What a relative path and `last` are meant from. */
  cwd: string;
}

const help = 'tau sessions --all lists them';
const mostNamed = 5;

/** The path of the session. An error where there is none, or more than one. */
export function findSession(wanted: string, options: FindSessionOptions): string {
  if (wanted === 'last') {
    const latest = latestSession(options);
    if (latest !== undefined) return latest;
    throw new TauError('session', `There is no session of ${options.cwd}`, { remedy: help });
  }
  const path = /[/\\]|\.jsonl$/.test(wanted) ? resolve(options.cwd, wanted) : undefined;
  const there = path === undefined ? undefined : existing(path);
  if (there !== undefined) return there;
  const files = sessionFiles({ dir: options.dir });
  const known = files.flatMap((file) => withId(file));
  const fitting = fittingOf(wanted, known, files);
  const [one, ...others] = fitting;
  if (one === undefined && path !== undefined) throw noFile(path);
  if (one === undefined) throw unknown(wanted, known);
  if (others.length > 0) throw ambiguous(wanted, fitting);
  return one.path;
}

/** True when a session of this id is there, whatever its folder. */
export function sessionExists(dir: string, id: string): boolean {
  return sessionFiles({ dir }).some((file) => withId(file).some((known) => known.id === id.toLowerCase()));
}

interface Known {
  id: string;
  path: string;
}

/** The id is in the name of a file; other programs' names may not have it, and then the header does. */
function withId({ path }: SessionFile): Known[] {
  const named = /_([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/i.exec(basename(path))?.[1];
  if (named !== undefined) return [{ id: named.toLowerCase(), path }];
  try {
    return [{ id: readHeader(firstLine(path), path).id.toLowerCase(), path }];
  } catch {
    return [];
  }
}

/** Less of an id is more likely a slip: an empty variable must not mean the only session there is. */
const leastChars = 4;

/** The whole id beats its beginning, that beats a name, and that beats the end of an id. */
function fittingOf(wanted: string, known: readonly Known[], files: readonly SessionFile[]): readonly Known[] {
  const text = wanted.toLowerCase();
  const byId = (fits: (id: string) => boolean) => known.filter(({ id }) => fits(id));
  const ways = [
    () => byId((id) => id === text),
    () => byId((id) => text.length >= leastChars && id.startsWith(text)),
    () => byName(files, wanted),
    () => byId((id) => text.length >= leastChars && id.endsWith(text)),
  ];
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

function byName(files: readonly SessionFile[], wanted: string): SessionInfo[] {
  const glanceAt = createGlance();
  return files.flatMap((file) => {
    try {
      const info = glanceAt(file);
      return info.name === wanted ? [info] : [];
    } catch {
      return [];
    }
  });
}

/** A link is followed: the lock is beside the file itself, where everyone looks for it. */
function existing(path: string): string | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return lstatSync(path).isSymbolicLink() ? realpathSync.native(path) : path;
}

function noFile(path: string): TauError {
  return new TauError('session', `There is no session file ${path}`, { remedy: help });
}

function ambiguous(wanted: string, fitting: readonly Known[]): TauError {
  const ids = fitting.slice(0, mostNamed).map(({ id }) => id);
  const more = fitting.length > mostNamed ? ` and ${fitting.length - mostNamed} more` : '';
  return new TauError('session', `${fitting.length} sessions fit "${wanted}": ${ids.join(', ')}${more}`, {
    remedy: 'Give more of the id',
  });
}

function unknown(wanted: string, known: readonly Known[]): TauError {
  const near = nearestAll(
    wanted,
    known.slice(0, 1000).map(({ id }) => id),
    3,
  );
  return new TauError('session', `No session fits "${wanted}"`, {
    remedy: near.length > 0 ? `Did you mean ${near.join(' or ')}? ${help}` : help,
  });
}
