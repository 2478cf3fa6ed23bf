/** The command line as data. Whatever is not understood is an error that names the nearest thing that would be. */
import {
  type AgentOptions,
  type PermissionMode,
  permissionModes,
  TauError,
  type ThinkingLevel,
  thinkingLevels,
} from '@tau/agent';
import { type OutputFormat, optionTable, outputFormats } from './options.ts';
import { readTokens } from './tokens.ts';

export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'demo' }
  /** These read their own arguments. */
  | { kind: 'models' | 'auth'; args: readonly string[] }
  | {
      kind: 'prompt';
      prompts: string[];
      outputFormat: OutputFormat;
      agent: AgentFlags;
      replay?: string;
      record?: string;
    };

type AgentFlags = Pick<
  AgentOptions,
  | 'model'
  | 'provider'
  | 'thinking'
  | 'fallbackModels'
  | 'apiKey'
  | 'baseUrl'
  | 'permissionMode'
  | 'rules'
  | 'session'
  | 'sessionDir'
  | 'contextFiles'
  | 'maxTurns'
>;

/** Words that will be commands one day: none of them is taken for a prompt by mistake until then. */
const laterCommands: ReadonlySet<string | undefined> = new Set([
  ...['config', 'sessions', 'permissions', 'trust', 'undo', 'doctor'],
  ...['mcp', 'serve', 'acp', 'daemon', 'import', 'export', 'completion'],
]);

export function parseCommandLine(argv: readonly string[]): Command {
  const [first, ...args] = argv;
  if (first === 'models' || first === 'auth') return { kind: first, args };
  const { flags, positionals } = readTokens(argv, optionTable);
  if (flags.has('help')) return { kind: 'help' };
  if (flags.has('version')) return { kind: 'version' };
  if (positionals[0] === 'demo' && !flags.has('print')) {
    if (positionals.length > 1 || flags.size > 0) {
      throw new TauError('usage', 'tau demo takes no arguments', { remedy: 'For a prompt that begins so, use -p' });
    }
    return { kind: 'demo' };
  }
  const [word] = positionals;
  if (laterCommands.has(word) && positionals.length === 1 && !flags.has('print')) {
    throw new TauError('usage', `tau ${word} is not there yet; to ask the model about it use tau -p "${word}"`);
  }

  const one = (name: string) => flags.get(name)?.at(-1);
  const replay = one('replay');
  const record = one('record');
  const maxTurns = one('max-turns');
  if (flags.has('continue') && flags.has('no-session')) {
    throw new TauError('usage', '--continue and --no-session exclude each other');
  }
  if (replay !== undefined && record !== undefined) {
    throw new TauError('usage', '--record and --replay exclude each other');
  }
  return {
    kind: 'prompt',
    prompts: positionals,
    outputFormat: outputFormats.find((format) => format === one('output-format')) ?? 'text',
    ...given('replay', replay),
    ...given('record', record),
    agent: {
      ...given('model', one('model')),
      ...given('provider', one('provider')),
      ...given('thinking', thinkingLevel(one('thinking'))),
      ...given('fallbackModels', flags.get('fallback-model')),
      ...given('apiKey', one('api-key')),
      ...given('baseUrl', one('base-url')),
      ...given('sessionDir', one('session-dir')),
      ...given('permissionMode', permissionMode(one('permission-mode'))),
      ...given('maxTurns', maxTurns === undefined ? undefined : wholeNumber('max-turns', maxTurns)),
      rules: { allow: flags.get('allow') ?? [], ask: flags.get('ask') ?? [], deny: flags.get('deny') ?? [] },
      session: flags.has('continue') ? 'continue' : flags.has('no-session') ? 'none' : 'new',
      contextFiles: !flags.has('no-context-files'),
    },
  };
}

function permissionMode(text: string | undefined): PermissionMode | undefined {
  return permissionModes.find((mode) => mode === text);
}

function thinkingLevel(text: string | undefined): ThinkingLevel | undefined {
  return thinkingLevels.find((level) => level === text);
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new TauError('usage', `--${name} needs a whole number above zero, not "${text}"`);
}

/** `{ [key]: value }`, or nothing when there is no value. */
function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const result: { [P in K]?: V } = {};
  if (value !== undefined) result[key] = value;
  return result;
}
