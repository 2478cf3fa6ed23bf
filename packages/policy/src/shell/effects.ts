/** What a command line will do, as effects: the command itself, then all that is known of it. */
import type { Effect } from '@tau/core';
import type { ShellReader } from './reader.ts';
import { summarise } from './summary.ts';

export function shellEffects(command: string, reader: Pick<ShellReader, 'analyse'>): Effect[] {
  const summary = summarise(reader.analyse(command));
  const { readOnly, known, danger, effects } = summary;
  return [
    { kind: 'exec', command, readOnly, class: summary.class, known, ...(danger !== undefined && { danger }) },
    ...effects,
  ];
}
