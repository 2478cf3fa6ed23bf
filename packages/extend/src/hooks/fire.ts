/** Fires an event: the hooks that are meant run side by side, a few at a time, and are heard in the order of their declaration. */
import type { HookMoment } from '@tau/core';
import { combine, type Heard, type Verdict } from './combine.ts';
import type { Hook } from './hook.ts';
import { type HookPorts, runHook } from './run-hook.ts';
import { type Occasion, selectHooks } from './select.ts';
import type { Spoken } from './spoken.ts';

const maxParallel = 10;

export interface FireOptions {
  ports: HookPorts;
  signal: AbortSignal;
  /** What is called when each is over. */
  onStart?(hook: Hook): (spoken: Spoken) => void;
}

export async function fire(
  hooks: readonly Hook[],
  moment: HookMoment,
  speaksOf: Occasion['speaksOf'],
  { ports, signal, onStart }: FireOptions,
): Promise<Verdict> {
  const selected = await selectHooks(hooks, { input: moment.input, speaksOf });
  const heard: Heard[] = [];
  let next = 0;
  // A signal for each: Node warns when many listen to one.
  const running = new Set<AbortController>();
  const stop = () => {
    for (const one of running) one.abort();
  };
  async function work(): Promise<void> {
    for (let at = next++; at < selected.length; at = next++) {
      const hook = selected[at];
      if (hook === undefined) return;
      const onEnd = onStart?.(hook);
      const own = new AbortController();
      if (signal.aborted) own.abort();
      running.add(own);
      const spoken = await runHook(hook, moment, ports, own.signal);
      running.delete(own);
      onEnd?.(spoken);
      heard[at] = { hook, spoken };
    }
  }
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.all(Array.from({ length: Math.min(maxParallel, selected.length) }, work));
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return combine(heard);
}
