/**
 * Mends what models commonly get wrong about arguments, led by the schema: other spellings of a name, numbers and
 * booleans as strings, JSON in a string, null for "not given". What it cannot mend it leaves for the validator.
 */
import { isRecord, type JsonSchema, type Tool, type ToolInput } from '@tau/core';

type Aliases = NonNullable<Tool['aliases']>;

export function coerceInput({ parameters, aliases = {} }: Tool, input: ToolInput): ToolInput {
  return coerceObject(parameters, input, aliases);
}

function coerceObject(schema: JsonSchema, input: ToolInput, aliases: Aliases): ToolInput {
  const { properties = {}, required = [] } = schema;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(input)) {
    const name = rename(key, properties, aliases);
    if (name !== key && Object.hasOwn(input, name)) continue;
    const property = own(properties, name);
    // What is free to be anything may mean its null.
    const isFree = property ? takesNull(property) : schema.additionalProperties !== false;
    if (value === null && !required.includes(name) && !isFree) continue;
    entries.push([name, property ? coerce(property, value, aliases) : value]);
  }
  // Not by assignment: a key `__proto__` must stay a key.
  return Object.fromEntries(entries);
}

/** The schema's name for a key. A spelling that the schema knows, or whose proper name it does not know, stays. */
function rename(key: string, properties: Record<string, JsonSchema>, aliases: Aliases): string {
  if (own(properties, key)) return key;
  const name = own(aliases, key);
  if (name !== undefined && own(properties, name)) return name;
  return Object.keys(properties).find((known) => plain(known) === plain(key)) ?? key;
}

/** `timeoutSecs`, `timeout-secs` and `timeout_secs` are one name. */
function plain(key: string): string {
  return key.replace(/[_-]/g, '').toLowerCase();
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function takesNull({ type, enum: values }: JsonSchema): boolean {
  if (type === undefined && values === undefined) return true;
  return [type].flat().includes('null') || (values?.includes(null) ?? false);
}

function coerce(schema: JsonSchema, value: unknown, aliases: Aliases): unknown {
  const [type, ...others] = [schema.type].flat().filter((one) => one !== 'null');
  if (schema.enum) return chosen(schema.enum, value);
  if (others.length > 0) return value;
  switch (type) {
    case 'number':
    case 'integer':
      return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
    case 'boolean':
      return asBoolean(value);
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    case 'array': {
      const parsed = Array.isArray(value) ? value : fromJson(value);
      const { items } = schema;
      if (!items) return Array.isArray(parsed) ? parsed : value;
      // One thing where a list of them is wanted is a list of one; text is taken as it stands.
      const one = [value, parsed].filter((given) => isOneOf(items, given)).slice(0, 1);
      const list = Array.isArray(parsed) ? parsed : one.length > 0 ? one : undefined;
      return list ? list.map((item) => coerce(items, item, aliases)) : value;
    }
    case 'object': {
      const object = isRecord(value) ? value : fromJson(value);
      return isRecord(object) ? coerceObject(schema, object, aliases) : value;
    }
    default:
      return value;
  }
}

/** The word of the list that is meant, where only its case differs. */
function chosen(values: readonly unknown[], value: unknown): unknown {
  if (typeof value !== 'string' || values.includes(value)) return value;
  const lower = value.toLowerCase();
  return values.find((one) => typeof one === 'string' && one.toLowerCase() === lower) ?? value;
}

function asBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 'true' || word === 1) return true;
  return word === 'false' || word === 0 ? false : value;
}

function isOneOf({ type }: JsonSchema, value: unknown): boolean {
  return (type === 'object' && isRecord(value)) || (type === 'string' && typeof value === 'string');
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
