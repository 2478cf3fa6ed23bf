/** Settings from variables: `TAU_` and the name in capitals, `TAU_MAX_TURNS`, `TAU_LIMITS_READ_LINES`. Single values only. */
import { nearest, TauError, type Validate } from '@tau/core';
import { isGuard, keys, settingNames } from './keys.ts';
import type { Values } from './merge.ts';
import type { SettingName } from './types.ts';

const prefix = 'TAU_';
/** What tau reads that is no setting. */
const others = new Set(['TAU_HOME', 'TAU_CONFIG_DIR', 'TAU_API_KEY', 'TAU_PLAIN']);

export interface EnvironmentLayer {
  values: Values;
  warnings: string[];
}

export function variableOf(name: SettingName): string {
  return (
    prefix +
    name
      .replace('.', '_')
      .replace(/[A-Z]/g, (letter) => `_${letter}`)
      .toUpperCase()
  );
}

/** An empty variable is as good as none. The validator is asked only for what is not any text at all. */
export async function readEnvironment(env: NodeJS.ProcessEnv, validate: Validate): Promise<EnvironmentLayer> {
  const values = new Map<SettingName, unknown>();
  const warnings: string[] = [];
  // Nearly always there is none, and then the table is not looked at.
  const given = Object.keys(env).filter(
    (variable) => variable.startsWith(prefix) && env[variable] && !others.has(variable),
  );
  if (given.length === 0) return { values, warnings };
  const names = new Map(settingNames().map((name) => [variableOf(name), name]));
  for (const variable of given) {
    const name = names.get(variable);
    if (name === undefined) {
      const near = nearestVariable(variable, [...names.keys()]);
      if (near !== undefined) report(variable, near, `tau knows no such variable. Did you mean ${near}?`, warnings);
      continue;
    }
    const { schema } = keys[name];
    const value = isScalar(name) ? scalar(env[variable] ?? '', schema.type) : undefined;
    const problem =
      value === undefined ? 'a list cannot be given in a variable' : await problemOf(name, value, validate);
    if (problem === undefined) values.set(name, value);
    else report(variable, variable, problem, warnings);
  }
  return { values, warnings };
}

function report(variable: string, meant: string, message: string, warnings: string[]): void {
  const what = `${variable}: ${message}`;
  if (isGuard(meant.slice(prefix.length))) {
    throw new TauError('configuration', what, { remedy: 'A permission setting that cannot be read is never left out' });
  }
  warnings.push(message.endsWith('?') ? `${what} It is ignored` : `${what}; it is ignored`);
}

/** Other programs have variables that begin so as well: only what is nearly one of ours is spoken of. */
function nearestVariable(variable: string, known: readonly string[]): string | undefined {
  const found = nearest(
    variable.slice(prefix.length),
    known.map((one) => one.slice(prefix.length)),
  );
  return found === undefined ? undefined : prefix + found;
}

/** One value, not a list and not entries by name. */
function isScalar(name: SettingName): boolean {
  const { type, anyOf } = keys[name].schema;
  return type !== 'array' && type !== 'object' && anyOf === undefined;
}

function scalar(text: string, type: unknown): unknown {
  if (type === 'number' || type === 'integer')
    return text.trim() === '' || !Number.isFinite(Number(text)) ? text : Number(text);
  if (type !== 'boolean') return text;
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : text;
}

async function problemOf(name: SettingName, value: unknown, validate: Validate): Promise<string | undefined> {
  const { schema } = keys[name];
  if (schema.type === 'string' && schema.pattern === undefined) return undefined;
  if (schema.type === 'boolean' && typeof value === 'boolean') return undefined;
  return (await validate(schema, value))[0]?.message;
}
