/** Hooks that write down what they are told, for tests through the command. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '@tau/core';
import type { Sandbox } from '@tau/testkit';

/** Appends what it is told as a line to a file in the home: in one write, for another hook may write at the same time. */
export const writesDown = 'told=$(cat) && printf "%s\\n" "$told" >> "$HOME/told.jsonl"';

export const ofType = (events: Record<string, unknown>[], wanted: string) =>
  events.filter(({ type }) => type === wanted);

/** What hooks were told, in the order in which they wrote it down. */
export function toldIn({ home, read }: Pick<Sandbox, 'home' | 'read'>): Record<string, unknown>[] {
  const path = join(home, 'told.jsonl');
  if (!existsSync(path)) return [];
  const lines = read(path).split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const value: unknown = JSON.parse(line);
      if (!isRecord(value)) throw new Error(`not an object: ${line}`);
      return value;
    });
}

export const eventsIn = (sandbox: Pick<Sandbox, 'home' | 'read'>): unknown[] =>
  toldIn(sandbox).map((told) => told.hook_event_name);
