/** Whether everybody inside is gone. */
import { existsSync, readFileSync } from 'node:fs';
import { isGone } from '../../local/gone.ts';

/** Everyone inside is dead as soon as the keeper is; the kernel needs a moment to say so. */
const lookEveryMs = 2;
const patienceMs = 1000;

/** Of the namespace of this first process. */
export async function isOver(pid: number): Promise<boolean> {
  const until = Date.now() + patienceMs;
  for (let looks = 0; isAlive(pid); looks += 1) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => (looks < 50 ? setImmediate(resolve) : setTimeout(resolve, lookEveryMs)));
  }
  return true;
}

/**
 * Whether somebody may live in the namespace of this first process. Without children it is alone, for whoever has lost
 * their parent becomes its child. Its own end takes the kernel milliseconds.
 */
function isAlive(pid: number): boolean {
  if (isGone(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '';
  } catch {
    // Not every kernel tells; then its end is waited for.
    return existsSync(`/proc/${pid}`);
  }
}
