/** Checks arguments against a tool's schema and words what is wrong so that a model can mend it. */
import type { JsonSchema, ToolInput } from '@tau/core';

/** Resolves to one line a problem, or to none. */
export type Validate = (schema: JsonSchema, input: ToolInput) => Promise<string[]>;

export function createValidate(): Validate {
  // Compiling a schema is the costly part; a tool's schema is the same object for the life of the agent.
  const compiled = new WeakMap<JsonSchema, { validate(input: unknown): { valid: boolean; errors: OutputUnit[] } }>();
  return async (schema, input) => {
    let validator = compiled.get(schema);
    if (!validator) {
      const { Validator } = await import('@cfworker/json-schema');
      validator = new Validator({ ...schema }, '2020-12', false);
      compiled.set(schema, validator);
    }
    const { valid, errors } = validator.validate(input);
    if (valid) return [];
    const leaves = errors.filter((error) => error.keyword !== 'properties' && error.keyword !== 'items');
    return [...new Set(leaves.map(problem))];
  };
}

interface OutputUnit {
  keyword: string;
  instanceLocation: string;
  error: string;
}

function problem({ keyword, instanceLocation, error }: OutputUnit): string {
  const path = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
  // The library reports a forbidden property at the property itself, as a schema that is `false`.
  if (keyword === 'false') return `${path}: not a parameter of this tool`;
  return path === '' ? error : `${path}: ${error}`;
}
