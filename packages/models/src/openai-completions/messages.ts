/** Our messages as Chat Completions'. The same ones become the same bytes in every request of a conversation. */
import {
  type AssistantMessage,
  type ImageBlock,
  type ModelRequest,
  type ResultBlock,
  textOf,
  toolCallsOf,
} from '@tau/core';
import { alias } from '../alias.ts';
import { fitMessages } from '../fit.ts';
import type { Compat } from './compat.ts';
import { toolIds } from './ids.ts';
import { reasoningFields, thoughtsAsText } from './reasoning.ts';

export type WireMessage = Record<string, unknown>;

/** What stands in the model's place where a server wants it to speak between results and the user. */
const bridge: WireMessage = { role: 'assistant', content: 'I have read the results.' };

export function wireMessages(request: ModelRequest, compat: Compat): WireMessage[] {
  const wire: WireMessage[] = [];
  const wireId = toolIds(compat);
  // A tool message takes text only; its images follow once the run of results is complete.
  let pending: ImageBlock[] = [];
  const user = (content: unknown) => {
    if (compat.requiresAssistantAfterToolResult && wire.at(-1)?.role === 'tool') wire.push(bridge);
    wire.push({ role: 'user', content });
  };
  const flush = () => {
    if (pending.length > 0) user(pending.map(contentPart));
    pending = [];
  };
  for (const message of fitMessages(request)) {
    if (message.role !== 'toolResult') flush();
    switch (message.role) {
      case 'user': {
        const content = userContent(message.content);
        if (content.length > 0) user(content);
        break;
      }
      case 'assistant': {
        const assistant = assistantMessage(message, request, compat, wireId);
        if (assistant) wire.push(assistant);
        break;
      }
      case 'toolResult':
        wire.push({
          role: 'tool',
          tool_call_id: wireId(message.toolCallId),
          ...(compat.requiresToolResultName && { name: alias(message.toolName) }),
          content: textOf(message) || '(no text)',
        });
        pending.push(...message.content.filter((block) => block.type === 'image'));
        break;
    }
  }
  flush();
  return wire;
}

/** Text alone goes as text: not every server reads parts. */
function userContent(content: string | ResultBlock[]): string | WireMessage[] {
  if (typeof content === 'string') return content;
  const said = content.filter((block) => block.type !== 'text' || block.text !== '');
  const [only] = said;
  return said.length === 1 && only?.type === 'text' ? only.text : said.map(contentPart);
}

function contentPart(block: ResultBlock): WireMessage {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } };
}

function assistantMessage(
  message: AssistantMessage,
  { model }: ModelRequest,
  compat: Compat,
  wireId: (id: string) => string,
): WireMessage | undefined {
  const text = thoughtsAsText(message, model, compat) + textOf(message);
  const calls = toolCallsOf(message);
  if (text === '' && calls.length === 0) return undefined;
  return {
    role: 'assistant',
    ...(text === '' ? emptyContent(compat) : { content: text }),
    ...reasoningFields(message, model, compat),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: wireId(call.id),
        type: 'function',
        function: { name: alias(call.name), arguments: JSON.stringify(call.arguments) },
      })),
    }),
  };
}

function emptyContent(compat: Compat): WireMessage {
  switch (compat.emptyContent) {
    case 'null':
      return { content: null };
    case 'string':
      return { content: '' };
    case 'omit':
      return {};
  }
}
