/** Plan mode as its tools see it: in, out, and back to the mode before. */
import type { Decision, GateCall, PermissionMode } from '@tau/core';
import type { PlanMode, PlanRules } from '@tau/tools';
import type { Permission } from './permission.ts';

export interface PlanOptions {
  permission: Permission;
  /** These are offered to the model from now on. */
  offer(tools: readonly string[]): void;
  weigh(rules: readonly string[]): Promise<PlanRules>;
}

export interface Plan extends PlanMode {
  /** A question about a plan says which rules a yes to it brings. */
  withRules(decision: Decision, call: GateCall): Decision;
}

const maxWeighed = 20;

export function createPlan({ permission, offer, weigh }: PlanOptions): Plan {
  // Whoever starts in plan mode and has a plan approved wants it carried out, asked about as usual.
  let before: PermissionMode = 'default';
  /** By the rules as the call has them. */
  const weighed = new Map<string, PlanRules>();
  return {
    active: () => permission.mode() === 'plan',
    enter({ tracking = false } = {}) {
      if (tracking) offer(['todo']);
      if (permission.mode() === 'plan') return;
      before = permission.mode();
      permission.setMode('plan');
      offer(['plan_exit']);
    },
    leave() {
      weighed.clear();
      if (permission.mode() === 'plan') permission.setMode(before);
    },
    async weigh(rules) {
      if (rules.length === 0) return { allowed: [], ignored: [] };
      const found = await weigh(rules);
      weighed.set(JSON.stringify(rules), found);
      const [oldest] = weighed.keys();
      if (weighed.size > maxWeighed && oldest !== undefined) weighed.delete(oldest);
      return found;
    },
    withRules(decision, { toolName, input }) {
      // Only leaving plan mode is asked about every time under this name: another's tool of it is not believed.
      if (toolName !== 'plan_exit' || decision.outcome !== 'ask' || !decision.everyTime) return decision;
      const { allowed = [] } = weighed.get(JSON.stringify(input.allowed_prompts)) ?? {};
      return allowed.length === 0 ? decision : { ...decision, offer: allowed };
    },
  };
}
