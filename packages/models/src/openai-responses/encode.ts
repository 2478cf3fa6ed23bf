/**
 * A request as the Responses API takes it. Nothing is kept at the vendor, so what it must remember (its reasoning) is
 * asked for in encrypted form and goes back with the conversation. Keys are in cache order, as for every protocol.
 */
import type { Model, ModelRequest, ThinkingLevel } from '@tau/core';
import { alias } from '../alias.ts';
import { inputItems } from './input.ts';

export function responsesBody(request: ModelRequest): Record<string, unknown> {
  const { model, system, tools, thinking, toolChoice, answer, cacheKey } = request;
  const strict = model.compat?.strictTools === true;
  // The backend behind a login refuses a limit.
  const maxTokens = model.compat?.login === true ? undefined : (request.maxTokens ?? model.maxTokens);
  return {
    model: model.id,
    stream: true,
    store: false,
    ...(model.reasoning !== false && { include: ['reasoning.encrypted_content'] }),
    ...(cacheKey !== undefined && { prompt_cache_key: alias(cacheKey) }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name: alias(name),
        description,
        parameters,
        strict,
      })),
    }),
    ...(system !== '' && { instructions: system }),
    ...(thinking !== undefined &&
      model.reasoning !== false && { reasoning: { effort: effortOf(thinking, model), summary: 'auto' } }),
    ...(toolChoice !== undefined && tools.length > 0 && { tool_choice: wireChoice(toolChoice) }),
    ...(answer !== undefined && {
      text: { format: { type: 'json_schema', name: alias(answer.name), schema: answer.schema, strict } },
    }),
    input: inputItems(request),
  };
}

/**
 * `off` is the least the model takes: nothing at all where it is known to take that, else the first level it lists,
 * else `minimal`. `max` is `xhigh` only where the model is known to take more than `high`.
 */
function effortOf(level: ThinkingLevel, { thinkingLevels = [] }: Model): string {
  switch (level) {
    case 'off': {
      if (thinkingLevels.includes('off')) return 'none';
      return (['minimal', 'low', 'medium', 'high'] as const).find((one) => thinkingLevels.includes(one)) ?? 'minimal';
    }
    case 'max':
      return thinkingLevels.includes('max') ? 'xhigh' : 'high';
    default:
      return level;
  }
}

function wireChoice(choice: NonNullable<ModelRequest['toolChoice']>): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', name: alias(choice.tool) };
}
