/** Adds a rule to a place where rules are kept, or takes it away. What means nothing is not written. */
import { type Outcome, TauError } from '@tau/core';
import { parseRules } from '@tau/policy';
import { openGrants } from './config/grants-file.ts';
import { findHome } from './config/home.ts';
import { saveRule, type WritableLayer } from './config/save.ts';
import { realFolder } from './place.ts';
import { rootedRules } from './rules-doubt.ts';

/** A settings file, or what the user allowed for good in this folder. */
export type RulePlace = WritableLayer | 'always';

interface Where {
  cwd: string;
  env: NodeJS.ProcessEnv;
  place: RulePlace;
}

export interface RuleChange {
  path: string;
  /** The lists that are another now. */
  changed: readonly Outcome[];
  /** What to know about a rule that was added all the same. */
  warnings: readonly string[];
}

export async function addRule(written: string, outcome: Outcome, where: Where): Promise<RuleChange> {
  const rule = written.trim();
  const { rules, problems, warnings } = parseRules({ [outcome]: [rule] });
  const [problem] = problems;
  if (problem !== undefined) throw new TauError('usage', problem, { remedy: 'Nothing was written' });
  if (rules.length === 0) throw new TauError('usage', `The rule "${rule}" means nothing`);
  const { path, changed } = await change(rule, outcome, 'add', where);
  return { path, changed: changed ? [outcome] : [], warnings: [...warnings, ...rootedRules({ [outcome]: [rule] })] };
}

/** Without an outcome from all three lists. */
export async function removeRule(written: string, outcome: Outcome | undefined, where: Where): Promise<RuleChange> {
  const rule = written.trim();
  const changed: Outcome[] = [];
  let path = '';
  for (const one of outcome === undefined ? (['deny', 'ask', 'allow'] as const) : [outcome]) {
    const done = await change(rule, one, 'remove', where);
    path = done.path;
    if (done.changed) changed.push(one);
  }
  return { path, changed, warnings: [] };
}

async function change(
  rule: string,
  outcome: Outcome,
  kind: 'add' | 'remove',
  { cwd, env, place }: Where,
): Promise<{ path: string; changed: boolean }> {
  const folder = realFolder(cwd);
  if (place !== 'always') return saveRule(place, outcome, rule, kind, { home: findHome(env), cwd: folder });
  const grants = openGrants({ env, cwd: folder });
  const lists = kind === 'add' ? await grants.add(outcome, [rule]) : await grants.remove(rule, outcome);
  return { path: grants.path, changed: lists.length > 0 };
}
