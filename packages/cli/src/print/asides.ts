/** What a person should know while the answer is awaited: why it takes longer, who answers instead, what was noticed. */
import type { StampedEvent } from '@tau/agent';
import { visible } from '../render/visible.ts';

export function createAsides(write: (line: string) => void): (event: StampedEvent) => void {
  // The agent's own warnings were told before it began, and come once more as notices at the start of the run.
  let begun = false;
  return (event) => {
    if (event.type === 'turn_start') begun = true;
    if (event.type === 'retry') write(`tau: ${visible(event.message)}; ${nextStep(event)}\n`);
    if (event.type === 'notice' && begun) write(`tau: ${visible(event.text)}\n`);
  };
}

function nextStep({ delayMs, model }: Extract<StampedEvent, { type: 'retry' }>): string {
  return delayMs > 0 ? `trying again in ${(delayMs / 1000).toFixed(1)} s` : `now asking ${visible(model)}`;
}
