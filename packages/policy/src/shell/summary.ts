/** An analysis in short: what is shown of a command, and whether it is proved. */
import { type CommandClass, commandClasses, type Effect } from '@tau/core';
import type { Analysis, Summary } from './analysis.ts';

export function summarise({ parts, redirects, doubts, problem }: Analysis): Summary {
  const deeds = parts.filter(({ invocation }) => !invocation.wrapper);
  const effects = distinct([...deeds.flatMap(({ finding }) => finding.effects), ...redirects]);
  const known = problem === undefined && doubts.length === 0 && deeds.every(({ finding }) => finding.known);
  const danger = parts.flatMap(({ finding }) => finding.danger ?? [])[0];
  const programs = new Set(
    parts.flatMap(({ invocation: { words }, finding }) => [words[0] ?? '?', ...(finding.starts ?? [])]),
  );
  return {
    class: worst([
      ...deeds.map(({ finding }) => finding.class),
      ...(redirects.some(({ kind }) => kind === 'write') ? ['write' as const] : []),
      ...(redirects.some(({ kind }) => kind === 'net') ? ['network' as const] : []),
      ...(problem !== undefined || doubts.length > 0 ? ['unknown' as const] : []),
      ...(danger === undefined ? [] : ['dangerous' as const]),
    ]),
    readOnly: known && danger === undefined && effects.every(({ kind }) => kind === 'read'),
    known,
    ...(danger !== undefined && { danger }),
    effects,
    programs: [...programs],
  };
}

/** The worst of them; what does nothing is read-only. */
export function worst(classes: readonly CommandClass[]): CommandClass {
  const rank = classes.reduce((highest, one) => Math.max(highest, commandClasses.indexOf(one)), 0);
  return commandClasses[rank] ?? 'unknown';
}

function distinct(effects: readonly Effect[]): Effect[] {
  return [...new Map(effects.map((effect) => [JSON.stringify(effect), effect])).values()];
}
