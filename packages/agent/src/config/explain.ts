/** Which value counts and where it came from. Secrets are not repeated. */
import { isRecord, TauError } from '@tau/core';
import { scrub } from '@tau/models';
import { keys, settingNames } from './keys.ts';
import { addsUp, mergeValues } from './merge.ts';
import { groupNames } from './names.ts';
import { findKey, type Key } from './save.ts';
import type { Layer, LoadedSettings } from './settings.ts';
import type { SettingName } from './types.ts';

type Origin = 'default' | Layer['layer'];

export interface EffectiveSetting {
  key: string;
  value: unknown;
  /** Several where layers add up. */
  origins: Origin[];
}

/** One layer's word on a setting. */
export interface SettingSay {
  origin: Origin;
  /** `path:line:column`, or a variable. */
  place?: string;
  value: unknown;
  /** Why it does not count; nothing when it does. */
  not?: string;
}

/** All that have a value, in the order of the table. */
export function listSettings({ layers }: LoadedSettings): EffectiveSetting[] {
  const merged = mergeValues(layers.map(({ values }) => values));
  return settingNames().flatMap((name) => {
    const value = merged.get(name) ?? keys[name].default;
    return value === undefined ? [] : [{ key: name, value: shown(value), origins: originsOf(name, layers) }];
  });
}

function originsOf(name: SettingName, layers: readonly Layer[]): Origin[] {
  const saying = layers.filter(({ values }) => values.has(name)).map(({ layer }) => layer);
  if (saying.length === 0) return ['default'];
  return addsUp(name) ? saying : saying.slice(-1);
}

/** A setting, an entry, or a whole group. `undefined` when nothing says it and it has no default. */
export function getSetting(loaded: LoadedSettings, written: string): unknown {
  const merged = mergeValues(loaded.layers.map(({ values }) => values));
  if (groupNames().has(written)) {
    const inside = settingNames().filter((name) => name.startsWith(`${written}.`));
    const found = inside.map((name) => [name.slice(written.length + 1), merged.get(name) ?? keys[name].default]);
    return shown(Object.fromEntries(found.filter(([, value]) => value !== undefined)));
  }
  const key = findKey(written);
  return shownPart(merged.get(key.name) ?? keys[key.name].default, key);
}

/** Every layer that says something about it, low to high. */
export async function explainSetting({ layers }: LoadedSettings, written: string): Promise<SettingSay[]> {
  const key = findKey(written);
  const { name } = key;
  const says: SettingSay[] = [];
  const standard = shownPart(keys[name].default, key);
  if (standard !== undefined) says.push({ origin: 'default', value: standard });
  for (const { layer: origin, values, refused, locate } of layers) {
    const no = refused.get(name);
    const value = shownPart(values.get(name) ?? no?.value, key);
    if (value === undefined) continue;
    says.push({ origin, place: await locate(name), value, ...(no && { not: no.why }) });
  }
  const last = says.findLast((say) => say.not === undefined);
  const together = addsUp(name) && key.entry === undefined;
  return says.map((say) => {
    if (say === last || say.not !== undefined || (together && say.origin !== 'default')) return say;
    return { ...say, not: `${last?.origin} goes before it` };
  });
}

function shownPart(value: unknown, { entry }: Key): unknown {
  const all = shown(value);
  if (entry === undefined) return all;
  return isRecord(all) && Object.hasOwn(all, entry) ? all[entry] : undefined;
}

/** A key that somebody put where none belongs is not shown to whoever looks over the shoulder. */
export function shown(value: unknown): unknown {
  if (typeof value === 'string') return withoutPassword(scrub(value, []));
  if (Array.isArray(value)) return value.map(shown);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [name, isSecretName(name) ? '[secret]' : shown(inner)]));
}

/** Of a variable for commands. */
function isSecretName(name: string): boolean {
  return /(key|token|secret|password|passwd|passphrase|credentials?|(^|_)(pass|pwd|pat|auth))($|_)/i.test(name);
}

function withoutPassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/i, '$1[secret]@');
}

/** The text of a command line as a value: JSON, or for what holds text the text itself. */
export function readValue({ name, entry }: Key, text: string): unknown {
  const { schema } = keys[name];
  const plain = schema.type === 'string' || schema.enum !== undefined || entry !== undefined;
  if (plain && !/^".*"$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    if (schema.type === 'string' || schema.anyOf !== undefined || plain) return text;
    const example = JSON.stringify(keys[name].example);
    throw new TauError('usage', `${name}: "${text}" is not the JSON it takes`, { remedy: `For example: '${example}'` });
  }
}
