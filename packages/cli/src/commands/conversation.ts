/** Commands about the conversation: which one it is, what it is called, and how to go on with another. */
import { visibleLine } from '../render/visible.ts';
import { type Command, type CommandWorld, screenOf } from './command.ts';
import { copyCommand } from './copy.ts';
import { earlierIds, history, resume } from './history.ts';
import { sessionCommand } from './session.ts';
import { treeCommands } from './tree.ts';

export const conversationCommands: readonly Command[] = [
  sessionCommand,
  {
    ...{ name: 'name', aliases: ['rename'], argument: '[NAME]' },
    help: 'name this conversation; without a name a model finds one',
    run: name,
  },
  {
    ...{ name: 'transcript', help: 'the whole conversation, with everything in it', needsScreen: true },
    run(_, world) {
      screenOf(world).openTranscript();
      return '';
    },
  },
  { name: 'history', help: 'the newest conversations of this folder', run: history },
  {
    ...{ name: 'new', help: 'begin another conversation; this one is kept', needsScreen: true },
    run: (_, world) => screenOf(world).begin('new'),
  },
  {
    ...{ name: 'resume', argument: '[ID]', help: 'go on with an earlier conversation', panel: 'sessions' },
    ...{ needsScreen: true, choices: earlierIds, run: resume },
  },
  ...treeCommands,
  copyCommand,
];

async function name(argument: string, { agent }: CommandWorld): Promise<string> {
  const chosen = argument === '' ? await agent.suggestName() : argument;
  agent.setName(chosen);
  return `This conversation is called "${visibleLine(chosen)}".`;
}
