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
    if (value === null && !required.includes(name) && !(property && takesNull(property))) continue;
    entries.push([name, property ? coerce(property, value, aliases) : value]);
  }
  // Not by assignment: a key `__proto__` must stay a key.
  return Object.fromEntries(entries);
}

/** The schema's name for a key. A spelling that the schema knows, or whose proper name it does not know, stays. */
function rename(key: string, properties: Record<string, JsonSchema>, aliases: Aliases): string {
  const name = own(aliases, key);
  return name !== undefined && own(properties, name) && !own(properties, key) ? name : key;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function takesNull({ type, enum: values }: JsonSchema): boolean {
  return [type].flat().includes('null') || (values?.includes(null) ?? false);
}

function coerce(schema: JsonSchema, value: unknown, aliases: Aliases): unknown {
  const [type, ...others] = [schema.type].flat().filter((one) => one !== 'null');
  if (others.length > 0) return value;
  switch (type) {
    case 'number':
    case 'integer':
      return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    case 'array': {
      const list = Array.isArray(value) ? value : fromJson(value);
      const { items } = schema;
      if (!Array.isArray(list)) return value;
      return items ? list.map((item) => coerce(items, item, aliases)) : list;
    }
    case 'object': {
      const object = isRecord(value) ? value : fromJson(value);
      return isRecord(object) ? coerceObject(schema, object, aliases) : value;
    }
    default:
      return value;
  }
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
