/**
 * Mends what models commonly get wrong about arguments, led by the schema: other spellings of a name, numbers and
 * booleans as strings, JSON in a string, null for "not given". What it cannot mend it leaves for the validator.
 */
import type { JsonSchema, Tool, ToolInput } from '@tau/core';

export function coerceInput(tool: Tool, input: ToolInput): ToolInput {
  const renamed: ToolInput = {};
  for (const [key, value] of Object.entries(input)) {
    const name = tool.aliases?.[key];
    if (name === undefined || tool.parameters.properties?.[key]) renamed[key] = value;
    else if (!(name in input)) renamed[name] = value;
  }
  return coerceObject(tool.parameters, renamed);
}

function coerceObject(schema: JsonSchema, input: ToolInput): ToolInput {
  const required = new Set(schema.required);
  const output: ToolInput = {};
  for (const [key, value] of Object.entries(input)) {
    if (value === null && !required.has(key)) continue;
    const property = schema.properties?.[key];
    output[key] = property ? coerce(property, value) : value;
  }
  return output;
}

function coerce(schema: JsonSchema, value: unknown): unknown {
  switch (schema.type) {
    case 'number':
    case 'integer':
      return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    case 'array': {
      const list = fromJson(value);
      const { items } = schema;
      return Array.isArray(list) && items ? list.map((item) => coerce(items, item)) : list;
    }
    case 'object': {
      const object = fromJson(value);
      return isObject(object) ? coerceObject(schema, object) : object;
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
