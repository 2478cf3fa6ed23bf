/**
 * What the user allowed for good: rules for one working folder each, in `permissions.json` of tau's home. A file that
 * cannot be understood stops tau.
 */
import { type Stats, statSync } from 'node:fs';
import { describeError, isRecord, type Outcome, TauError } from '@tau/core';
import { parseRules, type RuleSet } from '@tau/policy';
import { changeProjects, type ProjectsFile, readProjects } from './by-project.ts';
import { findHome } from './home.ts';
import { realPath } from './layers.ts';

export interface SavedRules {
  allow: readonly string[];
  ask: readonly string[];
  deny: readonly string[];
}

export interface Grants {
  path: string;
  /** The folder that the rules are for, links followed. */
  project: string;
  load(): { rules: SavedRules; warnings: string[] };
  /** Those that were not there yet. Throws when one of them means nothing. */
  add(outcome: Outcome, rules: readonly string[]): Promise<string[]>;
  /** From which lists it was taken; without an outcome from all. */
  remove(rule: string, outcome?: Outcome): Promise<Outcome[]>;
}

const outcomes = ['allow', 'ask', 'deny'] as const;
const maxBytes = 1024 * 1024;
const maxRules = 1000;

export function openGrants({ env, cwd }: { env: NodeJS.ProcessEnv; cwd: string }): Grants {
  return grantsAt(findHome(env).permissions, realPath(cwd));
}

export function grantsAt(path: string, project: string): Grants {
  return {
    path,
    project,
    load: () => load(path, project),
    async add(outcome, rules) {
      const given = rules.map((rule) => rule.trim());
      const [problem] = parseRules({ [outcome]: given }).problems;
      if (problem !== undefined) throw new TauError('usage', problem, { remedy: 'Nothing was saved' });
      let added: string[] = [];
      await change(path, project, (before) => {
        added = [...new Set(given)].filter((rule) => !before[outcome].includes(rule));
        return added.length === 0 ? undefined : { ...before, [outcome]: [...before[outcome], ...added] };
      });
      return added;
    },
    async remove(rule, outcome) {
      let from: Outcome[] = [];
      const given = rule.trim();
      await change(path, project, (before) => {
        from = outcomes.filter((one) => (outcome ?? one) === one && before[one].includes(given));
        const without = (one: Outcome) => before[one].filter((text) => !from.includes(one) || text !== given);
        return from.length === 0 ? undefined : { allow: without('allow'), ask: without('ask'), deny: without('deny') };
      });
      return from;
    },
  };
}

/** What the file is known by: another text means that it must be read again. */
export function grantsPrint(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found && `${found.mtimeNs} ${found.ctimeNs} ${found.size} ${found.ino} ${found.mode}`;
  } catch {
    // Something is there that cannot be looked at: reading it says why.
    return 'unknown';
  }
}

function load(path: string, project: string): ReturnType<Grants['load']> {
  const found = look(path);
  if (found === undefined) return { rules: none, warnings: [] };
  const entry = ownEntry(path, readProjects(fileAt(path)), project);
  const warnings: string[] = [];
  const rules = { allow: listOf(path, project, entry, 'allow', warnings), ...restrictions(path, project, entry) };
  if (rules.allow.length > 0 && (found.mode & 0o022) !== 0) {
    warnings.push(
      `${path} can be changed by others, so what it allows does not count. Make it yours alone: chmod 600 ${path}`,
    );
    return { rules: { ...rules, allow: [] }, warnings };
  }
  return { rules, warnings };
}

/** Looking for what is mostly not there must cost little. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw broken(path, describeError(error));
  }
}

const none: SavedRules = { allow: [], ask: [], deny: [] };

/** What stands in it may be a denial, so nothing of a damaged file is guessed. */
const fileAt = (path: string): ProjectsFile => ({ path, maxBytes, broken: (why) => broken(path, why) });

function ownEntry(path: string, projects: Record<string, unknown>, project: string): Record<string, unknown> {
  const entry = Object.hasOwn(projects, project) ? projects[project] : {};
  if (isRecord(entry)) return entry;
  throw broken(path, `what it says about ${project} must be an object`);
}

function restrictions(path: string, project: string, entry: Record<string, unknown>): Pick<SavedRules, 'ask' | 'deny'> {
  const strict = (outcome: 'ask' | 'deny') => {
    const problems: string[] = [];
    const rules = listOf(path, project, entry, outcome, problems);
    if (problems.length > 0) throw broken(path, `the ${outcome} rules of ${project} must be a list of texts`);
    return rules;
  };
  return { ask: strict('ask'), deny: strict('deny') };
}

/** A list that is none allows nothing. */
function listOf(
  path: string,
  project: string,
  entry: Record<string, unknown>,
  outcome: Outcome,
  warnings: string[],
): string[] {
  const list = entry[outcome] ?? [];
  const rules = Array.isArray(list) ? list.filter((rule) => typeof rule === 'string') : [];
  if (!Array.isArray(list) || rules.length < list.length) {
    warnings.push(`${path}: the ${outcome} rules of ${project} must be a list of texts; what is not is ignored`);
  }
  return rules;
}

function change(path: string, project: string, edit: (before: SavedRules) => SavedRules | undefined): Promise<void> {
  return changeProjects(fileAt(path), (projects) => {
    const entry = ownEntry(path, projects, project);
    const before = { allow: listOf(path, project, entry, 'allow', []), ...restrictions(path, project, entry) };
    const after = edit(before);
    if (after && outcomes.some((outcome) => after[outcome].length > maxRules)) {
      throw new TauError('file', `${path} holds ${maxRules} rules for ${project} already`, {
        remedy: 'Take some away first; a wider rule may stand for many',
      });
    }
    return after && withEntry(projects, project, entry, after);
  });
}

/** A list that is empty, and a folder without any, is left out. */
function withEntry(
  projects: Record<string, unknown>,
  project: string,
  entry: Record<string, unknown>,
  rules: RuleSet,
): Record<string, unknown> {
  const { allow: _allow, ask: _ask, deny: _deny, ...others } = entry;
  const lists = outcomes.flatMap((outcome) => (rules[outcome]?.length ? [[outcome, rules[outcome]] as const] : []));
  const next = { ...others, ...Object.fromEntries(lists) };
  const { [project]: _old, ...rest } = projects;
  return Object.keys(next).length === 0 ? rest : { ...rest, [project]: next };
}

function broken(path: string, why: string): TauError {
  return new TauError('configuration', `${path} cannot be used: ${why}`, {
    remedy: 'Mend it, or move it away. What it denies must not silently be missing, so tau does not go on without it',
  });
}
