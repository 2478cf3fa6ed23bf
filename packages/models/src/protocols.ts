/** The protocols there are. Each is loaded when first used, so that a run pays for one. */
import type { ApiName } from '@tau/core';
import type { Protocol } from './protocol.ts';

export async function loadProtocol(api: ApiName): Promise<Protocol | undefined> {
  switch (api) {
    case 'anthropic-messages':
      return (await import('./anthropic-messages/protocol.ts')).anthropicMessages;
    case 'openai-completions':
      return (await import('./openai-completions/protocol.ts')).openaiCompletions;
    default:
      return undefined;
  }
}

export const knownApis: readonly ApiName[] = ['anthropic-messages', 'openai-completions'];
