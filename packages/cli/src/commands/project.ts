/** Commands about the project: its branch, what changed in it, and which of its files the conversation is about. */
import { type Agent, changesIn, checkedOut, checkedOutByGit, TauError } from '@tau/agent';
import { visible, visibleLine } from '../render/visible.ts';
import type { Command } from './command.ts';

export const projectCommands: readonly Command[] = [
  {
    name: 'diff',
    help: 'what changed since the last commit',
    panel: 'diff',
    run: async () => (await diffText()) || 'Nothing changed.',
  },
  { name: 'branch', help: 'what is checked out here', run: branch },
  { name: 'files', help: 'the files that this conversation has read or changed', run: (_, { agent }) => files(agent) },
];

/** Empty when nothing changed. */
export async function diffText(): Promise<string> {
  const { diff, untracked, cut } = await changesIn(process.cwd(), process.env);
  const unknown =
    untracked.length > 0 ? ['Files that git does not know:', ...untracked.map((one) => `  ${visibleLine(one)}`)] : [];
  const rest = cut ? ['There is more than is shown here: git diff shows it all.'] : [];
  return [...(diff === '' ? [] : [visible(diff.trimEnd())]), ...unknown, ...rest].join('\n');
}

async function branch(): Promise<string> {
  const [cwd, env] = [process.cwd(), process.env];
  const head = checkedOut(cwd, env) ?? (await checkedOutByGit(cwd, env));
  if (head === undefined) throw new TauError('usage', 'This folder is in no git repository');
  return visibleLine(head);
}

const maxFiles = 200;

/** What tools were given as a path, and what came with prompts from the context files; the newest last. */
function files(agent: Agent): string {
  const touched = new Map<string, Set<string>>();
  for (const message of agent.messages()) {
    if (message.role !== 'assistant') continue;
    for (const block of message.content) {
      if (block.type !== 'toolCall' || typeof block.arguments.path !== 'string') continue;
      const { path } = block.arguments;
      const tools = touched.get(path) ?? new Set();
      touched.delete(path);
      touched.set(path, tools.add(block.name));
    }
  }
  const context = agent.contextFiles.map(({ path }) => `  ${visibleLine(path)}  (instructions)`);
  const rows = [...touched].map(
    ([path, tools]) => `  ${visibleLine(path)}  (${[...tools].map(visibleLine).join(', ')})`,
  );
  const more = rows.length > maxFiles ? [`  and ${rows.length - maxFiles} before these`] : [];
  const all = [...context, ...more, ...rows.slice(-maxFiles)];
  return all.length > 0 ? all.join('\n') : 'No file was read or changed yet.';
}
