/** Holds what was claimed of command lines against what they really did. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path/posix';
import { shellEffects, summarise } from '@tau/policy';
import { startedNames, type Trace, traceLines } from '@tau/testkit';
import type { FuzzPlace } from './fuzz-place.ts';

/** A line that is said to only read: these files, by these programs. */
export interface Claim {
  line: string;
  programs: readonly string[];
  reads: readonly string[];
}

export interface Lie {
  line: string;
  did: string[];
}

/** The claim for a line that is proved to only read; undefined for any other. */
export function claimFor(line: string, { reader }: Pick<FuzzPlace, 'reader'>): Claim | undefined {
  const [exec, ...effects] = shellEffects(line, reader);
  if (exec?.kind !== 'exec' || !exec.readOnly) return undefined;
  const reads = effects.flatMap((effect) => (effect.kind === 'read' ? [effect.path] : []));
  return { line, reads, programs: summarise(reader.analyse(line)).programs };
}

const atOnce = 1000;

/** The claims that are not true. Each line is run, by the shell and in the environment that tau would use. */
export async function findLies(claims: readonly Claim[], place: FuzzPlace): Promise<Lie[]> {
  const lies: Lie[] = [];
  for (let start = 0; start < claims.length; start += atOnce) {
    const some = claims.slice(start, start + atOnce);
    const options = { env: place.env, shell: '/bin/bash', before: 'exec 2>&1; ', seconds: 1 };
    const traces = await traceLines(
      place,
      some.map(({ line }) => line),
      options,
    );
    for (const [index, trace] of traces.entries()) {
      const claim = some[index];
      const did = claim ? untold(claim, trace, place) : [];
      if (claim && did.length > 0) lies.push({ line: claim.line, did });
    }
  }
  return lies;
}

/**
 * Some systems have only a short script by these names, which starts the real one. `tar` has an archive packed by the
 * program that its ending or its first bytes say, found on the same PATH as itself.
 */
const behind: Readonly<Record<string, readonly string[]>> = {
  egrep: ['grep'],
  fgrep: ['grep'],
  zcat: ['gzip'],
  gunzip: ['gzip'],
  tar: ['sh', 'gzip', 'bzip2', 'xz', 'zstd'],
};

/** What the line did beyond its claim. */
function untold({ programs, reads }: Claim, trace: Trace, place: FuzzPlace): string[] {
  const names = programs.map((name) => basename(name));
  const named = new Set(['timeout', 'bash', ...names, ...names.flatMap((name) => behind[name] ?? [])]);
  const stated = reads.map((path) => realPath(path, place.project));
  // Wherever it is started in a repository, it looks at all of it.
  if (names.includes('git') && stated.some((path) => isBelow(path, place.project))) stated.push(place.project);
  return [
    ...trace.writes.filter((write) => !isHereDocument(write, place)).map((write) => `wrote: ${write}`),
    ...trace.connections.map((connection) => `connected: ${connection}`),
    ...(names.includes('timeout') ? [] : trace.signals.map((signal) => `signalled: ${signal}`)),
    ...startedNames(trace)
      .filter((name) => !named.has(name))
      .map((name) => `started: ${name}`),
    ...trace.started.filter((path) => isBelow(path, resolve(place.project, '..'))).map((path) => `started: ${path}`),
    ...trace.reads.filter((path) => isUntold(path, stated, place)).map((path) => `read: ${path}`),
  ];
}

/** Long ones go through a file of the shell's own, which nobody else gets to see. */
function isHereDocument(write: string, { temp }: FuzzPlace): boolean {
  return write.includes(` ${temp}/sh-thd.`);
}

/** Files of the place that no stated path covers. The names in a folder of the project are no secret in it. */
function isUntold(path: string, stated: readonly string[], { project }: FuzzPlace): boolean {
  if (!isBelow(path, resolve(project, '..')) || stated.some((base) => isBelow(path, base))) return false;
  // Some look at the folder that a file is in before they open the file.
  if (stated.some((base) => dirname(base) === path)) return false;
  return !isBelow(path, project) || !isFolder(path);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** As the kernel follows it: `..` behind a link is not the folder before the link. */
function realPath(path: string, project: string): string {
  const whole = path.startsWith('/') ? path : `${project}/${path}`;
  try {
    return realpathSync.native(whole);
  } catch {
    // What is not there leads as far as its folder does.
    return whole === '/' ? whole : join(realPath(dirname(whole), project), basename(whole));
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
