/** `/tree`, `/fork` and `/clone`: another place of the conversation to go on from, here or in a copy. */
import { type Agent, type Said, type SessionChoice, TauError } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';
import { type Command, type CommandWorld, oneOf, screenOf } from './command.ts';

export const treeCommands: readonly Command[] = [
  {
    ...{ name: 'tree', aliases: ['back'], argument: '[ID]', panel: 'tree' },
    help: 'go back to before something you said, or to where you left off; Esc Esc does so too',
    choices: ({ agent }) => [...agent.going.said(), ...agent.going.branches()].map(({ entryId }) => entryId),
    run: tree,
  },
  {
    ...{ name: 'fork', argument: '[ID]', panel: 'fork', needsScreen: true },
    help: 'go on from before something you said, in a copy; this conversation stays as it is',
    choices: ({ agent }) => agent.going.said().map(({ entryId }) => entryId),
    run: fork,
  },
  {
    ...{ name: 'clone', help: 'go on in a copy; this conversation stays as it is', needsScreen: true },
    run: (_, world) => screenOf(world).begin({ fork: fileOf(world.agent) }),
  },
  { name: 'clear', help: 'begin anew in the same session; /tree goes back', run: (_, world) => clear(world) },
];

const maxListed = 50;

function tree(argument: string, { agent, screen }: CommandWorld): string {
  const [said, left] = [agent.going.said(), agent.going.branches()];
  if (argument === '') return listed(said, left);
  const id = known(argument, [...said, ...left]);
  const text = agent.going.goTo(id);
  screen?.wentTo(text);
  const where = text === '' ? 'Back on the branch that was left' : `Back to before "${firstLine(text)}"`;
  return `${where}. What was said since is kept (/tree); files are as they are.`;
}

function clear({ agent, screen }: CommandWorld): string {
  agent.going.goTo(null);
  screen?.wentTo('');
  return 'The model knows nothing of what was said before. It is kept: /tree goes back to it.';
}

function fork(argument: string, world: CommandWorld): Promise<string> {
  const { agent } = world;
  const path = fileOf(agent);
  const said = agent.going.said();
  if (argument === '') throw new TauError('usage', 'Nothing was said yet', { remedy: 'Say something first' });
  const id = known(argument, said);
  const entry = agent.going.entryBefore(id);
  const choice: SessionChoice = entry === undefined ? 'new' : { fork: path, entry };
  return screenOf(world).begin(choice, said.find(({ entryId }) => entryId === id)?.text);
}

function known(id: string, all: readonly Said[]): string {
  return oneOf(
    all.map(({ entryId }) => entryId),
    id,
    'message',
  );
}

function listed(said: readonly Said[], left: readonly Said[]): string {
  if (said.length === 0 && left.length === 0) return 'Nothing was said yet.';
  const row = ({ entryId, text }: Said, mark: string) => `  ${entryId}  ${mark}${firstLine(text)}`;
  const more = said.length > maxListed ? [`  and ${said.length - maxListed} before these`] : [];
  return [
    '/tree ID goes back to before what you said; files are not undone:',
    ...said.slice(0, maxListed).map((one) => row(one, '')),
    ...more,
    ...left.slice(0, maxListed).map((one) => row(one, '⎇ left: ')),
  ].join('\n');
}

const maxChars = 80;

/** Its first line that says something. */
export function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return visibleLine(line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line);
}

function fileOf({ sessionPath }: Pick<Agent, 'sessionPath'>): string {
  if (sessionPath !== undefined) return sessionPath;
  throw new TauError('usage', 'This conversation is in memory only');
}
