/** The command line as data. Whatever is not understood is an error that names the nearest thing that would be. */
import {
  type AgentOptions,
  type PermissionMode,
  permissionModes,
  TauError,
  type ThinkingLevel,
  thinkingLevels,
} from '@tau/agent';
import { textIn } from './file-text.ts';
import {
  amount,
  approvalOf,
  debugOf,
  excludeEachOther,
  type Flags,
  type Formats,
  formatsOf,
  last,
  listOf,
  sandboxOf,
  sessionChoice,
  toolsOf,
  wholeNumber,
} from './flags.ts';
import { commandMeant } from './misspelt.ts';
import { type DebugTopic, optionTable } from './options.ts';
import { allTexts, oneText } from './prompt-text.ts';
import { readTokens } from './tokens.ts';

const ownCommands = ['models', 'auth', 'config', 'init', 'permissions', 'sessions', 'trust', 'doctor'] as const;
type OwnCommand = (typeof ownCommands)[number];

export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'demo'; interactive: boolean }
  /** These read their own arguments. */
  | { kind: OwnCommand; args: readonly string[] }
  | PromptCommand;

export interface PromptCommand extends Formats {
  kind: 'prompt';
  prompts: string[];
  agent: AgentFlags;
  /** `-p`. */
  print: boolean;
  /** At a terminal: lines instead of the screen. */
  plain: boolean;
  /** `--resume` without an ID. */
  chooseSession: boolean;
  verbose: boolean;
  debug?: readonly DebugTopic[];
  debugFile?: string;
  /** Those that a key goes through at the screen. */
  models?: readonly string[];
  /** JSON, as it was given. */
  jsonSchema?: string;
  replay?: string;
  record?: string;
}

type AgentFlags = Omit<
  AgentOptions,
  'cwd' | 'env' | 'replay' | 'record' | 'ask' | 'question' | 'extensions' | 'signal'
>;

/** Words that will be commands one day: none of them is taken for a prompt by mistake until then. */
const laterCommands: ReadonlySet<string | undefined> = new Set([
  ...['undo'],
  ...['mcp', 'serve', 'acp', 'daemon', 'import', 'export', 'completion'],
]);

export function parseCommandLine(argv: readonly string[]): Command {
  const [first, ...args] = argv;
  const own = ownCommands.find((name) => name === first);
  if (own !== undefined) return { kind: own, args };
  if (first === 'demo' && args.length === 1 && args[0] === '--interactive') return { kind: 'demo', interactive: true };
  // A word on its own that nobody means as a prompt.
  if (first === 'help' && args.length === 0) return { kind: 'help' };
  if (!argv.includes('-p') && !argv.includes('--print')) refuseMisspelt(first);
  const { flags, positionals } = readTokens(argv, optionTable);
  if (flags.has('help')) return { kind: 'help' };
  if (flags.has('version')) return { kind: 'version' };
  if (positionals[0] === 'demo' && !flags.has('print')) {
    if (positionals.length > 1 || flags.size > 0) {
      throw new TauError('usage', 'tau demo takes no arguments but --interactive', {
        remedy: 'For a prompt that begins so, use -p',
      });
    }
    return { kind: 'demo', interactive: false };
  }
  const [word] = positionals;
  if (laterCommands.has(word) && positionals.length === 1 && !flags.has('print')) {
    throw new TauError('usage', `tau ${word} is not there yet; to ask the model about it use tau -p "${word}"`);
  }
  excludeEachOther(flags, 'record', 'replay');
  excludeEachOther(flags, 'models', 'print');
  excludeEachOther(flags, 'plain', 'print');
  const session = sessionChoice(flags);
  return {
    kind: 'prompt',
    prompts: positionals,
    print: flags.has('print'),
    plain: flags.has('plain'),
    ...formatsOf(flags),
    chooseSession: session === 'choose',
    verbose: flags.has('verbose'),
    ...given('debug', debugOf(flags)),
    ...given('debugFile', last(flags, 'debug-file')),
    ...given('models', listOf(flags, 'models')),
    ...given('jsonSchema', jsonSchema(flags)),
    ...given('replay', last(flags, 'replay')),
    ...given('record', last(flags, 'record')),
    agent: { ...agentFlags(flags), ...(session !== 'choose' && { session }) },
  };
}

function refuseMisspelt(word = ''): void {
  const meant = commandMeant(word, [...ownCommands, 'demo', 'help']);
  if (meant === undefined) return;
  const remedy = `Did you mean tau ${meant}? As a prompt: tau -p "${word}"`;
  throw new TauError('usage', `There is no command "${word}"`, { remedy });
}

function agentFlags(flags: Flags): AgentFlags {
  const bare = flags.has('bare');
  return {
    ...given('configFile', last(flags, 'config')),
    ...given('model', last(flags, 'model')),
    ...given('provider', last(flags, 'provider')),
    ...given('thinking', thinkingLevel(last(flags, 'thinking'))),
    ...given('fallbackModels', flags.get('fallback-model')),
    ...given('apiKey', last(flags, 'api-key')),
    ...given('baseUrl', last(flags, 'base-url')),
    ...given('sessionDir', last(flags, 'session-dir')),
    ...given('sessionId', last(flags, 'session-id')),
    ...given('sessionName', last(flags, 'name')),
    ...given('tools', toolsOf(flags)),
    ...given('excludeTools', listOf(flags, 'exclude-tools')),
    ...(flags.has('no-builtin-tools') && { builtinTools: false }),
    ...(flags.has('no-hooks') && { hooks: false }),
    ...(flags.has('include-hook-events') && { hookEvents: true }),
    ...given('approval', approvalOf(flags)),
    ...given('permissionMode', permissionMode(last(flags, 'permission-mode'))),
    ...given('sandbox', sandboxOf(flags)),
    ...given('addDirs', flags.get('add-dir')),
    rules: { allow: flags.get('allow') ?? [], ask: flags.get('ask') ?? [], deny: flags.get('deny') ?? [] },
    contextFiles: !bare && !flags.has('no-context-files'),
    ...(bare && { projectSettings: false }),
    ...given('systemPrompt', oneText(flags, 'system-prompt')),
    ...given('appendSystemPrompt', allTexts(flags, 'append-system-prompt')),
    ...given('maxTurns', wholeNumber(flags, 'max-turns')),
    ...given('maxTotalTokens', wholeNumber(flags, 'max-total-tokens')),
    ...given('maxBudgetUsd', amount(flags, 'max-budget-usd')),
  };
}

function permissionMode(text: string | undefined): PermissionMode | undefined {
  return permissionModes.find((mode) => mode === text);
}

function thinkingLevel(text: string | undefined): ThinkingLevel | undefined {
  return thinkingLevels.find((level) => level === text);
}

/** Given as it stands, or as `@FILE`. */
function jsonSchema(flags: Flags): string | undefined {
  const text = last(flags, 'json-schema');
  if (!text?.startsWith('@')) return text;
  return textIn(text.slice(1), '--json-schema', 'Every request carries the schema: keep it short');
}

/** `{ [key]: value }`, or nothing when there is no value. */
function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const result: { [P in K]?: V } = {};
  if (value !== undefined) result[key] = value;
  return result;
}
