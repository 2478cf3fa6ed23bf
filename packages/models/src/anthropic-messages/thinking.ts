/** How much to think, in the words of the model that is asked. Absent fields leave it to the model. */
import type { ModelRequest, ThinkingLevel } from '@tau/core';
import { takenLevel } from '../levels.ts';
import type { Compat } from './compat.ts';
import type { Habits } from './habits.ts';

interface Thinking {
  thinking?: Record<string, unknown>;
  effort?: string;
}

const budgets = { minimal: 1024, low: 4096, medium: 10_240, high: 20_480, max: 32_768 } as const;
/** Less is refused. */
const minBudget = 1024;

/** What the rest of the request means for thinking. */
interface Circumstances {
  maxTokens: number;
  /** A tool is demanded: no model may think before that. */
  forced: boolean;
  /** The call that is being answered was made without a thought, or its thought is another's. */
  unthoughtCall: boolean;
}

export function thinkingOf(request: ModelRequest, habits: Habits, compat: Compat, now: Circumstances): Thinking {
  const { model } = request;
  if (model.reasoning === false || habits.thinking === 'none') return {};
  const level = now.forced ? 'off' : request.thinking;
  if (level === undefined) return habits.thinksUnasked ? { thinking: adaptiveThinking(habits, compat) } : {};
  if (level === 'off') return noThinking(habits, compat);
  if (habits.thinking === 'adaptive') {
    const taken = takenLevel(level, model);
    if (taken === 'off') return noThinking(habits, compat);
    return { thinking: adaptiveThinking(habits, compat), ...effortOf(taken, compat) };
  }
  // At least a quarter is left for the answer.
  const budget = Math.min(budgets[level], Math.floor((now.maxTokens * 3) / 4));
  if (budget < minBudget || now.unthoughtCall) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/**
 * The newer models bind a thought to everything before it. After a compaction, with other tools or another day in the
 * system prompt, it no longer fits, and the request would be refused: it is dropped instead.
 */
function adaptiveThinking({ takesDisplay, bindsThinking }: Habits, compat: Compat): Record<string, unknown> {
  return {
    type: 'adaptive',
    ...(takesDisplay && { display: 'summarized' }),
    ...(bindsThinking && compat.bindingControls && { block_binding: { prefix_mismatch_behavior: 'drop_block' } }),
  };
}

function noThinking(habits: Habits, compat: Compat): Thinking {
  switch (habits.off) {
    case 'absent':
      return {};
    case 'disabled':
    case 'between_tools':
      return { thinking: { type: habits.off } };
    case 'never':
      return { thinking: adaptiveThinking(habits, compat), effort: 'low' };
  }
}

function effortOf(level: Exclude<ThinkingLevel, 'off'>, { reasoningEffortMap }: Compat): { effort?: string } {
  const effort = reasoningEffortMap[level] ?? (level === 'minimal' ? 'low' : level);
  return reasoningEffortMap[level] === null ? {} : { effort };
}
