/** Messages for tests of what is sent: short ways to say who said what. */
import type { AssistantBlock, AssistantMessage, ImageBlock, ResultBlock, ToolCall, ToolResultMessage } from '@tau/core';
import { emptyUsage } from '@tau/core';

export const png: ImageBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' };

export function call(id: string, name: string, input: Record<string, unknown> = {}): ToolCall {
  return { type: 'toolCall', id, name, arguments: input };
}

export function text(said: string) {
  return { type: 'text' as const, text: said };
}

export function thought(thinking: string, thinkingSignature?: string) {
  return { type: 'thinking' as const, thinking, ...(thinkingSignature && { thinkingSignature }) };
}

/** By default of the model that tests ask, and of no other. */
export function said(
  from: { api: string; provider: string; model?: string },
  ...content: AssistantBlock[]
): AssistantMessage {
  const { api, provider, model = 'model-1' } = from;
  return {
    role: 'assistant',
    content,
    api,
    provider,
    model,
    usage: emptyUsage(),
    stopReason: 'stop',
    timestamp: 2,
  };
}

export function result(toolCallId: string, content: ResultBlock[], isError = false): ToolResultMessage {
  return { role: 'toolResult', toolCallId, toolName: 'any', content, isError, timestamp: 3 };
}
