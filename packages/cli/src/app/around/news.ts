/** Whether this tau is newer than the one that ran here before. What the app remembers for itself is in state.json. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '@tau/agent';

/** A sentence after an update, and never twice. `home` is the user's folder of tau. */
export function newsFor(version: string, home: string): string | undefined {
  const file = join(home, 'state.json');
  const state = readState(file);
  const before = state.version;
  if (before === version) return undefined;
  keep(file, { ...state, version });
  return typeof before === 'string'
    ? `tau ${version}; ${before} ran here before. /changelog tells what changed`
    : undefined;
}

function readState(file: string): Record<string, unknown> {
  try {
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(state) ? state : {};
  } catch {
    // None yet, or not readable: then nothing is remembered, which nobody misses.
    return {};
  }
}

function keep(file: string, state: Record<string, unknown>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    // A home that cannot be written: the sentence comes again next time.
  }
}
