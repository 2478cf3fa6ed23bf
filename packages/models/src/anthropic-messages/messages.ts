/** Our messages as Anthropic's. The same ones become the same bytes in every request of a conversation. */
import type { AssistantMessage, ModelRequest, ResultBlock, ToolResultMessage } from '@tau/core';
import { alias } from '../alias.ts';
import { fitMessages } from '../fit.ts';

export type Block = Record<string, unknown>;
interface WireMessage {
  role: 'user' | 'assistant';
  content: string | Block[];
}

export function wireMessages(request: ModelRequest): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of fitMessages(request)) {
    switch (message.role) {
      case 'user': {
        const content = userContent(message.content);
        if (content.length > 0) wire.push({ role: 'user', content });
        break;
      }
      case 'assistant': {
        const content = assistantContent(message, request.model.provider);
        if (content.length > 0) wire.push({ role: 'assistant', content });
        break;
      }
      case 'toolResult': {
        // All results of one assistant message belong in one user message, and nothing before them.
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

/** The newest message of the model calls tools without a thought before them. */
export function isUnthought(messages: readonly WireMessage[]): boolean {
  const content = messages.findLast(({ role }) => role === 'assistant')?.content;
  if (!Array.isArray(content) || !content.some(({ type }) => type === 'tool_use')) return false;
  return content[0]?.type !== 'thinking' && content[0]?.type !== 'redacted_thinking';
}

/** What is blank is left out: the vendor refuses it. */
function userContent(content: string | ResultBlock[]): string | Block[] {
  if (typeof content !== 'string') return content.filter(isNotBlank).map(resultBlock);
  return content.trim() === '' ? [] : content;
}

function isNotBlank(block: ResultBlock): boolean {
  return block.type !== 'text' || block.text.trim() !== '';
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
        blocks.push({ type: 'tool_use', id: alias(block.id), name: alias(block.name), input: block.arguments });
        break;
    }
  }
  return blocks.some(({ type }) => type === 'text' || type === 'tool_use') ? blocks : [];
}

function toolResult(message: ToolResultMessage): Block {
  return {
    type: 'tool_result',
    tool_use_id: alias(message.toolCallId),
    content: message.content.filter(isNotBlank).map(resultBlock),
    ...(message.isError && { is_error: true }),
  };
}
