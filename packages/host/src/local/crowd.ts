/**
 * How many processes a contained command has. The kernel's own limit binds nobody who is root, and before Linux 5.14 it
 * counted those of the whole user; so they are counted here too, and who has too many is stopped with all of them.
 */
import { promises } from 'node:fs';

export interface CrowdOptions {
  /** The first process of the command's namespace, as soon as it is known. */
  first(): number | undefined;
  most: number;
  /** Called once. */
  onCrowd(): void;
  lookEveryMs?: number;
}

/** Commands that end sooner cost nothing. */
const usualLookMs = 200;

/** Returns what ends it. */
export function watchCrowd({ first, most, onCrowd, lookEveryMs = usualLookMs }: CrowdOptions): () => void {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const pid = first();
    const count = pid === undefined ? 0 : await processesBeside(pid);
    if (over) return;
    if (count <= most) return later();
    over = true;
    onCrowd();
  };
  const later = () => {
    timer = setTimeout(() => void look(), lookEveryMs).unref();
  };
  later();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

/** By the list that the command itself sees. Where that cannot be read, the limit of the shell has to do. */
async function processesBeside(pid: number): Promise<number> {
  const names = await promises.readdir(`/proc/${pid}/root/proc`).catch(() => []);
  return names.filter((name) => /^\d/.test(name)).length;
}
