/** The table of settings for whoever shows it to a person. */
import { keys, settingNames } from './keys.ts';

export interface SettingFacts {
  key: string;
  /** What it is, in a few words. */
  about: string;
  /** All it can be, where that is a short list. */
  values?: readonly string[];
  kind: 'text' | 'number' | 'switch' | 'choice' | 'json';
  default?: unknown;
  example: unknown;
}

export function describeSettings(): SettingFacts[] {
  return settingNames().map((key) => {
    const { about, schema, default: standard, example } = keys[key];
    const values = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
    return {
      ...{ key, about, example, kind: kindOf(schema) },
      ...(values && { values }),
      ...(standard !== undefined && { default: standard }),
    };
  });
}

function kindOf({ type, enum: choices }: { type?: unknown; enum?: unknown }): SettingFacts['kind'] {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' ? 'text' : 'json';
}
