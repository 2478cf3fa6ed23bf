/** `/copy`: the last answer to the clipboard, or one of its code blocks by number. */
import { type Agent, TauError, textOf } from '@tau/agent';
import type { Command, CommandWorld } from './command.ts';

export const copyCommand: Command = {
  ...{
    name: 'copy',
    argument: '[NUMBER]',
    help: 'the last answer, or its code block of that number, to the clipboard',
  },
  needsScreen: true,
  choices: ({ agent }) => codeBlocks(lastAnswer(agent)).map((_, at) => String(at + 1)),
  run: copy,
};

async function copy(argument: string, { agent, screen }: CommandWorld): Promise<string> {
  if (screen === undefined) throw new TauError('usage', 'This needs the screen');
  const answer = lastAnswer(agent);
  if (answer === '') throw new TauError('usage', 'There is no answer to copy yet');
  return screen.copy(argument === '' ? answer : blockOf(answer, argument));
}

function blockOf(answer: string, argument: string): string {
  const blocks = codeBlocks(answer);
  const found = /^\d+$/.test(argument) ? blocks[Number(argument) - 1] : undefined;
  if (found !== undefined) return found;
  throw new TauError('usage', `There is no code block "${argument}" in the last answer`, {
    remedy:
      blocks.length === 0 ? 'It has none; /copy takes all of it' : `It has ${blocks.length}: /copy 1 is the first`,
  });
}

function lastAnswer(agent: Agent): string {
  const last = agent.messages().findLast((one) => one.role === 'assistant' && textOf(one) !== '');
  return last === undefined ? '' : textOf(last);
}

/** What stands between fences. One that is not closed goes to the end; a longer fence may hold a shorter one. */
export function codeBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let open: { fence: string; indent: number; lines: string[] } | undefined;
  for (const line of markdown.split('\n')) {
    const [, blanks = '', fence, rest = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (!open) {
      // A fence of backticks has none in its language: else it is a span of code.
      if (fence !== undefined && !(fence.startsWith('`') && rest.includes('`'))) {
        open = { fence, indent: blanks.length, lines: [] };
      }
    } else if (fence?.startsWith(open.fence) && rest.trim() === '') {
      blocks.push(open.lines.join('\n'));
      open = undefined;
    } else open.lines.push(line.replace(new RegExp(`^ {0,${open.indent}}`), ''));
  }
  if (open) blocks.push(open.lines.join('\n'));
  return blocks;
}
