import { readFileSync } from 'node:fs';

/** Dead and not buried is gone, too. */
export function isGone(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return true;
  }
}
