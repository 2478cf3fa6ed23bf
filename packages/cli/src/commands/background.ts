/** Commands that run in the background: which there are, what they print, and their end. */
import { TauError } from '@tau/agent';
import { visible, visibleLine } from '../render/visible.ts';
import { type Command, type CommandWorld, oneOf } from './command.ts';

export const backgroundCommands: readonly Command[] = [
  {
    ...{
      name: 'ps',
      aliases: ['jobs'],
      argument: '[ID]',
      help: 'commands in the background, or what one printed last',
    },
    choices: ({ agent }) => agent.jobs().map(({ id }) => id),
    run: list,
  },
  {
    ...{
      name: 'kill',
      argument: '[ID]',
      help: 'end a command in the background; the ID may be left out if it is the only one',
    },
    choices: running,
    run: kill,
  },
];

function running({ agent }: CommandWorld): string[] {
  return agent.jobs().flatMap(({ id, isRunning }) => (isRunning ? [id] : []));
}

function list(argument: string, { agent }: CommandWorld): string {
  const jobs = agent.jobs();
  if (argument !== '') {
    const id = oneOf(
      jobs.map((job) => job.id),
      argument,
      'background command',
    );
    return visible(jobs.find((job) => job.id === id)?.lastLines() || 'It has printed nothing.');
  }
  if (jobs.length === 0) return 'Nothing runs in the background.';
  const rows = jobs.map(({ id, command, runtimeMs, isRunning }) => {
    const seconds = `${Math.round(runtimeMs / 1000)} s`;
    return `${isRunning ? '●' : ' '} ${id}  ${isRunning ? `runs for ${seconds}` : `ended after ${seconds}`}: ${visibleLine(command)}`;
  });
  return rows.join('\n');
}

async function kill(argument: string, world: CommandWorld): Promise<string> {
  const ids = running(world);
  if (ids.length === 0) return 'Nothing runs in the background.';
  if (argument === '' && ids.length > 1) {
    throw new TauError('usage', `${ids.length} commands run in the background`, {
      remedy: `Say which: ${ids.join(', ')}`,
    });
  }
  const id = argument === '' ? (ids[0] ?? '') : oneOf(ids, argument, 'running background command');
  return (await world.agent.endJob(id)) ? `${id} was ended.` : `${id} had ended already.`;
}
