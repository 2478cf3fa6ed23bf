/** The protocols there are. They are imported outright: small lazy parts cost a start more than they save (decision 0003). */
import type { ApiName } from '@tau/core';
import { anthropicMessages } from './anthropic-messages/protocol.ts';
import { openaiCompletions } from './openai-completions/protocol.ts';
import type { Protocol } from './protocol.ts';

const protocols = new Map<ApiName, Protocol>([
  ['anthropic-messages', anthropicMessages],
  ['openai-completions', openaiCompletions],
]);

export const knownApis: readonly ApiName[] = [...protocols.keys()];

export function findProtocol(api: ApiName): Protocol | undefined {
  return protocols.get(api);
}
