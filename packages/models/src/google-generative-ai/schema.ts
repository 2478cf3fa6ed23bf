/**
 * A JSON Schema as Gemini takes it. It reads full JSON Schema and passes over keywords it does not know; only references
 * make it refuse a request, so they are replaced by what they point at.
 */
import { isRecord, type JsonSchema } from '@tau/core';

/** Schemas that refer to each other can unfold without end. */
const maxSchemas = 5000;

/** Keywords that hold schemas under names of their own, where a name is no keyword. */
const named = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Keywords that hold plain values, in which nothing is a schema. */
const values = new Set(['enum', 'const', 'default', 'examples', 'required']);
/** Of no use once the references are gone. */
const gone = new Set(['$ref', '$schema', '$id', '$anchor', '$comment', '$defs', 'definitions']);

export function wireSchema(root: JsonSchema): unknown {
  let count = 0;

  function unfold(schema: unknown, within: readonly string[]): unknown {
    if (Array.isArray(schema)) return schema.map((one) => unfold(one, within));
    if (!isRecord(schema)) return schema;
    count += 1;
    const own = Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) =>
        gone.has(keyword) ? [] : [[keyword, unfoldValue(keyword, value, within)]],
      ),
    );
    const { $ref } = schema;
    if (typeof $ref !== 'string') return own;
    const target = resolve(root, $ref);
    if (!isRecord(target)) return own;
    // A circle is cut where it closes: what comes there is named by its type alone.
    if (within.includes($ref) || count > maxSchemas) return { ...('type' in target && { type: target.type }), ...own };
    const meant = unfold(target, [...within, $ref]);
    return isRecord(meant) ? { ...meant, ...own } : own;
  }

  function unfoldValue(keyword: string, value: unknown, within: readonly string[]): unknown {
    if (values.has(keyword)) return value;
    if (!named.has(keyword) || !isRecord(value)) return unfold(value, within);
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, unfold(schema, within)]));
  }

  return unfold(root, ['#']);
}

/** A function without parameters is declared without a schema: an object without properties is refused. */
export function takesInput(schema: JsonSchema): boolean {
  const { type, properties, required, additionalProperties, title, description, $schema, ...rest } = schema;
  return Object.keys(properties ?? {}).length > 0 || isRecord(additionalProperties) || Object.keys(rest).length > 0;
}

/** What a reference into the same schema points at: `#`, `#/$defs/Point`, `#/properties/a`. */
function resolve(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference
    .slice(1)
    .split('/')
    .slice(1)
    .map((step) => decodeStep(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  let here: unknown = root;
  for (const step of steps) here = isObject(here) && Object.hasOwn(here, step) ? Reflect.get(here, step) : undefined;
  return here;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
