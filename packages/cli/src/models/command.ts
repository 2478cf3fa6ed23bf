/** `tau models [FILTER]`: the list on stdout, everything else on stderr. */
import { listModels, type ModelList } from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { jsonText } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { visibleLine } from '../render/visible.ts';
import { tableLines } from './table.ts';

const table: readonly Option[] = [
  { name: 'all', help: 'also models whose provider has no key here' },
  { name: 'json', help: 'everything that is known, as one JSON array' },
  { name: 'help', short: 'h', help: 'show this help' },
];

function usage(): string {
  const rows = table.map(({ name, short, help }) => `  ${`${short ? `-${short}, ` : ''}--${name}`.padEnd(14)} ${help}`);
  return `tau models: which models there are, what they can do, what they cost

Usage:
  tau models [FILTER]        FILTER is words that must all be there, or a pattern
  tau models sonnet          tau models 'openrouter/*qwen*' --all

Options:
${rows.join('\n')}

Prices are US dollars for a million tokens; - is what nobody told tau. Models of your own go into ~/.tau/models.json.
To use one: tau --model PROVIDER/ID. See docs/models.md.`;
}

export async function modelsCommand(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, table);
  if (flags.has('help')) return say(usage());
  const filter = positionals.join(' ');
  const list = await listModels({ env: process.env, filter, all: flags.has('all') });
  for (const warning of list.warnings) tell(`tau: warning: ${warning}`);
  if (flags.has('json')) say(jsonText(list.models));
  else if (list.models.length > 0) {
    const style = createStyle(process.stdout, process.env);
    say(tableLines(list.models, style, process.stdout.columns).join('\n'));
  }
  if (list.models.length > 0 || list.hidden > 0) {
    tellOfHidden(list, filter);
    return exitCode.done;
  }
  const near =
    list.nearest.length > 0 ? `Did you mean ${list.nearest.join(' or ')}?` : 'tau models --all lists them all.';
  tell(`tau: No model fits "${filter}". ${near}`);
  return exitCode.usage;
}

/** What is left out must be known to exist. */
function tellOfHidden({ models, hidden }: ModelList, filter: string): void {
  if (hidden === 0) return;
  const which = filter === '' ? 'tau models --all' : `tau models --all ${quoted(filter)}`;
  const more = `${hidden}${models.length > 0 ? ' more' : ''} ${hidden === 1 ? 'model' : 'models'}`;
  tell(`${more} of providers that are not ready: ${which} shows them and what each needs`);
}

/** As a shell takes it for one word where it must be one. */
function quoted(filter: string): string {
  return /^[\w ./:-]+$/.test(filter) ? filter : `'${filter.replaceAll("'", "'\\''")}'`;
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCode.done;
}

function tell(line: string): void {
  process.stderr.write(`${visibleLine(line)}\n`);
}
