/** What is wrong with a call's arguments, so that the model that made it can mend it: where, what, and what there is. */
import { describeProblem, type JsonSchema, nearest, type Problem, type Tool } from '@tau/core';

const maxProblems = 10;

export function teach({ name, parameters }: Tool, problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, maxProblems)
    .map((problem) => `- ${describeProblem(problem)}${hint(parameters, problem)}`);
  if (problems.length > maxProblems) lines.push(`- and ${problems.length - maxProblems} more`);
  return [`The arguments do not fit ${name}:`, ...lines, `It takes: ${signature(parameters)}`].join('\n');
}

function hint(schema: JsonSchema, { path, unknownKey }: Problem): string {
  const last = path.at(-1);
  if (!unknownKey || last === undefined) return '';
  const near = nearest(last, Object.keys(schemaAt(schema, path.slice(0, -1))?.properties ?? {}));
  return near === undefined ? '' : `; did you mean ${near}?`;
}

function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const key of path) at = at?.properties && Object.hasOwn(at.properties, key) ? at.properties[key] : at?.items;
  return at;
}

function signature({ properties = {}, required = [] }: JsonSchema): string {
  const parts = Object.entries(properties).map(([key, schema]) => {
    return `${key}${required.includes(key) ? '' : '?'} (${kindOf(schema)})`;
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function kindOf({ type, enum: values, items }: JsonSchema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (type === 'array' && items?.type === 'object') return `array of {${signature(items)}}`;
  if (type === 'array' && items) return `array of ${kindOf(items)}`;
  return [type].flat().join(' or ') || 'anything';
}
