/** A line of stdin in stream-json: what a client may say, parsed once. */
import {
  type Answer,
  type ApprovalWindow,
  approvalWords,
  describeError,
  grantScopes,
  isRecord,
  parseApproval,
  type Reply,
} from '@tau/agent';
import type { Attachments } from './prompts.ts';

export type Incoming =
  | { type: 'message'; text: string; images: Attachments; deliverAs: 'steer' | 'followUp' }
  | { type: 'interrupt' }
  | { type: 'clear_queue' }
  | { type: 'permission_response'; id: string; answer: Answer }
  | { type: 'question_response'; id: string; reply: Reply }
  | { type: 'approve'; window: ApprovalWindow };

const types = 'message, interrupt, clear_queue, permission_response, question_response, approve';

export function parseIncoming(line: string): Incoming | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { problem: `it is no JSON: ${describeError(error)}` };
  }
  if (!isRecord(value)) return { problem: 'it is no JSON object' };
  switch (value.type) {
    case 'message':
      return messageOf(value);
    case 'interrupt':
    case 'clear_queue':
      return { type: value.type };
    case 'permission_response':
      return permissionOf(value);
    case 'question_response':
      return questionOf(value);
    case 'approve':
      return approveOf(value);
    default:
      return { problem: `"type" must be one of ${types}` };
  }
}

type Fields = Record<string, unknown>;

function messageOf({ content, deliverAs = 'followUp' }: Fields): Incoming | { problem: string } {
  if (deliverAs !== 'steer' && deliverAs !== 'followUp') return { problem: '"deliverAs" must be steer or followUp' };
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (!Array.isArray(blocks)) return { problem: '"content" must be a text or a list of blocks' };
  const texts: string[] = [];
  const images: Attachments = [];
  for (const block of blocks) {
    if (!isRecord(block)) return { problem: 'a block must be an object' };
    const { type, text, data, mimeType } = block;
    if (type === 'text' && typeof text === 'string') texts.push(text);
    else if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') {
      images.push({ type, data, mimeType });
    } else return { problem: 'a block must be {type: text, text} or {type: image, data, mimeType}' };
  }
  const text = texts.join('\n\n');
  return text.trim() === '' ? { problem: 'the message says nothing' } : { type: 'message', text, images, deliverAs };
}

function permissionOf({ id, outcome, feedback, scope = 'once' }: Fields): Incoming | { problem: string } {
  if (typeof id !== 'string') return { problem: '"id" must be that of a permission_request' };
  if (feedback !== undefined && typeof feedback !== 'string') return { problem: '"feedback" must be a text' };
  const held = grantScopes.find((one) => one === scope);
  if (held === undefined) return { problem: `"scope" must be one of ${grantScopes.join(', ')}` };
  if (outcome === 'allow') return { type: 'permission_response', id, answer: { outcome, scope: held } };
  if (outcome !== 'deny') return { problem: '"outcome" must be allow or deny' };
  const answer = { outcome, ...(feedback !== undefined && { feedback }) } as const;
  return { type: 'permission_response', id, answer };
}

function approveOf({ value }: Fields): Incoming | { problem: string } {
  const window = typeof value === 'string' ? parseApproval(value) : undefined;
  return window === undefined ? { problem: `"value" must be ${approvalWords}` } : { type: 'approve', window };
}

function questionOf({ id, answers, declined }: Fields): Incoming | { problem: string } {
  if (typeof id !== 'string') return { problem: '"id" must be that of a question_request' };
  if (declined === true) return { type: 'question_response', id, reply: { declined } };
  if (!Array.isArray(answers) || answers.length === 0 || !answers.every((one) => typeof one === 'string')) {
    return { problem: '"answers" must be a list of texts, or "declined" true' };
  }
  return { type: 'question_response', id, reply: { answers } };
}
