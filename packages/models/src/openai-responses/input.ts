/**
 * Our messages as the items of a Responses request. Ids and phases go back as they came, to the provider they came from,
 * and reasoning to the model that sealed it: no other can open it. The vendor holds to pairs (a call and its result, reasoning and what it led to) and refuses the whole
 * request over half a pair, so halves are left out.
 */
import {
  type AssistantMessage,
  isRecord,
  type Message,
  type Model,
  type ResultBlock,
  type TextBlock,
  type ToolCall,
  type ToolResultMessage,
  textOf,
} from '@tau/core';
import { alias } from '../alias.ts';
import { readTextSignature, splitCallId } from './signature.ts';

type Item = Record<string, unknown>;

export function inputItems(messages: readonly Message[], model: Model): Item[] {
  const answered = new Set(messages.flatMap((one) => (one.role === 'toolResult' ? [one.toolCallId] : [])));
  /** The calls that were sent, by our id. */
  const sent = new Map<string, string>();
  const items: Item[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'user': {
        const content = inputParts(message.content);
        if (content.length > 0) items.push({ role: 'user', content });
        break;
      }
      case 'assistant':
        items.push(...assistantItems(message, model, answered, sent));
        break;
      case 'toolResult': {
        const callId = sent.get(message.toolCallId);
        if (callId !== undefined)
          items.push({ type: 'function_call_output', call_id: callId, output: output(message) });
        break;
      }
    }
  }
  return items;
}

function inputParts(content: string | ResultBlock[]): Item[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'input_text', text: content }];
  return content.filter((block) => block.type !== 'text' || block.text !== '').map(inputPart);
}

function inputPart(block: ResultBlock): Item {
  return block.type === 'text'
    ? { type: 'input_text', text: block.text }
    : { type: 'input_image', detail: 'auto', image_url: `data:${block.mimeType};base64,${block.data}` };
}

function output(message: ToolResultMessage): string | Item[] {
  if (message.content.some((block) => block.type === 'image')) return inputParts(message.content);
  return textOf(message) || '(no text)';
}

function assistantItems(
  message: AssistantMessage,
  model: Model,
  answered: ReadonlySet<string>,
  sent: Map<string, string>,
): Item[] {
  const own = message.provider === model.provider && message.api === 'openai-responses';
  const reasons = model.reasoning !== false && message.model === model.id;
  const items: (Item | undefined)[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
        if (block.text !== '') items.push(messageItem(block, own));
        break;
      case 'thinking':
        // A model that does not reason takes none of it.
        if (own) items.push(reasons ? reasoningItem(block.thinkingSignature) : undefined);
        break;
      case 'toolCall': {
        const item = answered.has(block.id) ? callItem(block, message.api, own) : undefined;
        if (item) sent.set(block.id, item.call_id);
        items.push(item);
        break;
      }
    }
  }
  return paired(items);
}

function messageItem({ text, textSignature }: TextBlock, own: boolean): Item {
  const { id, phase } = own ? readTextSignature(textSignature) : {};
  const role = { role: 'assistant', ...(phase !== undefined && { phase }) };
  // What the vendor did not number is told in its short form: the long one asks for an id.
  if (id === undefined) return { type: 'message', ...role, content: text };
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id, status: 'completed', ...role, content };
}

function callItem(call: ToolCall, api: string, own: boolean): Item & { call_id: string } {
  // Every protocol of the family joins the two ids; elsewhere a bar is part of the id.
  const { callId, itemId } = api.endsWith('-responses') ? splitCallId(call.id) : { callId: call.id };
  return {
    type: 'function_call',
    ...(own && itemId !== undefined && { id: itemId }),
    call_id: alias(callId),
    name: alias(call.name),
    arguments: JSON.stringify(call.arguments),
  };
}

/** Exactly what came, or undefined when there is nothing in it that a vendor who kept nothing could use. */
function reasoningItem(signature: string | undefined): Item | undefined {
  if (!signature?.startsWith('{')) return undefined;
  try {
    const item: unknown = JSON.parse(signature);
    if (!isRecord(item) || item.type !== 'reasoning') return undefined;
    const hasContent = Array.isArray(item.content) && item.content.length > 0;
    return item.encrypted_content || hasContent ? item : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reasoning goes only with the item it led to, and that item has its id only with its reasoning: the vendor knows by the
 * ids what belongs together. `undefined` stands where something was left out.
 */
function paired(items: readonly (Item | undefined)[]): Item[] {
  const kept: Item[] = [];
  let reasoning: Item[] = [];
  let missing = false;
  let whole = true;
  for (const item of items) {
    if (item === undefined) {
      missing = true;
    } else if (item.type === 'reasoning') {
      reasoning.push(item);
    } else {
      if (missing || reasoning.length > 0) {
        whole = !missing && (item.id !== undefined || reasoning.every(({ id }) => id === undefined));
        if (whole) kept.push(...reasoning);
      }
      kept.push(whole ? item : withoutId(item));
      reasoning = [];
      missing = false;
    }
  }
  return kept;
}

function withoutId({ id: _, status: __, ...item }: Item): Item {
  const [part] = item.type === 'message' && Array.isArray(item.content) ? item.content : [];
  return isRecord(part) ? { ...item, content: part.text } : item;
}
