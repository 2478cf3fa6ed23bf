/** Asks a process that swaps a folder for a link to stop, and waits for it: the folder is in its place then. */
import { existsSync, writeFileSync } from 'node:fs';

/** It stands still meanwhile: the model's answer waits for it, so what that asks for is asked in calm. */
export function calmDown(ask: string): void {
  const rest = new Int32Array(new SharedArrayBuffer(4));
  writeFileSync(ask, '');
  for (const end = Date.now() + 60_000; !existsSync(`${ask}ed`); ) {
    if (Date.now() > end) throw new Error('the folder is still being swapped');
    Atomics.wait(rest, 0, 0, 1);
  }
}
