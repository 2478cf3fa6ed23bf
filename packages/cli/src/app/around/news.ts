/** Whether this tau is newer than the one that ran here before. What the app remembers for itself is in state.json. */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '@tau/agent';
import { changesIn } from '../../commands/changelog.ts';

/**
 * A sentence after an update, and never twice. `home` is the user's folder of tau. A version that grows before it is released
 * is another one when more is told of it.
 */
export function newsFor(version: string, home: string, changelog: string): string | undefined {
  const file = join(home, 'state.json');
  const state = readState(file);
  const told = statSync(changelog, { throwIfNoEntry: false })?.size ?? 0;
  if (state.version === version && state.changelog === told) return undefined;
  keep(file, { ...state, version, changelog: told });
  if (typeof state.version !== 'string') return undefined;
  const before = state.version === version ? 'an older state of it' : state.version;
  const about = titlesIn(changelog);
  return `tau ${version}; ${before} ran here before. ${about === '' ? '' : `${about}. `}/changelog tells what changed`;
}

const maxTitles = 3;

/** What the newest changes are about. */
function titlesIn(changelog: string): string {
  try {
    const titles = changesIn(readFileSync(changelog, 'utf8')).map(({ title }) => title);
    return titles.slice(0, maxTitles).join('; ');
  } catch {
    // Then nothing is told of them.
    return '';
  }
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
