/** Says when the context window fills up: at each step once, and again after it was emptier. */
import { type Meter, thousands } from './meter.ts';

const steps = [0.7, 0.8, 0.9] as const;

/** A sentence when a step was just passed. */
export function createFullness(meter: Pick<Meter, 'context' | 'window'>): () => string | undefined {
  let told = passed(meter);
  return () => {
    const now = passed(meter);
    const before = told;
    told = now;
    if (now <= before) return undefined;
    const { context, window = 0 } = meter;
    const full = `The context is ${Math.round((100 * context) / window)} % full (${thousands(context)} of ${thousands(window)})`;
    return `${full}: /context shows what fills it, /new begins another conversation`;
  };
}

function passed({ context, window }: Pick<Meter, 'context' | 'window'>): number {
  return window === undefined ? 0 : steps.filter((step) => context >= step * window).length;
}
