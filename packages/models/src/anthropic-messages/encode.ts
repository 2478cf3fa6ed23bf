/**
 * Our messages as Anthropic's. The body's keys are in cache order (what never changes first), and the cache marker is
 * the request-level one, so the bytes of a conversation stay the same from turn to turn.
 */
import type { AssistantMessage, Message, ModelRequest, ResultBlock, ToolResultMessage } from '@tau/core';

const defaultMaxTokens = 16_384;

type Block = Record<string, unknown>;
interface WireMessage {
  role: 'user' | 'assistant';
  content: string | Block[];
}

export function anthropicBody({ model, system, tools, messages }: ModelRequest): Record<string, unknown> {
  return {
    model: model.id,
    max_tokens: model.maxTokens ?? defaultMaxTokens,
    stream: true,
    cache_control: { type: 'ephemeral' },
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ name: tool.name, description: tool.description, input_schema: tool.parameters })),
    }),
    ...(system !== '' && { system }),
    messages: wireMessages(messages, model.provider),
  };
}

function wireMessages(messages: readonly Message[], provider: string): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        wire.push({ role: 'user', content: userContent(message.content) });
        break;
      case 'assistant': {
        const content = assistantContent(message, provider);
        if (content.length > 0) wire.push({ role: 'assistant', content });
        break;
      }
      case 'toolResult': {
        // All results of one assistant message belong in one user message.
        const last = wire.at(-1);
        if (last?.role === 'user' && Array.isArray(last.content) && last.content[0]?.type === 'tool_result') {
          last.content.push(toolResult(message));
        } else {
          wire.push({ role: 'user', content: [toolResult(message)] });
        }
        break;
      }
    }
  }
  return wire;
}

function userContent(content: string | ResultBlock[]): string | Block[] {
  return typeof content === 'string' ? content : content.filter(isNotEmpty).map(resultBlock);
}

function isNotEmpty(block: ResultBlock): boolean {
  return block.type !== 'text' || block.text !== '';
}

function resultBlock(block: ResultBlock): Block {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } };
}

/** Thinking goes back only to the provider that signed it; to any other it would be an invalid signature. */
function assistantContent(message: AssistantMessage, provider: string): Block[] {
  const own = message.provider === provider && message.api === 'anthropic-messages';
  const blocks: Block[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
        if (block.text.trim() !== '') blocks.push({ type: 'text', text: block.text });
        break;
      case 'thinking':
        if (!own || !block.thinkingSignature) break;
        blocks.push(
          block.redacted
            ? { type: 'redacted_thinking', data: block.thinkingSignature }
            : { type: 'thinking', thinking: block.thinking, signature: block.thinkingSignature },
        );
        break;
      case 'toolCall':
        blocks.push({ type: 'tool_use', id: wireId(block.id), name: block.name, input: block.arguments });
        break;
    }
  }
  return blocks.some(({ type }) => type === 'text' || type === 'tool_use') ? blocks : [];
}

function toolResult(message: ToolResultMessage): Block {
  return {
    type: 'tool_result',
    tool_use_id: wireId(message.toolCallId),
    content: message.content.filter(isNotEmpty).map(resultBlock),
    ...(message.isError && { is_error: true }),
  };
}

/** Anthropic takes letters, digits, `_` and `-`; other vendors' ids may hold more. */
function wireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}
