/** What hooks would run, for somebody who decides whether they may: nothing is left out because its shape is odd. Pure. */
import { isRecord } from '@tau/core';

export interface PreviewedHook {
  event: string;
  /** The command or the address with what is sent along, in full; what is neither, as JSON. */
  runs: string;
}

/** A list in tau's own format, or an object by events as Claude Code has it. */
export function hooksIn(value: unknown): PreviewedHook[] {
  if (Array.isArray(value)) {
    return value.map((entry) => hookOf(isRecord(entry) ? (entry.event ?? entry.trigger) : undefined, entry));
  }
  if (!isRecord(value)) return [hookOf(undefined, value)];
  return Object.entries(value).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) return [hookOf(event, groups)];
    return groups.flatMap((group) =>
      isRecord(group) && Array.isArray(group.hooks)
        ? group.hooks.map((entry) => hookOf(event, entry))
        : [hookOf(event, group)],
    );
  });
}

function hookOf(event: unknown, entry: unknown): PreviewedHook {
  return { event: typeof event === 'string' ? event : 'unknown', runs: deedOf(entry) };
}

function deedOf(entry: unknown): string {
  const { command, args, url, headers } = isRecord(entry) ? entry : {};
  const words = Array.isArray(args) ? args.map(String) : [];
  if (typeof command === 'string' && url === undefined) return [command, ...words].join(' ');
  if (typeof url !== 'string' || command !== undefined) return JSON.stringify(entry) ?? 'nothing';
  // A header may carry a variable of the user's away.
  return headers === undefined ? url : `${url} with the headers ${JSON.stringify(headers)}`;
}
