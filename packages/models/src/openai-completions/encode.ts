/** Our messages as Chat Completions'. Keys are in cache order, as for every protocol. */
import {
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type ModelRequest,
  type ResultBlock,
  textOf,
  toolCallsOf,
} from '@tau/core';

type WireMessage = Record<string, unknown>;

export function completionsBody({ model, system, tools, messages }: ModelRequest): Record<string, unknown> {
  return {
    model: model.id,
    stream: true,
    stream_options: { include_usage: true },
    ...(model.maxTokens !== undefined && {
      [model.provider === 'openai' ? 'max_completion_tokens' : 'max_tokens']: model.maxTokens,
    }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...wireMessages(messages, model.provider),
    ],
  };
}

function wireMessages(messages: readonly Message[], provider: string): WireMessage[] {
  const wire: WireMessage[] = [];
  // A tool message takes text only; its images follow once the run of results is complete.
  let pending: ImageBlock[] = [];
  const flush = () => {
    if (pending.length > 0) wire.push({ role: 'user', content: pending.map(contentPart) });
    pending = [];
  };
  for (const message of messages) {
    if (message.role !== 'toolResult') flush();
    switch (message.role) {
      case 'user':
        wire.push({
          role: 'user',
          content: typeof message.content === 'string' ? message.content : message.content.map(contentPart),
        });
        break;
      case 'assistant': {
        const assistant = assistantMessage(message, provider);
        if (assistant) wire.push(assistant);
        break;
      }
      case 'toolResult':
        wire.push({ role: 'tool', tool_call_id: message.toolCallId, content: textOf(message) || '(no text)' });
        pending.push(...message.content.filter((block) => block.type === 'image'));
        break;
    }
  }
  flush();
  return wire;
}

function contentPart(block: ResultBlock): WireMessage {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } };
}

function assistantMessage(message: AssistantMessage, provider: string): WireMessage | undefined {
  const text = textOf(message);
  const calls = toolCallsOf(message);
  if (text === '' && calls.length === 0) return undefined;
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...reasoning(message, provider),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      })),
    }),
  };
}

/** Reasoning goes back under the field it came in, named by the signature, and only to its own provider. */
function reasoning(message: AssistantMessage, provider: string): WireMessage {
  if (message.provider !== provider || message.api !== 'openai-completions') return {};
  const blocks = message.content.filter((block) => block.type === 'thinking');
  const fieldName = blocks[0]?.thinkingSignature;
  return fieldName ? { [fieldName]: blocks.map((block) => block.thinking).join('') } : {};
}
