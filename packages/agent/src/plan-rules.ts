/**
 * The rules that a plan asks for, so that carrying it out need not be asked about again. Each is weighed as the one call it
 * allows would be: what no answer of the user's could allow for longer than once is not allowed by a plan either.
 */
import type { Decision, Effect, GateCall, RegisteredTool, ResolvedEffect, ToolSource } from '@tau/core';
import { exactCall } from '@tau/policy';
import type { PlanRules } from '@tau/tools';

export interface PlanRulesPlace {
  cwd: string;
  findTool(name: string): RegisteredTool | undefined;
  resolve(effects: readonly Effect[]): Promise<ResolvedEffect[]>;
  /** What would be decided in the usual mode. */
  foresee(call: GateCall, source: ToolSource, effects: readonly ResolvedEffect[]): Decision;
}

export async function weighPlanRules(rules: readonly string[], place: PlanRulesPlace): Promise<PlanRules> {
  const allowed = new Set<string>();
  const ignored = new Set<string>();
  for (const rule of rules) {
    const offer = await offerFor(rule, place);
    if (offer === undefined) ignored.add(rule);
    else for (const one of [rule, ...offer]) allowed.add(one);
  }
  return { allowed: [...allowed], ignored: [...ignored] };
}

/** The rules that allow the call, which may be one more where a path leads elsewhere. Undefined: it is not to be had. */
async function offerFor(rule: string, place: PlanRulesPlace): Promise<readonly string[] | undefined> {
  const { toolName, input } = exactCall(rule) ?? {};
  if (toolName === undefined || input === undefined) return undefined;
  const registered = place.findTool(toolName);
  if (registered?.source !== 'builtin') return undefined;
  const effects = await place.resolve(await registered.tool.effects(input, { cwd: place.cwd }));
  const decision = place.foresee({ id: '', toolName, input }, 'builtin', effects);
  return decision.outcome === 'allow' ? [] : decision.outcome === 'ask' ? decision.offer : undefined;
}
