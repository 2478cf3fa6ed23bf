/**
 * Anthropic's cache markers on Chat Completions, for gateways that pass them on: on the last tool, on the system prompt
 * and on the last message with text. The last one moves from turn to turn; markers are no part of what is cached.
 */
import { isRecord } from '@tau/core';
import type { WireMessage } from './messages.ts';

const marker = { cache_control: { type: 'ephemeral' } };

export function markForCache(messages: WireMessage[], tools: WireMessage[]): void {
  const lastTool = tools.at(-1);
  if (lastTool) Object.assign(lastTool, marker);
  const system = messages.findIndex(({ role }) => role === 'system' || role === 'developer');
  const last = messages.findLastIndex(({ role, content }) => (role === 'user' || role === 'tool') && hasText(content));
  for (const at of new Set([system, last])) {
    const message = messages[at];
    if (message) messages[at] = marked(message);
  }
}

function hasText(content: unknown): boolean {
  return Array.isArray(content) ? content.some(isText) : typeof content === 'string' && content !== '';
}

function isText(part: unknown): boolean {
  return isRecord(part) && part.type === 'text';
}

function marked(message: WireMessage): WireMessage {
  const { content } = message;
  if (typeof content === 'string') return { ...message, content: [{ type: 'text', text: content, ...marker }] };
  if (!Array.isArray(content)) return message;
  const parts: unknown[] = content;
  const lastText = parts.findLastIndex(isText);
  return {
    ...message,
    content: parts.map((part, at) => (at === lastText && isRecord(part) ? { ...part, ...marker } : part)),
  };
}
