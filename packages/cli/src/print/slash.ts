/** A prompt that is a command: obeyed here, and no model hears of it. */
import { emptyUsage, type RunOutcome, TauError } from '@tau/agent';
import { allCommands, obey } from '../commands/all.ts';
import { type Registry, readCommand } from '../commands/command.ts';
import { exitCode } from '../exit.ts';
import { visible } from '../render/visible.ts';
import type { AnswerOptions } from './answer.ts';
import { usageLine } from './progress.ts';

const nothing: RunOutcome = { reason: 'done', turns: 0, answer: '', cut: false, usage: emptyUsage(), models: [] };

/** The exit code, or undefined when it is no command: a path, or words behind a blank. */
export async function obeyPrompt(text: string, { agent, format, out }: AnswerOptions): Promise<number | undefined> {
  const wish = readCommand(text);
  if (wish === undefined) return undefined;
  const registry = allCommands();
  const world = {
    agent,
    waiting: () => [],
    clearWaiting: () => [],
    spent: () => usageLine(agent, { ...nothing, usage: agent.spent() }, 0),
    leave: () => {},
  };
  known(registry, wish.name);
  const said = await obey(registry, wish, world);
  if (format === 'json') await out.json({ command: wish.name, text: said });
  else await out.write(process.stdout.isTTY ? visible(said) : said);
  return exitCode.done;
}

/** Whoever meant a prompt is told how to say it. */
function known(registry: Registry, name: string): void {
  try {
    registry.find(name, {});
  } catch (error) {
    if (!(error instanceof TauError)) throw error;
    const remedy = [error.remedy, 'A blank in front of the slash makes it a prompt'].filter(Boolean).join('. ');
    throw new TauError('usage', error.message, { remedy: remedy.replace('?.', '?'), cause: error });
  }
}
