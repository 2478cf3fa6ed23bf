/** Whether a schema is one that strict mode takes: an object, closed and without options, all the way down. */
import { isRecord, type JsonSchema } from '@tau/core';

const lists = ['anyOf', 'allOf', 'oneOf', 'prefixItems'];
const maps = ['properties', '$defs', 'definitions', 'patternProperties'];

export function isStrict(schema: JsonSchema): boolean {
  return schema.type === 'object' && isClosed(schema);
}

function isClosed(schema: JsonSchema): boolean {
  return closed(schema) && partsOf(schema).every(isClosed);
}

function closed({ type, properties, required = [], additionalProperties }: JsonSchema): boolean {
  const isObject = properties !== undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isObject) return true;
  return additionalProperties === false && Object.keys(properties ?? {}).every((name) => required.includes(name));
}

/** The schemas inside a schema. */
function partsOf(schema: JsonSchema): JsonSchema[] {
  const inside = [schema.items, schema.not];
  for (const name of lists) if (Array.isArray(schema[name])) inside.push(...schema[name]);
  for (const name of maps) if (isRecord(schema[name])) inside.push(...Object.values(schema[name]));
  return inside.filter(isRecord);
}
