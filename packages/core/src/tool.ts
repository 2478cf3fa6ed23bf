/** A tool: a name, a schema, the effects of a call, and the deed. */
import type { Effect } from './effect.ts';
import type { ResultBlock } from './messages.ts';
import type { Question, Reply } from './question.ts';

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** Literal JSON Schema, sent to the model as it stands. */
export interface JsonSchema {
  type?: JsonType | JsonType[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  additionalProperties?: boolean | JsonSchema;
  [keyword: string]: unknown;
}

export type ToolInput = Record<string, unknown>;

export interface ToolContext {
  toolCallId: string;
  cwd: string;
  signal: AbortSignal;
  /** Where the paths of the call's effects lead, as it was judged. Nothing else may be opened for them. */
  judged?: ReadonlyMap<string, string>;
  /** Streams output to whoever watches, as it happens. Not part of the result. */
  onUpdate(delta: string): void;
  /** Puts a question to the user and waits. When nobody is there it says so at once. */
  ask(question: Question): Promise<Reply>;
}

export interface ToolResult {
  /** For the model. */
  content: ResultBlock[];
  /** For a UI: structured, never sent to the model. */
  details?: unknown;
  isError?: boolean;
}

export interface Tool {
  name: string;
  description: string;
  parameters: JsonSchema;
  /** One line about it, for a list of tools. Absent: the first sentence of the description. */
  snippet?: string;
  /** What a model should know to use it well, as lines of the system prompt. */
  guidelines?: readonly string[];
  /** Not offered until the model looks for it (`tool_search`) or the user names it: most conversations never need it. */
  deferred?: boolean;
  /** Other spellings of parameters that models use, mapped to ours: `{ file_path: 'path' }`. */
  aliases?: Readonly<Record<string, string>>;
  /** Mends what aliases cannot, before the input is coerced and validated. It may throw to say what is wrong. */
  prepare?(input: ToolInput): ToolInput;
  /** What the call will do, said before it does it. It may look, but not touch. */
  effects(input: ToolInput, context: { cwd: string }): Effect[] | Promise<Effect[]>;
  /** Called by the gate and nobody else, with input that has passed the schema. A throw becomes an error result. */
  run(input: ToolInput, context: ToolContext): Promise<ToolResult>;
}

export function textResult(text: string, details?: unknown): ToolResult {
  return details === undefined ? { content: [{ type: 'text', text }] } : { content: [{ type: 'text', text }], details };
}

export function errorResult(text: string, details?: unknown): ToolResult {
  return { ...textResult(text, details), isError: true };
}
