/** Names of settings as people write them: camelCase is ours, snake_case and other agents' names are understood. */
import { isRecord } from '@tau/core';
import { keys, settingNames } from './keys.ts';
import { nameNow } from './migrations.ts';
import type { SettingName } from './types.ts';

/** Of a name at the top, or in a group. */
function canonical(written: string, group?: string): string {
  return nameNow(camelCase(written), group);
}

function camelCase(written: string): string {
  return written.replace(/(?<=[a-z0-9])_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

/** The settings that hold others: `limits`, `retry`. */
export function groupNames(): Set<string> {
  return new Set(settingNames().flatMap((name) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])));
}

/** What stands in the group, or all there is at the top. */
export function namesWithin(group: string | undefined): string[] {
  if (group === undefined) return [...new Set(settingNames().map((name) => name.split('.')[0] ?? name))];
  const prefix = `${group}.`;
  return settingNames().flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}

/** A name with dots, `aliases.gpt-5.4` among them: what follows the name of a setting is the name of an entry. */
export function nameOf(dotted: string): { name: string; entry?: string } {
  const [first = '', ...rest] = dotted.split('.');
  const top = canonical(first);
  if (rest.length === 0) return { name: top };
  if (groupNames().has(top)) return { name: `${top}.${canonical(rest.join('.'), top)}` };
  return { name: top, entry: rest.join('.') };
}

/** A setting whose value is entries by name. */
export function isMap(name: SettingName): boolean {
  return keys[name].schema.type === 'object';
}

export interface Normalised {
  /** As in the schema. Whatever was null is as if it were not there. */
  value: Record<string, unknown>;
  /** From our path to the one in the file. */
  written(path: readonly string[]): string[];
  /** In the file's spelling: those that say again what another spelling said. */
  repeated: string[][];
  /** Names that are written another way than ours; `renamed`: not only in another case. */
  old: { written: string[]; now: string; renamed: boolean }[];
}

export function normalise(file: Record<string, unknown>): Normalised {
  const groups = groupNames();
  const spellings = new Map<string, string[]>();
  const repeated: string[][] = [];
  const old: Normalised['old'] = [];
  const walk = (source: Record<string, unknown>, within: readonly string[], writtenWithin: readonly string[]) => {
    const entries: [string, unknown][] = [];
    for (const [spelling, given] of Object.entries(source)) {
      if (given === null) continue;
      const name = canonical(spelling, within[0]);
      const path = [...within, name];
      const written = [...writtenWithin, spelling];
      if (spelling !== name && (Object.hasOwn(source, name) || spellings.has(path.join('.')))) {
        repeated.push(written);
        continue;
      }
      spellings.set(path.join('.'), written);
      if (spelling !== name) old.push({ written, now: path.join('.'), renamed: camelCase(spelling) !== name });
      const nested = within.length === 0 && groups.has(name) && isRecord(given);
      entries.push([name, nested ? walk(given, path, written) : given]);
    }
    return Object.fromEntries(entries);
  };
  const value = walk(file, [], []);
  return {
    value,
    written(path) {
      for (let length = Math.min(path.length, 2); length > 0; length--) {
        const found = spellings.get(path.slice(0, length).join('.'));
        if (found) return [...found, ...path.slice(length)];
      }
      return [...path];
    },
    repeated,
    old,
  };
}
