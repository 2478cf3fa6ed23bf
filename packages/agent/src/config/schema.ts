/** The JSON Schema of a settings file, from the table of keys: what tau checks with, and what editors are given. */
import type { JsonSchema } from '@tau/core';
import { keys, settingNames } from './keys.ts';
import { groupNames, namesWithin } from './names.ts';

/** Closed, so that what is misspelt is found. */
export function settingsSchema(): JsonSchema {
  return build((name) => keys[name].schema);
}

/** With the words, defaults and examples an editor shows. */
export function publishedSchema(): JsonSchema {
  const described = build((name) => {
    const { schema, about, default: standard, example } = keys[name];
    return {
      ...schema,
      description: about,
      ...(standard !== undefined && { default: standard }),
      examples: [example],
    };
  });
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Settings of tau', ...described };
}

function build(schemaOf: (name: keyof typeof keys) => JsonSchema): JsonSchema {
  const groups = groupNames();
  const leaves = new Map(settingNames().map((name) => [String(name), schemaOf(name)]));
  const object = (group: string | undefined): JsonSchema => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries([
      ...(group === undefined ? [['$schema', { type: 'string' }]] : []),
      ...namesWithin(group).map((name): [string, JsonSchema] => {
        if (group === undefined && groups.has(name)) return [name, object(name)];
        return [name, leaves.get(group === undefined ? name : `${group}.${name}`) ?? {}];
      }),
    ]),
  });
  return object(undefined);
}
