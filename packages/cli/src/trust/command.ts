/** `tau trust`: what the project in this folder would enable, and the user's word on it. Nothing of it is run. */
import { isatty } from 'node:tty';
import { nearest, TauError, type TrustStatus, trustStatus } from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { sayJson } from '../permissions/view.ts';
import { visibleLine } from '../render/visible.ts';
import { workingFolder } from '../working-folder.ts';
import { askTrust } from './ask.ts';
import { statusLines } from './lines.ts';

const subcommands = ['status', 'yes', 'no'] as const;

const table: readonly Option[] = [
  { name: 'yes', help: 'yes does not ask once more' },
  { name: 'json', help: 'as JSON' },
  { name: 'help', short: 'h', help: 'show this help' },
];

const usage = `tau trust: whether what this project brings counts

Usage:
  tau trust [status]    what it would enable, and what you said about it
  tau trust yes         show that, ask, and trust exactly what is there now
  tau trust no          do not trust it, and do not be asked again

Options:
  --yes         yes does not ask once more
  --json        as JSON
  -h, --help    show this help

A project that is not trusted cannot run anything, allow anything, redirect anything or read a secret: such settings and
all of its hooks do not count, the rest works. When it changes you are asked again. See docs/trust.md.`;

export async function trustCommand(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, table);
  if (flags.has('help')) return say([usage]);
  const [name = 'status', ...more] = positionals;
  const wanted = subcommands.find((one) => one === name);
  if (wanted === undefined) throw unknownSubcommand(name);
  if (more.length > 0) throw new TauError('usage', `tau trust ${name} takes no "${more[0]}"`);
  const json = flags.has('json');
  const status = await trustStatus({ env: process.env, cwd: workingFolder() });
  if (wanted === 'status') return json ? sayStatus(status) : say([...statusLines(status), ...hint(status)]);
  if (wanted === 'yes' && !json) say(statusLines(status));
  if (wanted === 'yes' && !flags.has('yes') && isatty(0) && isatty(1)) {
    const answer = await askTrust();
    if (answer !== 'yes') return typeof answer === 'number' ? answer : nothing();
  }
  await status.record(wanted);
  const after = await trustStatus({ env: process.env, cwd: workingFolder() });
  if (json) return sayStatus(after);
  if (wanted === 'yes' && after.state === 'untrusted') {
    say([visibleLine(`${status.root} is not trusted: it changed meanwhile. tau trust shows it.`)]);
    return exitCode.failed;
  }
  const what = wanted === 'yes' ? 'is trusted as it is now' : 'is not trusted';
  return say([visibleLine(`${status.root} ${what}; tau trust ${wanted === 'yes' ? 'no' : 'yes'} changes that.`)]);
}

function hint({ state, problems }: TrustStatus): string[] {
  return state === 'untrusted' && problems.length === 0
    ? ['', 'tau trust yes enables it, tau trust no stops asking.']
    : [];
}

function sayStatus({ root, state, decision, changed, enables, problems }: TrustStatus): number {
  sayJson({ root: root ?? null, state, decision: decision ?? null, changed, enables, problems });
  return exitCode.done;
}

function nothing(): number {
  say(['Nothing was recorded.']);
  return exitCode.failed;
}

function say(lines: readonly string[]): number {
  process.stdout.write(`${lines.join('\n')}\n`);
  return exitCode.done;
}

function unknownSubcommand(name: string): TauError {
  const near = nearest(name, subcommands);
  return new TauError('usage', `There is no tau trust ${name}`, {
    remedy: `${near ? `Did you mean tau trust ${near}? ` : ''}There are: ${subcommands.join(', ')}`,
  });
}
