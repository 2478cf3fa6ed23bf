/**
 * A request as Anthropic takes it. The body's keys are in cache order (what never changes first, the messages last), so
 * the bytes of a conversation stay the same from turn to turn.
 *
 * Three cache markers of four: the request-level one, which the vendor moves along with the last message without a byte
 * of ours changing; one on the last tool and one on the system prompt, because a marker finds only what was written at a
 * marker. The tools are the same for every conversation, the prompt for every one of a day and folder, and both stay
 * readable after a turn of more than the twenty blocks that the vendor looks back.
 */
import type { ModelRequest, ToolSpec } from '@tau/core';
import { alias } from '../alias.ts';
import { fitTools } from '../fit.ts';
import { sampling } from '../sampling.ts';
import type { Compat } from './compat.ts';
import type { Habits } from './habits.ts';
import { type Block, isUnthought, wireMessages } from './messages.ts';
import { answerSchema } from './schema.ts';
import { thinkingOf } from './thinking.ts';

const defaultMaxTokens = 16_384;
const marker = { cache_control: { type: 'ephemeral' } };

export function anthropicBody(request: ModelRequest, habits: Habits, compat: Compat): Record<string, unknown> {
  const { model, system } = request;
  const tools = wireTools(fitTools(request), compat);
  const maxTokens = maxTokensOf(request);
  const messages = wireMessages(request);
  const choice = tools.length === 0 ? undefined : toolChoice(request, habits);
  const forced = choice?.type === 'any' || choice?.type === 'tool';
  const now = { maxTokens, forced, unthoughtCall: isUnthought(messages) };
  const { thinking, effort } = thinkingOf(request, habits, compat, now);
  const output = outputConfig(request, effort);
  return {
    model: model.id,
    max_tokens: maxTokens,
    stream: true,
    ...sampling(request),
    ...(compat.cache && marker),
    ...(thinking && { thinking }),
    ...(output && { output_config: output }),
    ...(choice && { tool_choice: choice }),
    ...(tools.length > 0 && { tools }),
    ...(system !== '' && { system: compat.cache ? [{ type: 'text', text: system, ...marker }] : system }),
    messages,
  };
}

function maxTokensOf({ model, maxTokens }: ModelRequest): number {
  const limit = model.maxTokens ?? maxTokens ?? defaultMaxTokens;
  return Math.min(maxTokens ?? limit, limit);
}

function wireTools(tools: readonly ToolSpec[], compat: Compat): Block[] {
  const marked = compat.cache && compat.supportsCacheControlOnTools;
  return tools.map(({ name, description, parameters }, at) => ({
    name: alias(name),
    description,
    input_schema: parameters,
    ...(marked && at === tools.length - 1 && marker),
  }));
}

/** A model that takes no demand is offered the tools: the caller sees from the answer whether one was called. */
function toolChoice({ toolChoice: choice }: ModelRequest, { takesToolChoice }: Habits): Block | undefined {
  if (choice === undefined) return undefined;
  if (choice === 'auto' || choice === 'none') return { type: choice };
  if (!takesToolChoice) return { type: 'auto' };
  return choice === 'required' ? { type: 'any' } : { type: 'tool', name: alias(choice.tool) };
}

function outputConfig({ answer }: ModelRequest, effort: string | undefined): Block | undefined {
  if (!answer && effort === undefined) return undefined;
  return {
    ...(effort !== undefined && { effort }),
    ...(answer && { format: { type: 'json_schema', schema: answerSchema(answer.schema) } }),
  };
}
