/** The newest conversations of this folder, and going on with one of them. */
import { listSessions, TauError } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';
import { type CommandWorld, screenOf } from './command.ts';

const maxShown = 10;

async function newest() {
  const { sessions } = await listSessions({ env: process.env, cwd: process.cwd() });
  return sessions.slice(0, maxShown);
}

export async function newestIds(): Promise<string[]> {
  return (await newest()).map(({ id }) => id);
}

export async function history(): Promise<string> {
  const rows = (await newest()).map((one) => `  ${one.id}  ${visibleLine(one.name ?? one.firstPrompt ?? '')}`);
  return rows.length > 0 ? rows.join('\n') : 'There are no conversations yet.';
}

export function resume(argument: string, world: CommandWorld): Promise<string> {
  if (argument === '') throw new TauError('usage', 'Which conversation?', { remedy: '/history lists the newest' });
  return screenOf(world).begin({ open: argument });
}
