/** `tau doctor`: what tau depends on here, and what to do where it is not well. It only looks. */
import { examine, TauError } from '@tau/agent';
import type { Option } from '../args/options.ts';
import { readTokens } from '../args/tokens.ts';
import { exitCode } from '../exit.ts';
import { say, sayJson } from '../permissions/view.ts';
import { fold } from '../render/fold.ts';
import { createStyle } from '../render/style.ts';
import { checkLines } from './lines.ts';
import { terminalChecks } from './terminal.ts';

/** Set by the build from this package's package.json. */
declare const TAU_VERSION: string;

const table: readonly Option[] = [
  { name: 'json', help: 'as JSON: { version, checks: [{ id, status, title, detail, remedy? }] }' },
  { name: 'help', short: 'h', help: 'show this help' },
];

const usage = `tau doctor: is everything there that tau needs, and is it safe

Usage:
  tau doctor [--json]

It looks at node, terminal, shell, git, ripgrep, settings, rules, keys (names only), proxies, tau's own files, sessions and
disk. Nothing is changed, nothing of the project is started, and nobody is asked over the network.
Each line is ok, a note, a warning or a problem, with what to do. Exit code 0 without problems, 1 with one.
See docs/doctor.md.`;

export async function doctorCommand(args: readonly string[]): Promise<number> {
  const { flags, positionals } = readTokens(args, table);
  if (flags.has('help')) {
    say(usage);
    return exitCode.done;
  }
  const [word] = positionals;
  if (word !== undefined) throw new TauError('usage', `tau doctor takes no "${word}"`, { remedy: 'It looks at all' });
  const found = await examine({ env: process.env, cwd: workingFolder() });
  const checks = [...terminalChecks(process.stdout, process.env), ...found];
  if (flags.has('json')) sayJson({ version: TAU_VERSION, checks });
  else {
    const lines = checkLines(checks, createStyle(process.stdout, process.env));
    say(fold([`tau ${TAU_VERSION}`, ...lines].join('\n'), process.stdout.columns));
  }
  return checks.some(({ status }) => status === 'problem') ? exitCode.failed : exitCode.done;
}

/** Nothing when it is gone: that is one of the things to find out. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
