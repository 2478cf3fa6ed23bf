/**
 * What the user said about projects, in `trust.json` of tau's home: by the real path of a project's root, with the content
 * it was said about. Whatever is wrong with the file, nobody is trusted by it.
 */
import { existsSync, statSync } from 'node:fs';
import { describeError, isRecord, TauError } from '@tau/core';
import { changeProjects, type ProjectsFile, readProjects } from '../config/by-project.ts';
import { realPath } from '../config/layers.ts';
import { isBelow } from '../place.ts';

export interface TrustRecord {
  decision: 'yes' | 'no';
  /** Of the content. */
  hash: string;
  /** Of each file, so that it can be said which of them changed. */
  files: Readonly<Record<string, string>>;
  /** Of the rules in Claude Code's files. */
  rules?: Readonly<Record<string, string>>;
  /** When it was said. */
  at: string;
}

const maxBytes = 16 * 1024 * 1024;
const maxProjects = 1000;

/** The record, and why there is none although the file is there. */
export function loadRecord(path: string, root: string): { record?: TrustRecord; problem?: string } {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return {};
    const why = disbelief(path, root, found);
    if (why !== undefined) return { problem: `${path} does not count: ${why}` };
    const projects = readProjects(fileAt(path));
    if (!Object.hasOwn(projects, root)) return {};
    const record = recordOf(projects[root]);
    return record === undefined
      ? { problem: `${path}: what it says about ${root} is not understood, so it does not count` }
      : { record };
  } catch (error) {
    return { problem: `Nothing is trusted: ${describeError(error)}` };
  }
}

/** What others can write is not the user's word, nor is what came with the project. */
function disbelief(path: string, root: string, { mode, uid }: { mode: number; uid: number }): string | undefined {
  if (isBelow(realPath(path), root)) return 'it lies in the project itself';
  const me = process.getuid?.();
  if (me !== undefined && uid !== me && uid !== 0) return 'it belongs to somebody else';
  return (mode & 0o022) === 0 ? undefined : `others can change it. Make it yours alone: chmod 600 ${path}`;
}

function recordOf(value: unknown): TrustRecord | undefined {
  if (!isRecord(value) || !isRecord(value.files)) return undefined;
  const { decision, hash, at } = value;
  if ((decision !== 'yes' && decision !== 'no') || typeof hash !== 'string' || typeof at !== 'string') return undefined;
  const rules = isRecord(value.rules) ? { rules: textsIn(value.rules) } : {};
  return { decision, hash, files: textsIn(value.files), ...rules, at };
}

function textsIn(entries: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([path, entry]) => (typeof entry === 'string' ? [[path, entry] as const] : [])),
  );
}

const fileAt = (path: string): ProjectsFile => ({ path, maxBytes, broken: (why) => broken(path, why) });

/** `edit` gets what is recorded at that moment; undefined leaves it so. A file that is not understood is not replaced. */
export function changeRecord(
  path: string,
  root: string,
  edit: (before: TrustRecord | undefined) => TrustRecord | undefined,
): Promise<void> {
  return changeProjects(fileAt(path), (projects) => {
    refuseDisbelieved(path, root);
    const after = edit(Object.hasOwn(projects, root) ? recordOf(projects[root]) : undefined);
    return after && withRecord(path, projects, root, after);
  });
}

/** What others wrote would be taken for the user's word, once it is in a file of the user's alone. */
function refuseDisbelieved(path: string, root: string): void {
  // One that is not there yet is the user's, wherever that is.
  const found = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0o600, uid: 0 };
  const why = disbelief(path, root, found);
  if (why !== undefined) throw broken(path, why);
}

/** The newest last. Folders that are gone make room first. */
function withRecord(path: string, projects: Record<string, unknown>, root: string, record: TrustRecord) {
  const { [root]: _old, ...rest } = projects;
  const entries = Object.entries(rest);
  const kept = entries.length < maxProjects ? entries : entries.filter(([folder]) => existsSync(folder));
  if (kept.length >= maxProjects) {
    throw new TauError('file', `${path} holds ${maxProjects} projects already`, {
      remedy: 'Take some out of it first',
    });
  }
  return { ...Object.fromEntries(kept), [root]: record };
}

function broken(path: string, why: string): TauError {
  return new TauError('configuration', `${path} cannot be used: ${why}`, { remedy: 'Mend it, or move it away' });
}
