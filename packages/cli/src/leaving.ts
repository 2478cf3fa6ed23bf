/** The way out, or to another conversation: at once, unless commands in the background would end with it. Then that is said first. */
import type { Agent } from '@tau/agent';

export interface LeavingOptions {
  jobs: Agent['jobs'];
  status(text: string): void;
}

/** Whether it may be left now. The second time it is meant. */
export function createLeaving({ jobs, status }: LeavingOptions): () => boolean {
  /** Those that were told of. */
  const told = new Set<string>();
  return () => {
    const running = jobs().filter(({ isRunning }) => isRunning);
    if (running.every(({ id }) => told.has(id))) return true;
    for (const { id } of running) told.add(id);
    const [first] = running;
    const which = running.length === 1 ? `${first?.id} still runs` : `${running.length} commands still run`;
    status(`${which} in the background (/ps) and would be ended; once more does it`);
    return false;
  };
}
