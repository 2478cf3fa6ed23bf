/** Whether a sandbox holds the commands of a call, so that what nobody knows of them matters less. */
import type { Policy } from './policy.ts';
import type { Subject } from './rules/match.ts';

/** True for our own commands only, and for none that is to run outside. */
export function inSandbox({ source, tool, outside }: Subject, { contained = false }: Policy): boolean {
  return contained && source === 'builtin' && tool === 'bash' && !outside;
}
