/** `tau config`: what is set, where it came from, and how to change it. Values on stdout, everything else on stderr. */
import { type Config, nearest, openConfig, TauError, type WritableLayer } from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { jsonText } from '../render/json.ts';
import { visible, visibleLine } from '../render/visible.ts';
import { workingFolder } from '../working-folder.ts';
import { edit } from './edit.ts';
import { explainLines, listLines, migratedLines, pathLines, valueText } from './lines.ts';

const table: readonly Option[] = [
  { name: 'user', help: 'the settings in ~/.tau (what set, unset, edit and migrate take)' },
  { name: 'project', help: "the project's, shared with whoever works on it" },
  { name: 'local', help: "the project's, but yours alone: git ignores them" },
  { name: 'config', value: 'FILE', help: 'with these settings above the files' },
  { name: 'json', help: 'write what list, path, explain or migrate says as JSON' },
  { name: 'dry-run', help: 'migrate writes nothing and says what it would do' },
  { name: 'help', short: 'h', help: 'show this help' },
];

const subcommands = ['list', 'get', 'set', 'unset', 'explain', 'path', 'edit', 'migrate'];

function usage(): string {
  const rows = table.map(({ name, short, value, help }) => {
    return `  ${`${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`.padEnd(16)} ${help}`;
  });
  return `tau config: what is set, and where it came from

Usage:
  tau config [list]            every setting that has a value
  tau config get KEY           one of them: model, limits.readLines, aliases.quick
  tau config set KEY VALUE     VALUE is a text or JSON; it is checked first, and only that key is written
  tau config unset KEY         take it out of the file
  tau config explain KEY       what each layer says, and which counts
  tau config path              the files, low to high; with a layer its file alone
  tau config edit              open the file in $VISUAL or $EDITOR, then check it
  tau config migrate           rename what has another name now; the file as it was stays beside it

Options:
${rows.join('\n')}

Every key is described in docs/settings.md.`;
}

export async function configCommand(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, table);
  if (flags.has('help')) return say(usage());
  const [name = 'list', ...rest] = positionals;
  if (!subcommands.includes(name)) throw unknownSubcommand(name);
  const configFile = flags.get('config')?.at(-1);
  const config = openConfig({ env: process.env, cwd: workingFolder(), configFile });
  const json = flags.has('json');
  const layer = chosenLayer(flags);
  if (flags.has('dry-run') && name !== 'migrate') throw new TauError('usage', '--dry-run belongs to migrate');
  if (layer !== undefined && !['set', 'unset', 'edit', 'path', 'migrate'].includes(name)) {
    throw new TauError('usage', `--${layer} belongs to set, unset, edit, path and migrate`, {
      remedy: 'tau config explain KEY says what each layer holds',
    });
  }
  switch (name) {
    case 'get':
      return get(config, one(name, rest), json);
    case 'set':
      return set(config, layer ?? 'user', rest);
    case 'unset':
      return unset(config, layer ?? 'user', one(name, rest));
    case 'explain':
      return explain(config, one(name, rest), json);
    case 'path':
      none(name, rest);
      if (layer !== undefined) return say(visibleLine(config.path(layer)));
      return say(json ? jsonText(config.files()) : pathLines(config.files()).join('\n'));
    case 'edit':
      none(name, rest);
      return edit(config, layer ?? 'user');
    case 'migrate': {
      none(name, rest);
      const migrated = await config.migrate(layer ?? 'user', { dryRun: flags.has('dry-run') });
      return say(json ? jsonText(migrated) : migratedLines(migrated, flags.has('dry-run')).join('\n'));
    }
    default:
      none(name, rest);
      return list(config, json);
  }
}

async function list(config: Config, json: boolean): Promise<number> {
  const settings = (await load(config)).list();
  return say(json ? jsonText(settings) : listLines(settings).join('\n'));
}

/** Like other tools of the kind: nothing on stdout and code 1 when it is not set. */
async function get(config: Config, key: string, json: boolean): Promise<number> {
  const value = (await load(config)).get(key);
  if (value !== undefined) return say(json ? jsonText(value) : visible(valueText(value)));
  tell(`tau: ${key} is not set`);
  return exitCode.failed;
}

async function set(config: Config, layer: WritableLayer, rest: readonly string[]): Promise<number> {
  const [key, text, ...more] = rest;
  if (key === undefined || text === undefined || more.length > 0) {
    throw new TauError('usage', 'tau config set takes a key and a value', {
      remedy: 'For example: tau config set model anthropic/claude-sonnet-5-5; quote a value that has blanks',
    });
  }
  const { path, changed } = await config.save(layer, key, config.readValue(key, text));
  say(visibleLine(changed ? `${key} is set in ${path}` : `${key} was so already in ${path}`));
  await tellOthers(config, layer, key);
  return exitCode.done;
}

async function unset(config: Config, layer: WritableLayer, key: string): Promise<number> {
  const { path, changed } = await config.remove(layer, key);
  say(visibleLine(changed ? `${key} is no longer set in ${path}` : `${key} is not set in ${path}`));
  return exitCode.done;
}

/** Whoever sets what does not count should know. */
async function tellOthers(config: Config, layer: WritableLayer, key: string): Promise<void> {
  const says = await (await config.load()).explain(key);
  const mine = says.find(({ origin }) => origin === layer);
  const winner = says.findLast(({ not }) => not === undefined);
  if (mine?.not === undefined || winner === undefined) return;
  tell(`tau: it does not count: ${mine.not}${winner.place === undefined ? '' : ` (${winner.place})`}`);
}

async function explain(config: Config, key: string, json: boolean): Promise<number> {
  const says = await (await load(config)).explain(key);
  if (json) return say(jsonText(says));
  if (says.length === 0) return say(visibleLine(`${key} is not set in any layer, and has no default`));
  return say(explainLines(says).join('\n'));
}

async function load(config: Config) {
  const loaded = await config.load();
  for (const warning of loaded.warnings) tell(`tau: warning: ${warning}`);
  return loaded;
}

function chosenLayer(flags: ReadonlyMap<string, unknown>): WritableLayer | undefined {
  const chosen = (['user', 'project', 'local'] as const).filter((layer) => flags.has(layer));
  if (chosen.length > 1) throw new TauError('usage', `--${chosen.join(' and --')} exclude each other`);
  return chosen[0];
}

function one(name: string, rest: readonly string[]): string {
  const [key, ...more] = rest;
  if (key !== undefined && more.length === 0) return key;
  throw new TauError('usage', `tau config ${name} takes one key`, { remedy: 'tau config list shows them' });
}

function none(name: string, rest: readonly string[]): void {
  if (rest.length > 0) throw new TauError('usage', `tau config ${name} takes no argument`);
}

function unknownSubcommand(name: string): TauError {
  const near = nearest(name, subcommands);
  return new TauError('usage', `There is no tau config ${name}`, {
    remedy: `${near ? `Did you mean tau config ${near}? ` : ''}There are: ${subcommands.join(', ')}`,
  });
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCode.done;
}

function tell(line: string): void {
  process.stderr.write(`${visibleLine(line)}\n`);
}
