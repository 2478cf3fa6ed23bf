/** `tau permissions`: which rules count here, and what they would say. Nothing it does runs a command. */
import { nearest, TauError } from '@tau/agent';
import { exitCode } from '../exit.ts';

const subcommands = ['list', 'add', 'remove', 'explain', 'test', 'audit'] as const;

const usage = `tau permissions: what tau may do here, and why

Usage:
  tau permissions [list]              the mode, every rule with where it comes from, and what is wrong with them
  tau permissions add RULE            allow it in this folder from now on; --ask or --deny instead,
                                      --user, --project or --local for a settings file
  tau permissions remove RULE         take it away again
  tau permissions explain 'COMMAND'   what would happen to a command; with - the command comes from stdin
  tau permissions explain --tool NAME 'JSON'
                                      the same for a call of any tool
  tau permissions test [FILE]         check a file of expectations, or the examples that rules carry
  tau permissions audit               what was decided here last

Options of list, explain and test:
  --mode MODE        as if this were the mode
  --allow RULE       as if this rule were there too; --ask RULE, --deny RULE
  --add-dir DIR      as if this folder were added
  --config FILE      with these settings above the files
Options of audit:
  --limit N          at most N (default 50)
  --all              of every folder
Options of all:
  --json             as JSON
  -h, --help         show this help

A FILE of expectations has a line for each: allow, ask or deny, then the command; or JSON with outcome, and command or
tool and input, and mode. tau permissions test ends with code 1 when something differs. explain and test run nothing.

See docs/permissions.md.`;

export async function permissionsCommand(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${usage}\n`);
    return exitCode.done;
  }
  const [first = 'list'] = args;
  const name = first.startsWith('-') ? 'list' : first;
  const rest = first.startsWith('-') ? args : args.slice(1);
  switch (subcommands.find((one) => one === name)) {
    case 'list':
      return (await import('./list.ts')).list(rest);
    case 'add':
      return (await import('./change.ts')).add(rest);
    case 'remove':
      return (await import('./change.ts')).remove(rest);
    case 'explain':
      return (await import('./explain.ts')).explain(rest);
    case 'test':
      return (await import('./test.ts')).test(rest);
    case 'audit':
      return (await import('./audit.ts')).audit(rest);
    case undefined: {
      const near = nearest(name, subcommands);
      throw new TauError('usage', `There is no tau permissions ${name}`, {
        remedy: `${near ? `Did you mean tau permissions ${near}? ` : ''}There are: ${subcommands.join(', ')}`,
      });
    }
  }
}
