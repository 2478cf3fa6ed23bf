/** Our request as Gemini's. The body's keys are in cache order: what never changes first, the conversation last. */
import type { ModelRequest, ToolSpec } from '@tau/core';
import { fitted } from '../fit.ts';
import { sampling } from '../sampling.ts';
import { wireName } from './call.ts';
import { wireContents } from './contents.ts';
import { takesInput, wireSchema } from './schema.ts';
import { thinkingConfig, thinksBy } from './thinking.ts';

type Fields = Record<string, unknown>;

export function googleBody(asked: ModelRequest): Fields {
  const request = fitted(asked);
  const { model, messages, tools, toolChoice } = request;
  const system = systemParts(request);
  const generationConfig = generation(request);
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(declaration) }] }),
    ...(tools.length > 0 && toolChoice !== undefined && { toolConfig: { functionCallingConfig: calling(toolChoice) } }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    contents: wireContents(messages, model),
  };
}

function systemParts(request: ModelRequest): { text: string }[] {
  const { system, answer } = request;
  const told = answer && !takesAnswerSchema(request);
  return [
    ...(system === '' ? [] : [{ text: system }]),
    ...(told ? [{ text: `Answer with JSON alone that fits this schema: ${JSON.stringify(answer.schema)}` }] : []),
  ];
}

/** Before Gemini 3 an answer bound to a schema and tools exclude each other; then the schema is told in words. */
function takesAnswerSchema({ model, tools }: ModelRequest): boolean {
  return tools.length === 0 || thinksBy(model) === 'level';
}

function declaration({ name, description, parameters }: ToolSpec): Fields {
  return {
    name: wireName(name),
    description,
    ...(takesInput(parameters) && { parametersJsonSchema: wireSchema({ type: 'object', ...parameters }) }),
  };
}

function calling(choice: NonNullable<ModelRequest['toolChoice']>): Fields {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [wireName(choice.tool)] };
  switch (choice) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
  }
}

function generation(request: ModelRequest): Fields {
  const { model, maxTokens, answer } = request;
  const limits = [model.maxTokens, maxTokens].filter((limit) => limit !== undefined);
  const thinking = thinkingConfig(request);
  return {
    ...(limits.length > 0 && { maxOutputTokens: Math.min(...limits) }),
    ...sampling(request, 'topP'),
    ...(answer &&
      takesAnswerSchema(request) && {
        responseMimeType: 'application/json',
        responseJsonSchema: wireSchema(answer.schema),
      }),
    ...(thinking && { thinkingConfig: thinking }),
  };
}
