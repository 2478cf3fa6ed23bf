/** How much to think, in each vendor's words. Nothing is said when no level was asked for: the vendor's default holds. */
import type { ModelRequest, ThinkingLevel } from '@tau/core';
import { takenLevel } from '../levels.ts';
import type { Compat } from './compat.ts';

export function thinkingFields(request: ModelRequest, compat: Compat): Record<string, unknown> {
  const { model } = request;
  if (request.thinking === undefined || model.reasoning === false) return {};
  const thinking = takenLevel(request.thinking, model);
  const on = thinking !== 'off';
  const effort = effortOf(thinking, compat);
  const named = effort !== undefined && compat.supportsReasoningEffort ? { reasoning_effort: effort } : {};
  switch (compat.thinkingFormat) {
    case 'openai':
      return named;
    case 'openrouter':
      return effort === undefined ? {} : { reasoning: { effort } };
    case 'deepseek':
    case 'zai':
      return { thinking: { type: on ? 'enabled' : 'disabled' }, ...(on && named) };
    case 'together':
      return { reasoning: { enabled: on }, ...(on && named) };
    case 'qwen':
      return { enable_thinking: on };
    case 'qwen-chat-template':
      return { chat_template_kwargs: { enable_thinking: on } };
    case 'none':
      return {};
  }
}

/** The vendor's word for a level; nothing where it has none. */
function effortOf(level: ThinkingLevel, { reasoningEffortMap }: Compat): string | undefined {
  const mapped = reasoningEffortMap[level];
  if (mapped !== undefined) return mapped ?? undefined;
  return level === 'off' ? undefined : level;
}
