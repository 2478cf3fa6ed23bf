/** `tau init`: a commented settings file for the user, or an AGENTS.md for the project. Nothing is written over. */
import { openConfig, TauError, writeAgentsTemplate } from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { visible } from '../render/visible.ts';

const table: readonly Option[] = [
  { name: 'project', help: "an AGENTS.md in this folder, from what is there, instead of the user's settings" },
  { name: 'help', short: 'h', help: 'show this help' },
];

const usage = `tau init: a file to begin with

Usage:
  tau init             settings.json in ~/.tau with every setting, commented out
  tau init --project   AGENTS.md in this folder, from what is there

What is there already is left as it is.`;

export function initCommand(args: readonly string[]): number {
  const { flags, positionals } = readTokens(args, table);
  if (flags.has('help')) return say(usage);
  if (positionals.length > 0) {
    throw new TauError('usage', 'tau init takes no arguments', { remedy: 'For a prompt that begins so, use -p' });
  }
  const { path, created } = flags.has('project')
    ? writeAgentsTemplate(process.cwd())
    : openConfig({ env: process.env, cwd: process.cwd() }).writeTemplate();
  return say(visible(created ? `${path} is made` : `${path} is there already; nothing was changed`));
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCode.done;
}
