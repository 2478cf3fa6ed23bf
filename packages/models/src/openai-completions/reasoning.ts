/**
 * Reasoning, there and back. Text keeps the name of the field it came in as its signature. OpenRouter's
 * `reasoning_details` are kept whole as the signature of a thinking block without text, so that nothing of them is lost
 * and other readers of the session pass them over.
 */
import { type AssistantMessage, isRecord, type Model } from '@tau/core';
import type { Compat } from './compat.ts';

/** The fields in which servers send reasoning; the first that holds something counts, as some fill two. */
const usualFields = ['reasoning_content', 'reasoning', 'reasoning_text'];

export function reasoningNames({ reasoningField }: Compat): readonly string[] {
  return reasoningField === undefined ? usualFields : [reasoningField, ...usualFields];
}

/**
 * What goes back beside the content. Only to the provider it came from, and there to a model that reasons; sealed parts
 * only to the model that wrote them.
 */
export function reasoningFields(message: AssistantMessage, model: Model, compat: Compat): Record<string, unknown> {
  const required =
    compat.requiresReasoningContentOnAssistantMessages && model.reasoning === true ? { reasoning_content: '' } : {};
  if (!isOwn(message, model) || compat.requiresThinkingAsText || model.reasoning === false) return required;
  const details = message.model === model.id ? detailsOf(message) : undefined;
  if (details) return { reasoning_details: details };
  let field: string | undefined;
  let text = '';
  for (const block of message.content) {
    if (block.type !== 'thinking' || block.redacted) continue;
    field ??= block.thinkingSignature;
    text += block.thinking;
  }
  field ??= text === '' ? undefined : compat.reasoningField;
  // A signature from elsewhere must not become any field of the message.
  return field !== undefined && reasoningNames(compat).includes(field) ? { [field]: text } : required;
}

/** For servers that have no field for it. */
export function thoughtsAsText(message: AssistantMessage, model: Model, compat: Compat): string {
  if (!compat.requiresThinkingAsText || !isOwn(message, model)) return '';
  let text = '';
  for (const block of message.content) if (block.type === 'thinking' && block.thinking) text += `${block.thinking}\n\n`;
  return text;
}

function isOwn(message: AssistantMessage, model: Model): boolean {
  return message.provider === model.provider && message.api === 'openai-completions';
}

function detailsOf(message: AssistantMessage): unknown[] | undefined {
  for (const block of message.content) {
    if (block.type !== 'thinking' || !block.redacted || !block.thinkingSignature) continue;
    try {
      const details: unknown = JSON.parse(block.thinkingSignature);
      if (Array.isArray(details) && details.length > 0) return details;
    } catch {
      // Not ours: a seal of another kind says nothing here.
    }
  }
  return undefined;
}

/** The details of one message. So much is kept; a message with more has none, and its plain text goes back instead. */
const maxDetailChars = 16_000_000;

export interface Details {
  add(piece: unknown): void;
  /** What goes into the signature. */
  json(): string;
}

export function createDetails(): Details {
  const details: Record<string, unknown>[] = [];
  let size = 0;
  return {
    add(piece) {
      if (!isRecord(piece)) return;
      size += JSON.stringify(piece).length;
      if (size <= maxDetailChars) addDetail(details, piece);
      else details.length = 0;
    },
    json: () => JSON.stringify(details),
  };
}

/** The parts of a detail that arrive in pieces. */
const growing = ['text', 'summary', 'data'];

/** Puts a streamed piece to the detail it continues, or at the end. */
function addDetail(details: Record<string, unknown>[], piece: Record<string, unknown>): void {
  const open = details.findLast((detail) => detail.type === piece.type && detail.index === piece.index);
  if (!open || startsAnew(open, piece)) {
    details.push({ ...piece });
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    const before = open[name];
    if (growing.includes(name) && typeof value === 'string' && typeof before === 'string') open[name] = before + value;
    else if (value !== null && value !== undefined) open[name] = value;
  }
}

/** Without a number, another id is another detail, and what is sealed comes whole. */
function startsAnew(open: Record<string, unknown>, piece: Record<string, unknown>): boolean {
  if (typeof piece.index === 'number') return false;
  if (piece.type === 'reasoning.encrypted') return true;
  return Boolean(piece.id) && piece.id !== open.id;
}
