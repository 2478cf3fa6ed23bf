/** The newest conversations of this folder, and going on with one of them. */
import { listSessions, TauError } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';
import { type CommandWorld, screenOf } from './command.ts';

const maxShown = 10;

async function newest() {
  const { sessions } = await listSessions({ env: process.env, cwd: process.cwd() });
  return sessions.slice(0, maxShown);
}

/** Those that can be gone on with from here. */
export async function earlierIds({ agent }: CommandWorld): Promise<string[]> {
  return (await newest()).map(({ id }) => id).filter((id) => id !== agent.sessionId);
}

export async function history(): Promise<string> {
  const rows = (await newest()).map((one) => `  ${one.id}  ${visibleLine(one.name ?? one.firstPrompt ?? '')}`);
  return rows.length > 0 ? rows.join('\n') : 'There are no conversations yet.';
}

/** `last` is the newest but this one. */
export async function resume(argument: string, world: CommandWorld): Promise<string> {
  if (argument === '') throw new TauError('usage', 'Which conversation?', { remedy: '/history lists the newest' });
  const { begin } = screenOf(world);
  if (argument !== 'last') return begin({ open: argument });
  const [last] = await earlierIds(world);
  if (last === undefined) throw new TauError('usage', 'There is no other conversation in this folder');
  return begin({ open: last });
}
