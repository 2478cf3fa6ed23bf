/**
 * The user's `settings.json`. A bad field is a warning with its place in the file and the default stands in, except for
 * the permission settings: a guard that cannot be read stops tau instead of being left out.
 */
import {
  isRecord,
  type JsonSchema,
  type PermissionMode,
  type Problem,
  parseAs,
  permissionModes,
  TauError,
  type ThinkingLevel,
  thinkingLevels,
} from '@tau/core';
import type { RuleSet } from '@tau/policy';
import type { Home } from './home.ts';
import { type JsonFile, locate, readJsonFile } from './jsonc.ts';

export interface Settings {
  model?: string;
  thinking?: ThinkingLevel;
  /** Asked in this order when the model cannot answer. */
  fallbackModels?: string[];
  /** What `--model small` means: for quick and cheap work. */
  smallModel?: string;
  /** Short names for models, over the shipped ones. */
  aliases?: Record<string, string>;
  retry?: { retries?: number; baseMs?: number; maxMs?: number; maxWaitSecs?: number };
  /** A command that prints the key of the provider named in TAU_PROVIDER. */
  apiKeyHelper?: string;
  /** Certificates to trust besides the system's, as a PEM file. */
  caFile?: string;
  permissionMode?: PermissionMode;
  permissions?: RuleSet;
  limits?: Limits;
}

interface Limits {
  /** Calls of one message that may run at the same time. */
  parallelTools?: number;
  /** Characters of one tool result that reach the model. */
  resultChars?: number;
  /** How long `bash` waits for a command when the model does not say. */
  bashTimeoutSecs?: number;
  /** How long a provider may stay silent. */
  modelIdleSecs?: number;
}

const rules: JsonSchema = { type: 'array', items: { type: 'string' } };
const seconds: JsonSchema = { type: 'number', exclusiveMinimum: 0, maximum: 86_400 };
const count: JsonSchema = { type: 'integer', minimum: 1 };

const schema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    model: { type: 'string' },
    thinking: { enum: [...thinkingLevels] },
    fallbackModels: { type: 'array', items: { type: 'string', minLength: 1 } },
    smallModel: { type: 'string', minLength: 1 },
    aliases: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
    retry: {
      type: 'object',
      additionalProperties: false,
      properties: {
        retries: { type: 'integer', minimum: 0, maximum: 20 },
        baseMs: { type: 'number', exclusiveMinimum: 0, maximum: 600_000 },
        maxMs: { type: 'number', exclusiveMinimum: 0, maximum: 600_000 },
        maxWaitSecs: seconds,
      },
    },
    apiKeyHelper: { type: 'string', minLength: 1 },
    caFile: { type: 'string', minLength: 1 },
    permissionMode: { enum: [...permissionModes] },
    permissions: { type: 'object', additionalProperties: false, properties: { allow: rules, ask: rules, deny: rules } },
    limits: {
      type: 'object',
      additionalProperties: false,
      properties: { parallelTools: count, resultChars: count, bashTimeoutSecs: seconds, modelIdleSecs: seconds },
    },
  },
};

export async function loadSettings(home: Home): Promise<{ settings: Settings; warnings: string[] }> {
  const file = await readJsonFile(home.settings);
  return file ? parseSettings(file) : { settings: {}, warnings: [] };
}

/** Also what is only meant to be one: a misspelt guard is a missing guard. */
const isGuard = (key = '') => key.toLowerCase().startsWith('permission');

async function parseSettings(file: JsonFile): Promise<{ settings: Settings; warnings: string[] }> {
  const { value } = file;
  const parsed = await parseAs<Settings>(schema, value);
  if ('value' in parsed) return { settings: parsed.value, warnings: [] };
  const { problems } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TauError('configuration', `${file.path}:1:1: the settings must be an object`);
  }
  const warnings: string[] = [];
  for (const problem of problems) {
    const text = `${file.path}:${await locate(file, problem.path)}: ${problem.path.join('.')}: ${problem.message}`;
    if (isGuard(problem.path[0])) {
      throw new TauError('configuration', text, {
        remedy: 'A permission setting that cannot be read is never left out',
      });
    }
    warnings.push(`${text}; it is ignored`);
  }
  return { settings: withoutProblems(value, problems), warnings };
}

/** What is left when every field with a problem is taken out. */
function withoutProblems(value: object, problems: readonly Problem[]): Settings {
  const copy: Record<string, unknown> = structuredClone({ ...value });
  for (const { path } of problems) {
    const last = path.at(-1);
    let parent: unknown = copy;
    for (const key of path.slice(0, -1)) parent = isRecord(parent) ? parent[key] : undefined;
    if (last !== undefined && isRecord(parent)) delete parent[last];
  }
  return copy;
}
