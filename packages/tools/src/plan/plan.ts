/**
 * Plan mode's two doors. Going in needs nobody: it only takes permissions away. Coming out is a change of the permission
 * mode, so the gate asks the user, and what the user approves is the plan, with the rules that it needs.
 */
import { isRecord, TauError, type Tool, type ToolInput, textResult } from '@tau/core';
import { toolName } from '@tau/policy';
import { flag, optionalTexts, text } from '../input.ts';
import { todoLines } from '../todo.ts';

/** Rules that a plan asks for: what a yes to it allows for the session, and what stays as it is. */
export interface PlanRules {
  allowed: string[];
  ignored: string[];
}

/** What the tools need of whoever holds the permission mode. */
export interface PlanMode {
  active(): boolean;
  /** `tracking`: there is a todo list to keep. */
  enter(options?: { tracking?: boolean }): void;
  /** Back to the mode before it. */
  leave(): void;
  /** What becomes of these rules if the user says yes. */
  weigh(rules: readonly string[]): Promise<PlanRules>;
}

export function planEnterTool(plan: PlanMode): Tool {
  return {
    name: 'plan_enter',
    description: 'Go into plan mode: only reading is possible until the user has approved a plan (plan_exit).',
    snippet: 'plan first: read only until the user approves the plan',
    deferred: true,
    parameters: {
      type: 'object',
      properties: {
        reason: { type: 'string' },
        steps: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 500 } },
        enable_tracking: { type: 'boolean', description: 'the steps become the todo list (default)' },
      },
      additionalProperties: false,
    },
    prepare: ({ description, allowed_prompts: _, allowedPrompts: __, enableTracking, ...input }: ToolInput) => ({
      ...(description !== undefined && { reason: description }),
      ...(enableTracking !== undefined && { enable_tracking: enableTracking }),
      ...input,
    }),
    effects: () => [],
    async run(input) {
      const steps = optionalTexts(input, 'steps') ?? [];
      const tracking = steps.length > 0 && (input.enable_tracking === undefined || flag(input, 'enable_tracking'));
      const already = plan.active();
      plan.enter({ tracking });
      const words = already
        ? 'Plan mode is on already.'
        : 'Plan mode is on. Read what you need, then show the plan with plan_exit, and in allowed_prompts what it needs.';
      if (steps.length === 0) return textResult(words);
      if (!tracking) return textResult([words, ...steps.map((step) => `- ${step}`)].join('\n'), { steps });
      const todos = steps.map((task) => ({ task, status: 'pending' }));
      return textResult([words, 'The todo list:', ...todoLines(todos)].join('\n'), { steps, todos });
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
      properties: {
        plan: { type: 'string', minLength: 1, description: 'the whole plan, in Markdown' },
        allowed_prompts: {
          type: 'array',
          maxItems: 20,
          items: { type: 'string', maxLength: 300 },
          description: 'exact commands and files it needs: bash(npm test), edit(src/a.ts)',
        },
      },
      required: ['plan'],
      additionalProperties: false,
    },
    prepare: ({ allowedPrompts, allowed_prompts = allowedPrompts, ...input }: ToolInput) => ({
      ...input,
      ...(Array.isArray(allowed_prompts) && { allowed_prompts: allowed_prompts.map(asRule) }),
    }),
    // Outside plan mode there is nothing to approve, and the call fails.
    async effects(input) {
      if (!plan.active()) return [];
      await plan.weigh(optionalTexts(input, 'allowed_prompts') ?? []);
      return [{ kind: 'config', key: 'permissionMode' }];
    },
    async run(input) {
      const approved = text(input, 'plan');
      if (!plan.active()) {
        throw new TauError('usage', 'Not in plan mode', { remedy: 'There is nothing to leave: just carry on.' });
      }
      const { allowed, ignored } = await plan.weigh(optionalTexts(input, 'allowed_prompts') ?? []);
      plan.leave();
      const lines = [
        'The user approved the plan: carry it out.',
        ...(allowed.length > 0 ? [`Allowed for this session: ${allowed.join(', ')}.`] : []),
        ...(ignored.length > 0 ? [`Not allowed ahead, but asked about as usual: ${ignored.join(', ')}.`] : []),
      ];
      const rules = allowed.length + ignored.length > 0 && { allowed, ignored };
      return textResult(lines.join('\n'), { plan: approved, ...rules });
    },
  };
}

/** `{ tool: 'Bash', prompt: 'npm test' }`, as Claude Code sends it, or a rule: `bash(npm test)` either way. */
function asRule(given: unknown): unknown {
  if (typeof given === 'string') return given.trim().replace(/^[A-Za-z_]+(?=\()/, toolName);
  if (!isRecord(given) || typeof given.tool !== 'string') return given;
  const { tool, prompt } = given;
  return typeof prompt === 'string' ? `${toolName(tool)}(${prompt})` : toolName(tool);
}
