/** The conversations on disk: how many, how large, and which cannot be read. Of each only head and tail are looked at. */
import { listSessions } from '@tau/session';
import { type Check, check, quoted, sizeText } from './check.ts';

const most = 20_000;
const many = 2 * 1024 ** 3;
const mostNamed = 5;

export async function sessionChecks(dir: string): Promise<Check[]> {
  const [id, title] = ['sessions', 'Sessions'];
  const { sessions, more, problems } = await listSessions({ dir, limit: most });
  const bytes = sessions.reduce((sum, { size }) => sum + size, 0);
  const beyond = more > 0 ? `, and ${more} more that were not looked at` : '';
  const detail = sessions.length === 0 ? 'none yet' : `${sessions.length} in ${dir}, ${sizeText(bytes)}${beyond}`;
  const damaged = problems
    .slice(0, mostNamed)
    .map((text) => check(id, title, 'warning', text, 'Move the file away, or mend its first line by hand'));
  const rest = problems.length - mostNamed;
  if (rest > 0)
    damaged.push(check(id, title, 'warning', `and ${rest} more that cannot be read`, `Look into ${quoted(dir)}`));
  if (bytes < many) return [check(id, title, 'ok', detail), ...damaged];
  return [check(id, title, 'note', detail, 'tau sessions delete ID makes room'), ...damaged];
}
