/** What a person should know while the answer is awaited: why it takes longer, who answers instead, what was noticed. */
import type { StampedEvent } from '@tau/agent';
import { violationTeller } from '../render/sandbox.ts';
import { visibleLine } from '../render/visible.ts';
import { deliveredIn, deliveryLine } from './delivered.ts';

type Limits = Extract<StampedEvent, { type: 'rate_limits' }>;

/** A limit is worth a line when less than this is left of it. */
const lowShare = 0.05;

/** `warnings`: the agent's own, which were told before it began and come once more as notices at the start of the run. */
export function createAsides(line: (text: string) => void, warnings: readonly string[]): (event: StampedEvent) => void {
  let begun = false;
  const told = new Set<string>();
  const violationText = violationTeller();
  return (event) => {
    if (event.type === 'turn_start') begun = true;
    if (event.type === 'retry') line(`tau: ${visibleLine(event.message)}; ${nextStep(event)}`);
    if (event.type === 'recovery' && event.problem !== 'stopHook') line(`tau: ${visibleLine(event.text)}`);
    if (event.type === 'notice' && (begun || !warnings.includes(event.text))) line(`tau: ${visibleLine(event.text)}`);
    const refused = event.type === 'sandbox_violation' ? violationText(event) : undefined;
    if (refused !== undefined) line(`tau: ${visibleLine(refused)}`);
    const delivered = deliveredIn(event);
    if (delivered) line(deliveryLine(delivered));
    if (event.type !== 'rate_limits') return;
    for (const kind of ['requests', 'tokens'] as const) {
      const left = lowOn(event, kind);
      if (left === undefined || told.has(`${event.model} ${kind}`)) continue;
      told.add(`${event.model} ${kind}`);
      line(`tau: ${visibleLine(event.model)} has ${left}`);
    }
  };
}

function nextStep({ delayMs, model }: Extract<StampedEvent, { type: 'retry' }>): string {
  return delayMs > 0 ? `trying again in ${(delayMs / 1000).toFixed(1)} s` : `now asking ${visibleLine(model)}`;
}

function lowOn({ limits }: Limits, kind: 'requests' | 'tokens'): string | undefined {
  const { limit, remaining, resetMs } = limits[kind] ?? {};
  if (limit === undefined || remaining === undefined || remaining > limit * lowShare) return undefined;
  const again = resetMs === undefined ? '' : `, all of them again in ${Math.ceil(resetMs / 1000)} s`;
  return `${remaining} of ${limit} ${kind} left${again}`;
}
