/** Commands about the conversation: which one it is, what it is called, and how to go on with another. */
import { type Agent, listSessions, TauError } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';
import type { Command, CommandWorld } from './command.ts';
import { copyCommand } from './copy.ts';

export const conversationCommands: readonly Command[] = [
  { name: 'session', help: 'which conversation this is, and where it is kept', run: (_, { agent }) => session(agent) },
  {
    ...{ name: 'name', aliases: ['rename'], argument: '[NAME]' },
    help: 'call the conversation so; without a name a model finds one',
    run: name,
  },
  {
    ...{ name: 'transcript', help: 'the whole conversation, with everything in it', needsScreen: true },
    run(_, world) {
      deeds(world).openTranscript();
      return '';
    },
  },
  { name: 'history', help: 'the newest conversations of this folder', run: () => history() },
  {
    ...{ name: 'new', aliases: ['clear'], help: 'another conversation; this one is kept', needsScreen: true },
    run: (_, world) => deeds(world).begin('new'),
  },
  {
    ...{ name: 'resume', argument: '[ID]', help: 'go on with an earlier conversation', panel: 'sessions' },
    ...{ needsScreen: true, choices: () => ids(), run: resume },
  },
  {
    ...{ name: 'fork', aliases: ['clone'], help: 'go on in a copy; this conversation stays as it is' },
    ...{ needsScreen: true, run: fork },
  },
  copyCommand,
];

function session({ sessionId, sessionPath, sessionName, trust: word }: Agent): string {
  const where = visibleLine(sessionPath ?? 'in memory only');
  const called = sessionName === undefined ? '' : ` "${visibleLine(sessionName)}"`;
  return [`${sessionId}${called}`, where, `project: ${word}`].join('\n');
}

async function name(argument: string, { agent }: CommandWorld): Promise<string> {
  const chosen = argument === '' ? await agent.suggestName() : argument;
  agent.setName(chosen);
  return `This conversation is called "${visibleLine(chosen)}".`;
}

const maxShown = 10;

async function newest() {
  const { sessions } = await listSessions({ env: process.env, cwd: process.cwd() });
  return sessions.slice(0, maxShown);
}

async function ids(): Promise<string[]> {
  return (await newest()).map(({ id }) => id);
}

async function history(): Promise<string> {
  const rows = (await newest()).map((one) => `  ${one.id}  ${visibleLine(one.name ?? one.firstPrompt ?? '')}`);
  return rows.length > 0 ? rows.join('\n') : 'There are no conversations yet.';
}

function resume(argument: string, world: CommandWorld): Promise<string> {
  if (argument === '') throw new TauError('usage', 'Which conversation?', { remedy: '/history lists the newest' });
  return deeds(world).begin({ open: argument });
}

function fork(_: string, world: CommandWorld): Promise<string> {
  const { sessionPath } = world.agent;
  if (sessionPath === undefined) throw new TauError('usage', 'This conversation is in memory only');
  return deeds(world).begin({ fork: sessionPath });
}

/** Only listed where there is a screen. */
function deeds({ screen }: CommandWorld): NonNullable<CommandWorld['screen']> {
  if (screen === undefined) throw new TauError('usage', 'This needs the screen');
  return screen;
}
