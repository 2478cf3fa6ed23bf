/**
 * A request as the Responses API takes it. Nothing is kept at the vendor, so what it must remember (its reasoning) is
 * asked for in encrypted form and goes back with the conversation. Keys are in cache order, as for every protocol.
 */
import type { Model, ModelRequest, ThinkingLevel } from '@tau/core';
import { alias } from '../alias.ts';
import { openaiEfforts } from '../compat/efforts.ts';
import { fitted } from '../fit.ts';
import { takenLevel } from '../levels.ts';
import { sampling } from '../sampling.ts';
import type { Compat } from './compat.ts';
import { inputItems } from './input.ts';

export function responsesBody(request: ModelRequest, { login, strictTools: strict }: Compat): Record<string, unknown> {
  const { model, system, tools, thinking, toolChoice, answer, cacheKey, messages } = fitted(request);
  const limits = [request.maxTokens, model.maxTokens].filter((limit) => limit !== undefined);
  // The backend behind a login refuses a limit.
  const maxTokens = login || limits.length === 0 ? undefined : Math.min(...limits);
  return {
    model: model.id,
    stream: true,
    store: false,
    ...(mayReason(model) && { include: ['reasoning.encrypted_content'] }),
    ...(cacheKey !== undefined && { prompt_cache_key: alias(cacheKey) }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...sampling(request),
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
    input: inputItems(messages, model),
  };
}

/** Families from before reasoning refuse to seal any; of a model that nobody knows it is asked. */
function mayReason({ id, reasoning }: Model): boolean {
  return reasoning ?? !/\bgpt-[34]|\bchat-latest\b/.test(id);
}

/**
 * `off` is the least the model takes: nothing at all where it is known to take that, else the least of its family.
 * `max` is `xhigh` only where the model is known to take more than `high`.
 */
function effortOf(level: ThinkingLevel, model: Model): string {
  const words = openaiEfforts(model.id);
  const taken = takenLevel(level, model);
  switch (taken) {
    case 'off':
      return model.thinkingLevels ? 'none' : (words.off ?? 'low');
    case 'max':
      return model.thinkingLevels ? 'xhigh' : (words.max ?? 'high');
    default:
      return words[taken] ?? taken;
  }
}

function wireChoice(choice: NonNullable<ModelRequest['toolChoice']>): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', name: alias(choice.tool) };
}
