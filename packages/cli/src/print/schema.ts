/** `--json-schema`: the schema the answer must fit, and whether it does. */
import {
  createValidate,
  describeError,
  describeProblem,
  isRecord,
  type JsonSchema,
  TauError,
  type Validate,
} from '@tau/agent';

export interface AnswerSchema {
  schema: JsonSchema;
  /** The value with the JSON it was read from, or what is wrong, a line each. */
  check(answer: string): Promise<Fit | { problems: string[] }>;
}

export interface Fit {
  value: unknown;
  /** The JSON alone, as the model wrote it. */
  json: string;
}

const mostProblems = 10;

export async function readSchema(text: string): Promise<AnswerSchema> {
  const schema = parse(text);
  if ('problem' in schema || !isRecord(schema.value)) {
    const why = 'problem' in schema ? `is no JSON: ${schema.problem}` : 'is not a JSON object';
    throw wrong(why, 'Give the schema itself, or @FILE');
  }
  const validate = createValidate();
  // A reference that leads nowhere or a pattern that is none shows only when something is checked.
  await validate(schema.value, {}).catch((error: unknown) => {
    throw wrong(`cannot be used: ${describeError(error)}`, 'Check the schema');
  });
  return { schema: schema.value, check: (answer) => check(answer, schema.value, validate) };
}

async function check(answer: string, schema: unknown, validate: Validate): Promise<Fit | { problems: string[] }> {
  const json = withoutFence(answer.trim());
  const parsed = parse(json);
  if ('problem' in parsed) return { problems: [`it is no JSON: ${parsed.problem}`] };
  const problems = isRecord(schema) ? await validate(schema, parsed.value) : [];
  if (problems.length === 0) return { value: parsed.value, json };
  const shown = problems.slice(0, mostProblems).map(describeProblem);
  return {
    problems: problems.length > mostProblems ? [...shown, `and ${problems.length - mostProblems} more`] : shown,
  };
}

/** What the model is told, so that it can do better. */
export function askAgain(problems: readonly string[]): string {
  return `Your answer does not fit the JSON schema it must fit:\n${problems.map((one) => `- ${one}`).join('\n')}\nAnswer again, with the corrected JSON alone.`;
}

/** Models like to put JSON into a fence, also when told not to. */
function withoutFence(text: string): string {
  return /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/.exec(text)?.[1]?.trim() ?? text;
}

function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: describeError(error) };
  }
}

function wrong(why: string, remedy: string): TauError {
  return new TauError('usage', `--json-schema ${why}`, { remedy });
}
