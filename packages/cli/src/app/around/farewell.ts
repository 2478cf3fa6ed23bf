/** The last line on the terminal, however it ends: how to go on with this conversation. */
import { writeSync } from 'node:fs';
import type { Agent } from '@tau/agent';
import { visibleLine } from '../../render/visible.ts';

export interface Farewell {
  /** The terminal is the shell's again. */
  say(): void;
  /** Another conversation follows here, so there is nothing to say. */
  withdraw(): void;
}

/** Said at the end of the process at the latest, so also after a crash. */
export function createFarewell(agent: Pick<Agent, 'messages' | 'sessionPath' | 'sessionId'>): Farewell {
  let isOver = false;
  function say(): void {
    if (isOver) return;
    isOver = true;
    process.off('exit', say);
    if (agent.sessionPath === undefined || agent.messages().length === 0) return;
    try {
      // Two lines: the id on one that does not wrap can be copied whole.
      const id = visibleLine(agent.sessionId);
      writeSync(2, `\ntau -c goes on with this conversation,\ntau -r ${id} also when there are newer ones.\n`);
    } catch {
      // The terminal is gone, and with it whoever would read this.
    }
  }
  process.on('exit', say);
  return {
    say,
    withdraw() {
      isOver = true;
      process.off('exit', say);
    },
  };
}
