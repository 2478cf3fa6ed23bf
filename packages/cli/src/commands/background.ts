/** Commands that run in the background: which there are, what they print, and their end. */
import { parseApproval, TauError } from '@tau/agent';
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
  {
    ...{
      name: 'timeout',
      argument: 'TIME [ID]',
      help: 'end a command in the background after a time as 30s, 10m or 1h; off lets it run',
    },
    choices: () => ['30s', '5m', '30m', '1h', 'off'],
    run: timeout,
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
  const rows = jobs.map(({ id, command, runtimeMs, isRunning, leftMs }) => {
    const seconds = `${Math.round(runtimeMs / 1000)} s`;
    const left = leftMs === undefined ? '' : `, ${Math.ceil(leftMs / 1000)} s left`;
    const state = isRunning ? `runs for ${seconds}${left}` : `ended after ${seconds}`;
    return `${isRunning ? '●' : ' '} ${id}  ${state}: ${visibleLine(command)}`;
  });
  return rows.join('\n');
}

/** The one that is named, or the only one. */
function which(argument: string, ids: readonly string[]): string {
  if (argument === '' && ids.length > 1) {
    throw new TauError('usage', `${ids.length} commands run in the background`, {
      remedy: `Say which: ${ids.join(', ')}`,
    });
  }
  return argument === '' ? (ids[0] ?? '') : oneOf(ids, argument, 'running background command');
}

function timeout(argument: string, world: CommandWorld): string {
  const [, time = '', named = ''] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
  const window = parseApproval(time);
  const forMs = typeof window === 'object' ? window.forMs : undefined;
  if (forMs === undefined && time !== 'off') {
    const what = time === '' ? 'After which time?' : `"${time}" is no time`;
    throw new TauError('usage', what, { remedy: 'Use 30s, 10m, 1h, at most a day, or off: /timeout 10m job-1' });
  }
  const ids = running(world);
  if (ids.length === 0) return 'Nothing runs in the background.';
  const id = which(named, ids);
  if (!world.agent.limitJob(id, forMs)) return `${id} had ended already.`;
  return forMs === undefined
    ? `${id} may run as long as it likes.`
    : `${id} is ended in ${time}, if it still runs then.`;
}

async function kill(argument: string, world: CommandWorld): Promise<string> {
  const ids = running(world);
  if (ids.length === 0) return 'Nothing runs in the background.';
  const id = which(argument, ids);
  return (await world.agent.endJob(id)) ? `${id} was ended.` : `${id} had ended already.`;
}
