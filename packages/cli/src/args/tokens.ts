/** Words of a command line against a table of options: unknown ones, missing values and typing errors are told here. */
import { nearest, TauError } from '@tau/agent';
import type { Option } from './options.ts';
import { type Token, tokensOf } from './words.ts';

const remedy = 'tau --help lists what there is';

/** Each option that was given with its values, and what is left, in order. */
export function readTokens(argv: readonly string[], table: readonly Option[]) {
  const longShorts = new Map(
    table.filter(({ short }) => (short?.length ?? 0) > 1).map((o) => [`-${o.short}`, `--${o.name}`]),
  );
  const end = argv.indexOf('--');
  const spelled = argv.map((arg, at) => (end === -1 || at < end ? (longShorts.get(arg) ?? arg) : arg));
  const flags = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokensOf(joinOptional(spelled, table), table)) {
    if (typeof token === 'string') positionals.push(token);
    else {
      const { option, rawName } = token;
      if (!option) throw unknownOption(rawName, table);
      flags.set(option.name, [...(flags.get(option.name) ?? []), readValue(option, token)]);
    }
  }
  return { flags, positionals };
}

/** A value that may be left out is written into its option's own word, or an empty one when there is none. */
function joinOptional(argv: readonly string[], table: readonly Option[]): string[] {
  const args: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') return [...args, ...argv.slice(at)];
    const option = table.find(
      ({ name, short, optional }) => optional && (word === `--${name}` || word === `-${short}`),
    );
    const next = argv[at + 1];
    if (!option) args.push(word);
    else if (next === undefined || next.startsWith('-') || !option.optional?.test(next)) args.push(`--${option.name}=`);
    else {
      args.push(`--${option.name}=${next}`);
      at += 1;
    }
  }
  return args;
}

function readValue(option: Option, token: Token<Option>): string {
  const { value } = token;
  if (!option.value) {
    if (value !== undefined) throw new TauError('usage', `--${option.name} takes no value`, { remedy });
    return '';
  }
  if (option.optional && (value === undefined || value === '')) return '';
  if (value === undefined || value === '' || (!token.inline && /^--?[a-z]/i.test(value))) {
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
