/** The protocols there are. They are imported outright: small lazy parts cost a start more than they save (decision 0003). */
import type { ApiName } from '@tau/core';
import { anthropicMessages } from './anthropic-messages/protocol.ts';
import { googleGenerativeAi } from './google-generative-ai/protocol.ts';
import { openaiCompletions } from './openai-completions/protocol.ts';
import { openaiResponses } from './openai-responses/protocol.ts';
import type { Protocol } from './protocol.ts';

const protocols = new Map<ApiName, Protocol>([
  ['anthropic-messages', anthropicMessages],
  ['openai-completions', openaiCompletions],
  ['openai-responses', openaiResponses],
  ['google-generative-ai', googleGenerativeAi],
]);

export const knownApis: readonly ApiName[] = [...protocols.keys()];

export function findProtocol(api: ApiName): Protocol | undefined {
  return protocols.get(api);
}
