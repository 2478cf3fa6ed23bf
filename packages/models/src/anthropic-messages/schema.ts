/**
 * An answer's schema as Anthropic takes it: objects are closed, and limits it does not know are left out. What comes
 * back fits the original's shape; the limits are for whoever reads the answer to check.
 */
import { isRecord, type JsonSchema } from '@tau/core';

const unknownLimits = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
]);
/** Keywords that hold schemas by name, where a name is not a keyword. */
const maps = new Set(['properties', '$defs', 'definitions']);
/** Keywords that hold data, not schemas. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required', 'type']);

export function answerSchema(schema: JsonSchema): JsonSchema {
  const fitting: JsonSchema = {};
  for (const [name, value] of Object.entries(schema)) {
    if (unknownLimits.has(name)) continue;
    if (data.has(name)) fitting[name] = value;
    else if (maps.has(name) && isRecord(value)) fitting[name] = mapValues(value);
    else fitting[name] = within(value);
  }
  const isObject = fitting.type === 'object' || fitting.properties !== undefined;
  return isObject ? { ...fitting, additionalProperties: false } : fitting;
}

function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within);
  return isRecord(value) ? answerSchema(value) : value;
}

function mapValues(schemas: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, within(value)]));
}
