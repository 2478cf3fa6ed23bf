/**
 * Plan mode's two doors. Going in needs nobody: it only takes permissions away. Coming out is a change of the permission
 * mode, so the gate asks the user, and what the user approves is the plan.
 */
import { TauError, type Tool, type ToolInput, textResult } from '@tau/core';
import { text } from '../input.ts';

/** What the tools need of whoever holds the permission mode. */
export interface PlanMode {
  active(): boolean;
  enter(): void;
  /** Back to the mode before it. */
  leave(): void;
}

export function planEnterTool(plan: PlanMode): Tool {
  return {
    name: 'plan_enter',
    description: 'Go into plan mode: only reading is possible until the user has approved a plan (plan_exit).',
    snippet: 'plan first: read only until the user approves the plan',
    deferred: true,
    parameters: { type: 'object', properties: { reason: { type: 'string' } }, additionalProperties: false },
    prepare: ({ description, reason = description }: ToolInput) => (reason === undefined ? {} : { reason }),
    effects: () => [],
    async run() {
      if (plan.active()) return textResult('Plan mode is on already.');
      plan.enter();
      return textResult('Plan mode is on. Read what you need, then show the plan with plan_exit.');
    },
  };
}

export function planExitTool(plan: PlanMode): Tool {
  return {
    name: 'plan_exit',
    description: 'Show the user your plan and ask to carry it out. Ends plan mode when they approve.',
    snippet: 'show the plan and ask to carry it out',
    deferred: true,
    parameters: {
      type: 'object',
      properties: { plan: { type: 'string', minLength: 1, description: 'the whole plan, in Markdown' } },
      required: ['plan'],
      additionalProperties: false,
    },
    prepare: ({ allowedPrompts: _, ...input }: ToolInput) => input,
    // Outside plan mode there is nothing to approve, and the call fails.
    effects: () => (plan.active() ? [{ kind: 'config', key: 'permissionMode' }] : []),
    async run(input) {
      const approved = text(input, 'plan');
      if (!plan.active()) {
        throw new TauError('usage', 'Not in plan mode', { remedy: 'There is nothing to leave: just carry on.' });
      }
      plan.leave();
      return textResult('The user approved the plan: carry it out.', { plan: approved });
    },
  };
}
