/** From the command line to an exit code. */
import { isatty } from 'node:tty';
import { describeError, TauError } from '@tau/agent';
import { type PromptCommand, parseCommandLine } from './args/parse.ts';
import { exitCode, exitCodeOf } from './exit.ts';
import { print } from './print/print.ts';
import { fold } from './render/fold.ts';
import { visible } from './render/visible.ts';

/** Set by the build from this package's package.json. */
declare const TAU_VERSION: string;

async function main(argv: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    process.stderr.write('tau runs on Linux, macOS and WSL, not on native Windows. Install it inside WSL.\n');
    return exitCode.usage;
  }
  const command = parseCommandLine(argv);
  // What every run needs is one file; whole commands and modes come when they are asked for (decision 0003).
  switch (command.kind) {
    case 'version':
      return say(TAU_VERSION);
    case 'help':
      return say(fold((await import('./args/help.ts')).helpText(), process.stdout.columns));
    case 'demo':
      return command.interactive
        ? (await import('./demo/interactive.ts')).interactiveDemo()
        : (await import('./demo/demo.ts')).demo();
    case 'models':
      return (await import('./models/command.ts')).modelsCommand(command.args);
    case 'auth':
      return (await import('./auth/command.ts')).authCommand(command.args);
    case 'config':
      return (await import('./config/command.ts')).configCommand(command.args);
    case 'init':
      return (await import('./config/init.ts')).initCommand(command.args);
    case 'permissions':
      return (await import('./permissions/command.ts')).permissionsCommand(command.args);
    case 'trust':
      return (await import('./trust/command.ts')).trustCommand(command.args);
    case 'sessions':
      return (await import('./sessions/command.ts')).sessionsCommand(command.args);
    case 'doctor':
      return (await import('./doctor/command.ts')).doctorCommand(command.args);
    case 'prompt':
      if (!isForPeople(command)) return print(command);
      return canDraw(command)
        ? (await import('./app/app.ts')).app(command)
        : (await import('./repl/repl.ts')).repl(command);
  }
}

/** Somebody types and somebody reads, and nothing was asked for that only a program wants. */
function isForPeople({ print: wanted, inputFormat, outputFormat, jsonSchema }: PromptCommand): boolean {
  if (wanted || inputFormat !== 'text' || outputFormat !== 'text' || jsonSchema !== undefined) return false;
  return isatty(0) && isatty(1);
}

/** The terminal places its cursor where it is told, and nobody asked for plain lines: for a screen reader, or a log. */
function canDraw({ plain }: PromptCommand): boolean {
  const { TERM = '', TAU_PLAIN } = process.env;
  return !plain && !TAU_PLAIN && !['', 'dumb', 'unknown'].includes(TERM);
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exitCode.done;
}

function explain(error: unknown): number | Promise<never> {
  if (!isForeseen(error)) return crashed(error);
  // What comes from outside may have line breaks: none of its lines begins as ours do.
  const text = fold(`tau: ${visible(describeError(error))}`, process.stderr.columns).replaceAll('\ntau', '\n  tau');
  process.stderr.write(`${text}\n`);
  return exitCodeOf(error);
}

/** An error of tau's own, or of the system. */
function isForeseen(error: unknown): boolean {
  return error instanceof TauError || (error instanceof Error && 'code' in error);
}

/** As if nobody had caught it: whoever holds the terminal gives it back first, and nothing that is open keeps tau alive. */
function crashed(error: unknown): Promise<never> {
  setImmediate(() => {
    throw error;
  });
  return new Promise(() => {});
}

/** What nobody foresaw: one sentence, and where it happened for who asked to know. The screen has cleaned up before this. */
function crash(error: unknown): void {
  process.stderr.write(
    `tau: something went wrong inside tau: ${visible(describeError(error)).replaceAll('\ntau', '\n  tau')}\n`,
  );
  const asked = process.argv.some((word) => word.startsWith('--debug'));
  if (asked && error instanceof Error) process.stderr.write(`${visible(error.stack ?? '')}\n`);
  process.exit(exitCode.failed);
}

/** A reader that went away is no reason to complain; an answer that could not be written is. True after the latter. */
function watchOutput(): () => boolean {
  let unwritten = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || unwritten) return;
    unwritten = true;
    process.stderr.write(`tau: the output could not be written: ${visible(error.message)}\n`);
    process.exitCode ||= exitCode.failed;
  });
  process.stderr.on('error', () => {});
  return () => unwritten;
}

process.on('uncaughtException', crash);
// When nothing is left to do, Node would take itself apart piece by piece, which takes milliseconds and serves nobody.
process.once('beforeExit', () => process.exit());
const unwritten = watchOutput();
main(process.argv.slice(2))
  .catch(explain)
  .then((code) => {
    process.exitCode = code || (unwritten() ? exitCode.failed : exitCode.done);
    // A signal is not to wait for a reader that stalls; one that reads has the rest before this.
    if (code > 128) setTimeout(() => process.exit(), 1000).unref();
  });
