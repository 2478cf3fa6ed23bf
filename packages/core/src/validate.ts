/** One validator for every schema in tau: tool arguments, settings, `models.json`, recordings. Loaded when first used. */
import { isPlainlyValid } from './plainly-valid.ts';
import type { JsonSchema } from './tool.ts';

export interface Problem {
  /** Where, as keys from the root. */
  path: string[];
  message: string;
  /** The key is not in the schema at all. */
  unknownKey: boolean;
}

/** Resolves to what is wrong, or to nothing. */
export type Validate = (schema: JsonSchema, value: unknown) => Promise<Problem[]>;

/** Compiled schemas are kept for as long as whoever holds the function keeps the schema. */
export function createValidate(): Validate {
  const compiled = new WeakMap<JsonSchema, { validate(value: unknown): { valid: boolean; errors: OutputUnit[] } }>();
  return async (schema, value) => {
    if (isPlainlyValid(schema, value)) return [];
    let validator = compiled.get(schema);
    if (!validator) {
      const { Validator } = await import('@cfworker/json-schema');
      validator = new Validator({ ...schema }, '2020-12', false);
      compiled.set(schema, validator);
    }
    const { valid, errors } = validator.validate(value);
    if (valid) return [];
    const leaves = errors.filter(({ keyword }) => !summaries.has(keyword)).map(toProblem);
    // The library may say the same of a place more than once.
    return [...new Map(leaves.map((one) => [JSON.stringify([one.path, one.message]), one])).values()];
  };
}

interface OutputUnit {
  keyword: string;
  instanceLocation: string;
  error: string;
}

/** Keywords under which the library repeats, less precisely, what it says of the parts. */
const summaries = new Set(['properties', 'items', 'additionalProperties']);

function toProblem({ keyword, instanceLocation, error }: OutputUnit): Problem {
  const path = instanceLocation.split('/').slice(1).map(unescapePointer);
  // A property that `additionalProperties: false` forbids is reported at the property, as a schema that is `false`.
  const unknownKey = keyword === 'false';
  return { path, message: unknownKey ? 'there is no such key' : reword(error), unknownKey };
}

/** The library's sentences, in words a model or a person acts on at once. */
function reword(error: string): string {
  return error
    .replace(/^Instance type "(.+)" is invalid\. Expected "(.+)"\.$/, (_, given: string, wanted: string) => {
      return `must be ${wanted.replaceAll('", "', ' or ')}, not ${given}`;
    })
    .replace(/^Instance does not have required property "(.+)"\.$/, '"$1" is missing')
    .replace(/^Instance does not match any of (.+)\.$/, 'must be one of $1')
    .replace(/\.$/, '');
}

function unescapePointer(pointer: string): string {
  return decodeURIComponent(pointer).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** One line: where and what. */
export function describeProblem({ path, message }: Problem): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** A file's content as the type its schema describes, or what is wrong with it. The schema must say what the type says. */
export async function parseAs<T>(schema: JsonSchema, value: unknown): Promise<{ value: T } | { problems: Problem[] }> {
  const problems = await createValidate()(schema, value);
  return fits<T>(value, problems) ? { value } : { problems };
}

function fits<T>(_value: unknown, problems: readonly Problem[]): _value is T {
  return problems.length === 0;
}
