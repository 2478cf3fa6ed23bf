/** From the command line to an exit code. A plain run's modules are imported outright; the rest when called for. */
import { describeError } from '@tau/agent';
import { parseCommandLine } from './args/parse.ts';
import { exitCode, exitCodeOf } from './exit.ts';
import { print } from './print/print.ts';

/** Set by the build from this package's package.json. */
declare const TAU_VERSION: string;

async function main(argv: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    process.stderr.write('tau runs on Linux, macOS and WSL, not on native Windows. Install it inside WSL.\n');
    return exitCode.usage;
  }
  const command = parseCommandLine(argv);
  switch (command.kind) {
    case 'version':
      return say(TAU_VERSION);
    case 'help':
      return say((await import('./args/help.ts')).helpText());
    case 'demo':
      return (await import('./demo/demo.ts')).demo();
    case 'prompt':
      return print(command);
  }
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCode.done;
}

function explain(error: unknown): number {
  process.stderr.write(`tau: ${describeError(error)}\n`);
  return exitCodeOf(error);
}

main(process.argv.slice(2))
  .catch(explain)
  .then((code) => {
    process.exitCode = code;
  });
