/** Layers into one: a later one goes before an earlier one, rules and other plain lists are added up, entries by name too. */
import { isRecord } from '@tau/core';
import { keys } from './keys.ts';
import type { SettingName, Settings } from './types.ts';

/** What a layer says, by the names in the table. */
export type Values = ReadonlyMap<SettingName, unknown>;

export function mergeValues(layers: readonly Values[]): Map<SettingName, unknown> {
  const merged = new Map<SettingName, unknown>();
  for (const layer of layers) {
    for (const [name, value] of layer) merged.set(name, combine(name, merged.get(name), value));
  }
  return merged;
}

function combine(name: SettingName, below: unknown, value: unknown): unknown {
  // In two formats; nobody's hooks take the place of somebody else's.
  if (name === 'hooks') return [...(Array.isArray(below) ? below : []), ...(Array.isArray(value) ? value : [value])];
  if (addsUp(name) && Array.isArray(below) && Array.isArray(value)) return [...new Set([...below, ...value])];
  if (isRecord(below) && isRecord(value)) return { ...below, ...value };
  return value;
}

/** Layers are joined, instead of the last one that says something being the one that counts. */
export function addsUp(name: SettingName): boolean {
  const { schema, ordered } = keys[name];
  return name === 'hooks' || (ordered !== true && (schema.type === 'array' || schema.type === 'object'));
}

export function toSettings(values: Values): Settings {
  const settings: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const [top = name, inner] = name.split('.');
    if (inner === undefined) settings[top] = value;
    else settings[top] = { ...(isRecord(settings[top]) ? settings[top] : {}), [inner]: value };
  }
  return settings;
}
