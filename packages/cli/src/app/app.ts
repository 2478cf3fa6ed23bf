/** The terminal app: `tau` at a terminal. One sitting after another, until the user leaves. */
import { mayNeedTrust, type SessionChoice, TauError } from '@tau/agent';
import type { PromptCommand } from '../args/parse.ts';
import { sortWords } from '../print/prompts.ts';
import { workingFolder } from '../working-folder.ts';
import { type Beginning, sit } from './sit.ts';

export async function app(command: PromptCommand): Promise<number> {
  const cwd = workingFolder();
  const { prompts, files } = sortWords(command.prompts);
  if (prompts.length === 0 && files.length > 0) {
    throw new TauError('usage', 'A file was attached to no prompt', { remedy: 'Add a prompt behind it' });
  }
  if (command.agent.projectSettings !== false && mayNeedTrust({ env: process.env, cwd })) {
    const left = await (await import('./visit.ts')).visit(cwd, process.env);
    if (left !== undefined) return left;
  }
  let wish = command;
  let first: Omit<Beginning, 'cwd'> = { prompts, files };
  for (;;) {
    const end = await sit(wish, { cwd, ...first }).catch(missing);
    if (end instanceof TauError) {
      const settled = await (await import('./first-run/no-model.ts')).settleModel(end, { cwd, env: process.env });
      if (settled === 'demo') return (await import('../demo/interactive.ts')).interactiveDemo();
      if (settled !== 'again') return settled;
      continue;
    }
    if (typeof end === 'number') return end;
    // Another conversation in the same place: what was asked for on the command line was said already.
    const session: SessionChoice = end.begin;
    wish = { ...command, chooseSession: false, agent: { ...command.agent, session } };
    first = { prompts: [], files: [], follows: true, ...(end.draft !== undefined && { draft: end.draft }) };
  }
}

/** Without a model or its key there is something to choose first; anything else is an error like any other. */
function missing(error: unknown): TauError {
  if (error instanceof TauError && error.code === 'credentials') return error;
  throw error;
}
