/**
 * A quick yes for what is mostly right: what fits a schema of common words needs no validator, which takes milliseconds to
 * load. Never a no: what is not plainly right, or meets a word that is not known here, is for the validator to judge.
 */
import { isRecord } from './record.ts';
import type { JsonSchema } from './tool.ts';

const known: ReadonlySet<string> = new Set(
  'type title description enum anyOf pattern minLength minimum exclusiveMinimum maximum items properties additionalProperties required'.split(
    ' ',
  ),
);

/** Schemas come from strangers too, and may be anything where a schema should be. */
export function isPlainlyValid(schema: JsonSchema, value: unknown): boolean {
  if (!isRecord(schema) || !Object.keys(schema).every((word) => known.has(word))) return false;
  if (!['string', 'number', 'boolean', 'object'].includes(typeof value)) return false;
  return isOfType(schema, value) && isChosen(schema, value) && isWithinBounds(schema, value) && isWhole(schema, value);
}

function isOfType({ type }: JsonSchema, value: unknown): boolean {
  if (type === undefined) return true;
  return (Array.isArray(type) ? type : [type]).some((one) => {
    if (one === 'object') return isRecord(value);
    if (one === 'array') return Array.isArray(value);
    if (one === 'integer') return Number.isInteger(value);
    if (one === 'number') return Number.isFinite(value);
    return one === 'null' ? value === null : typeof value === one;
  });
}

function isChosen({ enum: choices, anyOf }: JsonSchema, value: unknown): boolean {
  if (choices !== undefined && !(Array.isArray(choices) && choices.some((one) => one === value))) return false;
  if (anyOf === undefined) return true;
  return Array.isArray(anyOf) && anyOf.some((one) => isRecord(one) && isPlainlyValid(one, value));
}

function isWithinBounds(schema: JsonSchema, value: unknown): boolean {
  const { pattern, minLength, minimum, exclusiveMinimum, maximum } = schema;
  if (pattern !== undefined && !(typeof value === 'string' && isLike(String(pattern), value))) return false;
  // Characters are counted, not the halves that some are made of.
  if (minLength !== undefined && !(typeof value === 'string' && [...value].length >= Number(minLength))) return false;
  if (minimum !== undefined && !(typeof value === 'number' && value >= Number(minimum))) return false;
  if (exclusiveMinimum !== undefined && !(typeof value === 'number' && value > Number(exclusiveMinimum))) return false;
  return maximum === undefined || (typeof value === 'number' && value <= Number(maximum));
}

function isLike(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return false;
  }
}

/** All its parts are there, and each of them fits. */
function isWhole({ items, properties = {}, additionalProperties, required = [] }: JsonSchema, value: unknown): boolean {
  if (Array.isArray(value)) return items === undefined || value.every((item) => isPlainlyValid(items, item));
  if (!isRecord(value)) return true;
  if (!isRecord(properties) || !Array.isArray(required)) return false;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, part]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (schema === undefined || typeof schema === 'boolean') return schema !== false;
    return isPlainlyValid(schema, part);
  });
}
