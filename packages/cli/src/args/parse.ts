/** The command line as data. Whatever is not understood is an error that names the nearest thing that would be. */
import { parseArgs } from 'node:util';
import { type AgentOptions, nearest, type PermissionMode, permissionModes, TauError } from '@tau/agent';
import { type Option, type OutputFormat, optionTable, outputFormats } from './options.ts';

export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'demo' }
  | { kind: 'prompt'; prompts: string[]; outputFormat: OutputFormat; agent: AgentFlags; replay?: string };

type AgentFlags = Pick<
  AgentOptions,
  'model' | 'apiKey' | 'baseUrl' | 'permissionMode' | 'rules' | 'session' | 'sessionDir' | 'contextFiles' | 'maxTurns'
>;

/** Words that will be commands one day: none of them is taken for a prompt by mistake until then. */
const laterCommands: ReadonlySet<string | undefined> = new Set([
  ...['models', 'auth', 'config', 'sessions', 'permissions', 'trust', 'undo', 'doctor'],
  ...['mcp', 'serve', 'acp', 'daemon', 'import', 'export', 'completion'],
]);

const remedy = 'tau --help lists what there is';

export function parseCommandLine(argv: readonly string[]): Command {
  const table = optionTable(permissionModes);
  const { flags, positionals } = readTokens(argv, table);
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
  const maxTurns = one('max-turns');
  if (flags.has('continue') && flags.has('no-session')) {
    throw new TauError('usage', '--continue and --no-session exclude each other');
  }
  return {
    kind: 'prompt',
    prompts: positionals,
    outputFormat: outputFormats.find((format) => format === one('output-format')) ?? 'text',
    ...(replay !== undefined && { replay }),
    agent: {
      ...given('model', one('model')),
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

function readTokens(argv: readonly string[], table: readonly Option[]) {
  // Only one-letter short names exist for parseArgs; longer ones are spelled out for it.
  const longShorts = new Map(
    table.filter(({ short }) => (short?.length ?? 0) > 1).map((o) => [`-${o.short}`, `--${o.name}`]),
  );
  const end = argv.indexOf('--');
  const args = argv.map((arg, at) => (end === -1 || at < end ? (longShorts.get(arg) ?? arg) : arg));
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      table.map(({ name, short, value }) => [
        name,
        { type: value ? ('string' as const) : ('boolean' as const), ...(short?.length === 1 && { short }) },
      ]),
    ),
  });
  const flags = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = table.find(({ name }) => name === token.name);
    if (!option) throw unknownOption(token.rawName, table);
    flags.set(option.name, [...(flags.get(option.name) ?? []), readValue(option, token)]);
  }
  return { flags, positionals };
}

function readValue(
  option: Option,
  token: { value?: string | undefined; rawName: string; inlineValue?: boolean | undefined },
) {
  const { value } = token;
  if (!option.value) {
    if (value !== undefined) throw new TauError('usage', `--${option.name} takes no value`, { remedy });
    return '';
  }
  if (value === undefined || value === '' || (!token.inlineValue && /^--?[a-z]/i.test(value))) {
    throw new TauError('usage', `${token.rawName} needs a value: ${token.rawName} ${option.value}`, {
      remedy: value ? `If the value really is "${value}", write --${option.name}=${value}` : remedy,
    });
  }
  if (option.choices && !option.choices.includes(value)) {
    const near = nearest(value, option.choices);
    throw new TauError('usage', `--${option.name} cannot be "${value}"`, {
      remedy: `${near ? `Did you mean ${near}? ` : ''}It is one of: ${option.choices.join(', ')}`,
    });
  }
  return value;
}

function unknownOption(rawName: string, table: readonly Option[]): TauError {
  const names = table.flatMap(({ name, short }) => [`--${name}`, ...(short ? [`-${short}`] : [])]);
  const near = rawName.startsWith('--') ? nearest(rawName, names) : undefined;
  return new TauError('usage', `There is no option ${rawName}`, {
    remedy: near ? `Did you mean ${near}? ${remedy}` : remedy,
  });
}

function permissionMode(text: string | undefined): PermissionMode | undefined {
  return permissionModes.find((mode) => mode === text);
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
