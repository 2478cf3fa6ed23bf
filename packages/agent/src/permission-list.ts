/** The rules and the mode that count in a folder, each with where it comes from. */
import type { Outcome, PermissionMode } from '@tau/core';
import type { RuleSet } from '@tau/policy';
import type { ClaudeRule } from './claude-rules.ts';
import { explainSetting } from './config/explain.ts';
import type { SavedRules } from './config/grants-file.ts';
import type { Layer, LoadedSettings } from './config/settings.ts';
import type { SettingName } from './config/types.ts';

export interface ListedRule {
  outcome: Outcome;
  /** As it is written. */
  rule: string;
  origin: Layer['layer'] | 'always' | 'flag' | 'claude';
  /** The file, with line and column of its list where that is known, or the variable. */
  place?: string;
  /** Why it does not count; nothing when it does. */
  not?: string;
}

const outcomes = ['deny', 'ask', 'allow'] as const;

/** Deny first, as they are asked; within an outcome in the order of the layers. */
export async function listRules(
  { layers }: LoadedSettings,
  saved: { rules: SavedRules; path: string },
  flags: RuleSet = {},
  claude: readonly ClaudeRule[] = [],
): Promise<ListedRule[]> {
  const listed: ListedRule[] = [];
  for (const outcome of outcomes) {
    const name: SettingName = `permissions.${outcome}`;
    for (const { layer: origin, values, refused, locate } of layers) {
      const no = refused.get(name);
      const written = textsOf(values.get(name) ?? no?.value);
      if (written.length === 0) continue;
      const place = await locate(name);
      listed.push(...written.map((rule) => ({ outcome, rule, origin, place, ...(no && { not: no.why }) })));
    }
    for (const rule of saved.rules[outcome]) listed.push({ outcome, rule, origin: 'always', place: saved.path });
    for (const rule of textsOf(flags[outcome])) listed.push({ outcome, rule, origin: 'flag' });
    listed.push(
      ...claude.filter((one) => one.outcome === outcome).map((one) => ({ ...one, origin: 'claude' as const })),
    );
  }
  return listed;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== undefined) : [];
}

/** A rule is a text, or an object that holds it beside its examples. */
function textOf(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  return typeof entry === 'object' && entry !== null && 'rule' in entry && typeof entry.rule === 'string'
    ? entry.rule
    : undefined;
}

/** `usual`: the mode when nothing says which. */
export async function modeOrigin(
  loaded: LoadedSettings,
  flag: PermissionMode | undefined,
  usual: PermissionMode,
): Promise<string> {
  if (flag !== undefined) return 'the command line says so';
  const says = await explainSetting(loaded, 'permissionMode');
  const last = says.findLast(({ not, origin }) => not === undefined && origin !== 'default');
  if (last === undefined) {
    return usual === 'auto'
      ? 'the project is trusted, commands run in a sandbox, and nothing says otherwise'
      : 'nothing says otherwise';
  }
  return `${last.origin} settings${last.place === undefined ? '' : `, ${last.place}`}`;
}
