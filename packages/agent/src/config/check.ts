/**
 * A settings file against the schema. A bad field is a warning with its place and is left out, the rest counts; a bad
 * permission setting stops tau instead, also one that is only meant to be one.
 */
import { isPlainlyValid, isRecord, nearest, type Problem, TauError, type Validate } from '@tau/core';
import { elsewhere } from './elsewhere.ts';
import { isGuard, isSettingName, keys, settingNames } from './keys.ts';
import { type SettingsFile, speaksOfGuards } from './layers.ts';
import type { Values } from './merge.ts';
import { groupNames, type Normalised, namesWithin, normalise } from './names.ts';
import { entryProblems } from './sandbox-entries.ts';
import { settingsSchema } from './schema.ts';
import type { SettingName } from './types.ts';

export interface CheckedFile {
  values: Values;
  warnings: string[];
  /** What the file says in a way that does not count. */
  ignored: SettingName[];
  /** Why nothing in the file counts. */
  broken?: string;
  /** `path:line:column` of a setting in the file. */
  locate(name: SettingName): Promise<string>;
}

export async function checkFile(file: SettingsFile, validate: Validate): Promise<CheckedFile> {
  const { path, value: content } = file;
  if (!isRecord(content)) {
    const what = `${path}:1:1: the settings must be an object`;
    if (file.layer === 'config' || speaksOfGuards(file.text)) throw new TauError('configuration', what);
    return {
      values: new Map(),
      warnings: [`${what}; it is ignored`],
      ignored: [],
      broken: what,
      locate: async () => path,
    };
  }
  const { value, written, repeated, old } = normalise(content);
  const warnings: string[] = await renamedIn(file, old);
  const unfit = isPlain(value) ? [] : await validate(settingsSchema(), value);
  const problems = relevant([...unfit, ...notFinite(value), ...entryProblems(value)]);
  // A project's hooks do not count unless it is trusted, and then they are read with more care.
  const isOwn = file.layer === 'user' || file.layer === 'config';
  const names = namesWithin(undefined);
  const found = [
    ...repeated.map((spelling) => ({
      spelling,
      guard: spelling.some(isGuard),
      message: () => 'the file says this twice, in two spellings',
      hint: () => undefined,
    })),
    ...problems.map((problem) => {
      const near = problem.unknownKey ? nearestName(problem.path, names) : undefined;
      return {
        spelling: written(problem.path),
        guard: touchesGuard(problem, near) || (isOwn && touchesHooks(problem, near)),
        message: () => messageOf(problem),
        hint: () => hintOf(problem, near),
      };
    }),
  ];
  const describe = async ({ spelling, message }: (typeof found)[number]) =>
    `${path}:${await file.locate(spelling)}: ${spelling.join('.')}: ${message()}`;
  const guard = found.find((one) => one.guard);
  if (guard) {
    const hint = guard.hint();
    const what = guard.spelling.some(isGuard) ? 'A permission setting' : 'A guard';
    const remedy = `${hint === undefined ? '' : `${hint} `}${what} that cannot be read is never left out`;
    throw new TauError('configuration', await describe(guard), { remedy });
  }
  for (const one of found.slice(0, maxReports)) warnings.push(ignoring(await describe(one), one.hint()));
  const more = found.length - maxReports;
  if (more > 0) warnings.push(`${path}: ${more} more fields are wrong and ignored; mend the first ones to see them`);
  return {
    values: flatten(problems.length === 0 ? value : withoutProblems(value, problems)),
    warnings,
    ignored: problems.flatMap(({ path: [top = '', inner] }) => [top, `${top}.${inner}`].filter(isSettingName)),
    locate: async (name) => `${path}:${await file.locate(written(name.split('.')))}`,
  };
}

/** Most files say a few simple things, and the whole schema is a large one to make for them. */
function isPlain(value: Record<string, unknown>): boolean {
  return Object.entries(value).every(
    ([name, given]) => isSettingName(name) && !name.includes('.') && isPlainlyValid(keys[name].schema, given),
  );
}

