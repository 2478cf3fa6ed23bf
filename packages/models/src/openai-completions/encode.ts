/** A request as Chat Completions takes it. Keys are in cache order, what never changes first and the messages last. */
import type { ModelRequest, ToolSpec } from '@tau/core';
import { alias } from '../alias.ts';
import { fitTools } from '../fit.ts';
import { sampling } from '../sampling.ts';
import { markForCache } from './cache.ts';
import type { Compat } from './compat.ts';
import { type WireMessage, wireMessages } from './messages.ts';
import { isStrict } from './schema.ts';
import { thinkingFields } from './thinking.ts';

export function completionsBody(request: ModelRequest, compat: Compat): Record<string, unknown> {
  const { model, cacheKey } = request;
  const tools = fitTools(request).map((tool) => wireTool(tool, compat));
  const maxTokens = smallest(request.maxTokens, model.maxTokens);
  const system = systemText(request, compat);
  const role = compat.supportsDeveloperRole && model.reasoning === true ? 'developer' : 'system';
  const messages = [...(system === '' ? [] : [{ role, content: system }]), ...wireMessages(request, compat)];
  if (compat.cacheControlFormat === 'anthropic') markForCache(messages, tools);
  return {
    model: model.id,
    stream: true,
    ...(compat.supportsUsageInStreaming && { stream_options: { include_usage: true } }),
    ...(compat.supportsStore && { store: false }),
    ...(maxTokens !== undefined && { [compat.maxTokensField]: maxTokens }),
    ...sampling(request),
    ...thinkingFields(request, compat),
    ...routing(compat),
    ...(compat.supportsCacheKey && cacheKey !== undefined && { prompt_cache_key: cacheKey }),
    ...(tools.length > 0 && { tools, ...toolChoice(request, compat) }),
    ...(tools.length > 0 && compat.zaiToolStream && { tool_stream: true }),
    ...answerFormat(request, compat),
    messages,
  };
}

function smallest(asked: number | undefined, limit: number | undefined): number | undefined {
  return asked === undefined || limit === undefined ? (asked ?? limit) : Math.min(asked, limit);
}

function wireTool({ name, description, parameters }: ToolSpec, compat: Compat): WireMessage {
  const strict = compat.strictTools && compat.supportsStrictMode && isStrict(parameters);
  return {
    type: 'function',
    function: { name: alias(name), description, parameters, ...(strict && { strict: true }) },
  };
}

function toolChoice({ toolChoice: choice }: ModelRequest, compat: Compat): WireMessage {
  if (choice === undefined || !compat.supportsToolChoice) return {};
  return {
    tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: alias(choice.tool) } },
  };
}

function answerFormat({ answer }: ModelRequest, compat: Compat): WireMessage {
  if (!answer) return {};
  if (!compat.supportsJsonSchema) return { response_format: { type: 'json_object' } };
  const { schema } = answer;
  const strict = compat.supportsStrictMode && isStrict(schema);
  const named = { name: alias(answer.name), schema, ...(strict && { strict: true }) };
  return { response_format: { type: 'json_schema', json_schema: named } };
}

/** A server that takes no schema is told it in words; some refuse a JSON answer that the prompt does not speak of. */
function systemText({ system, answer }: ModelRequest, compat: Compat): string {
  if (!answer || compat.supportsJsonSchema) return system;
  const demand = `Answer with one JSON object that fits this JSON schema, and nothing else: ${JSON.stringify(answer.schema)}`;
  return system === '' ? demand : `${system}\n\n${demand}`;
}

/** Which servers behind a gateway may answer, in the gateway's own words. */
function routing({ openRouterRouting, vercelGatewayRouting }: Compat): WireMessage {
  return {
    ...(openRouterRouting && { provider: openRouterRouting }),
    ...(vercelGatewayRouting && { providerOptions: { gateway: vercelGatewayRouting } }),
  };
}
