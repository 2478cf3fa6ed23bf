/** Before anything of a project counts: what it would enable, and a question, unless that was answered before. */
import { trustStatus } from '@tau/agent';
import { askTrust } from './ask.ts';
import { statusLines } from './lines.ts';

/** What was said is recorded, and a no for now is the lack of a record. The exit code of who left instead. */
export async function visit(cwd: string): Promise<number | undefined> {
  const status = await trustStatus({ env: process.env, cwd });
  if (!status.open) return undefined;
  process.stdout.write(`${statusLines(status).join('\n')}\n`);
  const answer = await askTrust({ never: true });
  if (typeof answer === 'number') return answer;
  if (answer !== 'no') await status.record(answer === 'yes' ? 'yes' : 'no');
  return undefined;
}
