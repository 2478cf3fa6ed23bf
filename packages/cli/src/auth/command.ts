/** `tau auth [status]`, `tau auth set` and `tau auth remove`. No key is ever printed. */
import { type Auth, isKeyShaped, nearest, openAuth, TauError } from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { listenForInterrupt } from '../print/interrupt.ts';
import { readPiped } from '../print/stdin.ts';
import { fold } from '../render/fold.ts';
import { jsonText } from '../render/json.ts';
import { visibleLine } from '../render/visible.ts';
import { askSecret } from './secret.ts';
import { sourceText, statusLines } from './status.ts';

const table: readonly Option[] = [
  { name: 'stdin', help: 'read the key from standard input' },
  { name: 'json', help: 'write the status as JSON' },
  { name: 'help', short: 'h', help: 'show this help' },
];
const subcommands = ['status', 'set', 'remove'];

const usage = `tau auth: the keys of providers

Usage:
  tau auth [status] [--json]        which provider has a key, and where it comes from
  tau auth set PROVIDER [--stdin]   keep a key: typed at a prompt that does not show it, or piped in
  tau auth remove PROVIDER          forget it

Keys are kept in ~/.tau/auth.json, which only you can read.`;

export async function authCommand(args: readonly string[]): Promise<number> {
  refuseKeyOption(args);
  const { flags, positionals } = readTokens(args, table);
  if (flags.has('help')) return say(usage);
  const [name = 'status', ...rest] = positionals;
  if (!subcommands.includes(name)) throw unknownSubcommand(name);
  if (flags.has('json') && name !== 'status') throw misplaced('--json', 'status');
  if (flags.has('stdin') && name !== 'set') throw misplaced('--stdin', 'set PROVIDER');
  if (name === 'status') {
    if (rest.length > 0) throw new TauError('usage', 'tau auth status takes no argument', { remedy: 'It shows all' });
    return status(await open(), flags.has('json'));
  }
  const provider = onlyProvider(name, rest);
  return name === 'set' ? set(await open(), provider) : remove(await open(), provider);
}

async function open(): Promise<Auth> {
  const auth = await openAuth(process.env);
  for (const warning of auth.warnings) process.stderr.write(`tau: ${visibleLine(warning)}\n`);
  return auth;
}

async function status(auth: Auth, asJson: boolean): Promise<number> {
  const found = await auth.status();
  if (asJson) return say(jsonText(found));
  return say(fold(statusLines(found).map(visibleLine).join('\n'), process.stdout.columns));
}

async function set(auth: Auth, name: string): Promise<number> {
  const provider = auth.known(name);
  const interrupt = listenForInterrupt();
  try {
    const key = process.stdin.isTTY
      ? await askSecret(visibleLine(`Key of ${provider} (it is not shown): `), interrupt.signal)
      : await readPiped(false, interrupt.signal);
    const code = interrupt.code() ?? (key === undefined ? exitCode.interrupted : undefined);
    if (code !== undefined) return code;
    const { replaced, before } = await auth.set(provider, key ?? '');
    const instead = { nothing: '', key: ' It replaces the one that was there.', login: ' It replaces the login.' };
    say(visibleLine(`The key of ${provider} is kept in ${auth.authFile}.${instead[replaced]}`));
    if (before) say(visibleLine(`${sourceText(before)} goes before it.`));
    return exitCode.done;
  } finally {
    interrupt.dispose();
  }
}

async function remove(auth: Auth, provider: string): Promise<number> {
  if (await auth.remove(provider)) return say(visibleLine(`The key of ${provider} is no longer kept.`));
  throw new TauError('usage', `There is no key of ${provider} in ${auth.authFile}`, {
    remedy: 'tau auth shows where keys come from',
  });
}

function onlyProvider(name: string, rest: readonly string[]): string {
  const [provider, ...more] = rest;
  if (provider === undefined) {
    throw new TauError('usage', `tau auth ${name} needs a provider`, {
      remedy: `For example: tau auth ${name} openai`,
    });
  }
  if (more.length > 0 && name === 'set') throw keyArgument(isKeyShaped(provider) ? undefined : provider);
  if (isKeyShaped(provider)) throw keyArgument(undefined);
  if (more.length > 0) throw new TauError('usage', `tau auth ${name} takes one provider`);
  return provider;
}

/** Neither is it repeated: this message may be kept somewhere too. */
function keyArgument(provider = 'PROVIDER'): TauError {
  return new TauError('usage', 'A key is not taken from the command line: it would stay in the history of the shell', {
    remedy: `Run tau auth set ${provider} and paste it there, or pipe it in with --stdin. Change the key if the history is not yours alone`,
  });
}

function refuseKeyOption(args: readonly string[]): void {
  if (args.some((arg) => /^--?(api-?)?key(=|$)/i.test(arg))) throw keyArgument(undefined);
}

function misplaced(option: string, belongs: string): TauError {
  return new TauError('usage', `${option} belongs to tau auth ${belongs}`);
}

function unknownSubcommand(name: string): TauError {
  if (isKeyShaped(name)) return keyArgument(undefined);
  const near = nearest(name, subcommands);
  return new TauError('usage', `There is no tau auth ${name}`, {
    remedy: `${near ? `Did you mean tau auth ${near}? ` : ''}There are: ${subcommands.join(', ')}`,
  });
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCode.done;
}
