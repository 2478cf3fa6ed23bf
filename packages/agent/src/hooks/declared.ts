/** The hooks that count: those of every layer of the settings, and of Claude Code's files where the user wants them. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isRecord, TauError } from '@tau/core';
import { type Hook, type HookSource, readHooks } from '@tau/extend';
import { parseRules } from '@tau/policy';
import type { Home } from '../config/home.ts';
import { readJsonFile } from '../config/jsonc.ts';
import { fingerprint } from '../config/reload.ts';
import type { Layer } from '../config/settings.ts';

export interface DeclaredPlace {
  home: Home;
  /** The project's, links followed. */
  root: string;
  layers: readonly Layer[];
  /** Whether what stands in a file of the project, by its path within it, counts like the user's own. */
  covers(path: string): boolean;
  /** False: of the settings none. */
  wanted: boolean;
}

export interface Declared {
  hooks: Hook[];
  warnings: string[];
}

/** Throws when something cannot be understood: a guard that is not there must not be missed silently. */
export async function declaredHooks(place: DeclaredPlace): Promise<Declared> {
  const { layers, wanted } = place;
  if (!wanted) return { hooks: [], warnings: [] };
  const said = (name: 'disableAllHooks' | 'claudeHooks', of: readonly Layer[]) =>
    of.findLast(({ values }) => values.has(name))?.values.get(name) === true;
  // A project has no say about what the user wants to have run.
  const own = layers.filter((layer) => !isProject(layer));
  if (said('disableAllHooks', own)) return { hooks: [], warnings: [] };
  const projectOff = said('disableAllHooks', layers.filter(isProject));
  const all: Declared = { hooks: [], warnings: [] };
  for (const layer of layers) {
    const value = layer.values.get('hooks');
    if (value === undefined || layer.layer === 'environment' || (projectOff && isProject(layer))) continue;
    const file = shortPath((await layer.locate('hooks')).replace(/(:\d+){1,2}$/, ''), place);
    add(all, value, { layer: layer.layer, file }, 'refuse');
  }
  if (said('claudeHooks', own)) await addClaude(all, place, projectOff);
  return all;
}

function isProject({ layer }: Layer): boolean {
  return layer === 'project' || layer === 'local';
}

/** `refuse`: what tau knows of but does not have is wrong here; in a file that was written for another program it is not. */
function add(all: Declared, value: unknown, source: HookSource, unknown: 'refuse' | 'warn'): void {
  const read = readHooks(value, { source, ruleProblem });
  const [problem] = unknown === 'refuse' ? [...read.problems, ...read.unknown] : read.problems;
  if (problem !== undefined) {
    throw new TauError('configuration', `The hooks of ${source.file} cannot be read: ${problem}`, {
      remedy: 'A hook that cannot be read is never left out: mend it, or start with --no-hooks',
    });
  }
  all.hooks.push(...read.hooks);
  if (read.unknown.length > 0) all.warnings.push(`${source.file}: left out: ${read.unknown.join('; ')}`);
}

function ruleProblem(rule: string): string | undefined {
  return parseRules({ deny: [rule] }).problems[0];
}

export const claudeProjectFiles = ['.claude/settings.json', '.claude/settings.local.json'] as const;

export function claudeUserFile(home: Home): string {
  return join(home.user, '.claude', 'settings.json');
}

async function addClaude(all: Declared, place: DeclaredPlace, projectOff: boolean): Promise<void> {
  const { home, root } = place;
  const user = claudeUserFile(home);
  await addFile(all, user, { layer: 'user', file: shortPath(user, place) });
  if (projectOff || root === home.user) return;
  for (const file of claudeProjectFiles) {
    if (place.covers(file)) await addFile(all, join(root, file), { layer: 'project', file });
    else if (existsSync(join(root, file))) all.warnings.push(`${file} is not read: the project is not trusted`);
  }
}

async function addFile(all: Declared, path: string, source: HookSource): Promise<void> {
  const value = await hooksIn(path);
  if (value !== undefined) add(all, value, source, 'warn');
}

async function hooksIn(path: string): Promise<unknown> {
  const { value } = (await readJsonFile(path)) ?? {};
  return isRecord(value) ? value.hooks : undefined;
}

/** Changes when one of Claude Code's files does, or whether it counts. */
export function claudePrint({ home, root, covers }: Pick<DeclaredPlace, 'home' | 'root' | 'covers'>): string {
  const files = claudeProjectFiles.map((file) => `${fingerprint(join(root, file))} ${covers(file)}`);
  return [fingerprint(claudeUserFile(home)), ...files].join('\n');
}

/** As a person knows it: within the project, or below home. */
function shortPath(path: string, { root, home }: DeclaredPlace): string {
  if (path.startsWith(`${root}/`)) return relative(root, path);
  return path.startsWith(`${home.user}/`) ? `~/${relative(home.user, path)}` : path;
}