/** One line for all of them: they count, and one command mends them. */
async function renamedIn(file: SettingsFile, old: Normalised['old']): Promise<string[]> {
  const renamed = old.filter((one) => one.renamed);
  const [first] = renamed;
  if (first === undefined) return [];
  const names = renamed.map(({ written, now }) => `${written.join('.')} is now ${now}`);
  const isOurs = file.layer !== 'config' && file.path.endsWith('.json');
  const remedy = `tau config migrate${file.layer === 'user' ? '' : ` --${file.layer}`} writes it so`;
  const place = `${file.path}:${await file.locate(first.written)}`;
  return [`${place}: ${names.join(', ')}${isOurs ? `: ${remedy}` : ''}`];
}

function ignoring(what: string, hint: string | undefined): string {
  return hint === undefined ? `${what}; it is ignored` : `${what}. ${hint} It is ignored`;
}

/** TOML has `nan` and `inf`, which no bound of the schema stops: a limit of `nan` would be none. */
function notFinite(value: Record<string, unknown>): Problem[] {
  return [...flatten(value)]
    .filter(([, given]) => typeof given === 'number' && !Number.isFinite(given))
    .map(([name]) => ({ path: name.split('.'), message: 'must be a finite number', unknownKey: false }));
}

/** More than a person reads; each costs a look through the file for its place. */
const maxReports = 20;

/** One problem for a place, and the innermost: a list is wrong because of its third item. */
function relevant(problems: readonly Problem[]): Problem[] {
  const at = (path: readonly string[]) => path.join('\0');
  const outer = new Set(problems.flatMap(({ path }) => path.map((_, length) => at(path.slice(0, length)))));
  const first = new Map<string, Problem>();
  for (const problem of problems) {
    const place = at(problem.path);
    if (!outer.has(place) && !first.has(place)) first.set(place, problem);
  }
  return [...first.values()];
}

function messageOf({ path, message, unknownKey }: Problem): string {
  const [top = '', inner] = path;
  if (unknownKey) return message;
  const name = inner !== undefined && groupNames().has(top) ? `${top}.${inner}` : top;
  const schema = isSettingName(name) ? keys[name].schema : {};
  return schema.anyOf && path.length === 1 ? `must be ${schema.description}` : message;
}

function hintOf({ path, unknownKey }: Problem, near: string | undefined): string | undefined {
  const known = unknownKey ? elsewhere(path) : undefined;
  return known ?? (near === undefined ? undefined : `Did you mean "${near}"?`);
}

function nearestName(path: readonly string[], atTheTop: readonly string[]): string | undefined {
  return nearest(path.at(-1) ?? '', path.length > 1 ? namesWithin(path[0]) : atTheTop);
}

/** `permisionMode` is a guard that is missing too. What another agent calls its own is named instead. */
function touchesGuard({ path, unknownKey }: Problem, near = ''): boolean {
  if (unknownKey && elsewhere(path) !== undefined) return false;
  const [top = ''] = path;
  return isGuard(top) || (path.length === 1 && isGuard(near));
}

function touchesHooks({ path }: Problem, near: string | undefined): boolean {
  return path[0] === 'hooks' || (path.length === 1 && near === 'hooks');
}

/** What is left when every field with a problem is taken out: of a list the item, of a map the entry. */
function withoutProblems(value: Record<string, unknown>, problems: readonly Problem[]): Record<string, unknown> {
  const copy = structuredClone(value);
  const emptied = new Set<unknown[]>();
  for (const { path } of problems) {
    const last = path.at(-1);
    let parent: unknown = copy;
    for (const key of path.slice(0, -1)) parent = childOf(parent, key);
    if (last === undefined) continue;
    if (isRecord(parent)) delete parent[last];
    else if (Array.isArray(parent)) {
      // The others keep their places until all are known.
      parent[Number(last)] = undefined;
      emptied.add(parent);
    }
  }
  for (const list of emptied) list.splice(0, list.length, ...list.filter((item) => item !== undefined));
  return copy;
}

function childOf(parent: unknown, key: string): unknown {
  if (Array.isArray(parent)) return parent[Number(key)];
  return isRecord(parent) ? parent[key] : undefined;
}

function flatten(value: Record<string, unknown>): Map<SettingName, unknown> {
  const values = new Map<SettingName, unknown>();
  for (const name of settingNames()) {
    let found: unknown = value;
    for (const key of name.split('.')) found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    if (found !== undefined) values.set(name, found);
  }
  return values;
}
