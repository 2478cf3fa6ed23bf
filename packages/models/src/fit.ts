/**
 * The conversation as a model can take it, for any protocol: images in words for one that does not see, tool history in
 * words for one without tools, and no result without the call it answers, which every vendor refuses.
 */
import {
  type AssistantMessage,
  type Message,
  type ModelRequest,
  type ResultBlock,
  type ToolResultMessage,
  type ToolSpec,
  textOf,
  toolCallsOf,
} from '@tau/core';

/** The request with both put right. */
export function fitted(request: ModelRequest): ModelRequest {
  return { ...request, tools: fitTools(request), messages: fitMessages(request) };
}

export function fitTools({ model, tools }: ModelRequest): readonly ToolSpec[] {
  return model.tools === false ? [] : tools;
}

export function fitMessages({ model, messages }: ModelRequest): readonly Message[] {
  const seen = model.images === false ? messages.map(withoutImages) : messages;
  if (model.tools === false) return inWords(seen, () => true);
  const orphans = orphansOf(seen);
  return orphans.size === 0 ? seen : inWords(seen, (message) => orphans.has(message));
}

function withoutImages(message: Message): Message {
  if (message.role === 'assistant' || typeof message.content === 'string') return message;
  if (!message.content.some(({ type }) => type === 'image')) return message;
  const content = message.content.map((block): ResultBlock => (block.type === 'text' ? block : imageInWords(block)));
  return { ...message, content };
}

function imageInWords({ mimeType }: { mimeType: string }): ResultBlock {
  return { type: 'text', text: `[an image, ${mimeType}, which this model cannot see]` };
}

/** Results that do not follow the message with their call. */
function orphansOf(messages: readonly Message[]): Set<Message> {
  const orphans = new Set<Message>();
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'toolResult') open = new Set();
    if (message.role === 'assistant') for (const { id } of toolCallsOf(message)) open.add(id);
    if (message.role === 'toolResult' && !open.delete(message.toolCallId)) orphans.add(message);
  }
  return orphans;
}

/** Neighbouring results become one message of the user, because some servers want the roles to alternate. */
function inWords(messages: readonly Message[], isTold: (message: Message) => boolean): Message[] {
  const told: Message[] = [];
  let gathered: ResultBlock[] | undefined;
  for (const message of messages) {
    if (message.role === 'toolResult' && isTold(message)) {
      if (!gathered) {
        gathered = [];
        told.push({ role: 'user', content: gathered, timestamp: message.timestamp });
      }
      gathered.push(...resultInWords(message));
      continue;
    }
    gathered = undefined;
    told.push(message.role === 'assistant' && isTold(message) ? callsInWords(message) : message);
  }
  return told;
}

function callsInWords(message: AssistantMessage): AssistantMessage {
  const calls = toolCallsOf(message);
  if (calls.length === 0) return message;
  const said = textOf(message);
  const words = calls.map(({ name, arguments: input }) => `I called the tool ${name} with ${JSON.stringify(input)}.`);
  const text = [...(said.trim() === '' ? [] : [said]), ...words].join('\n\n');
  return {
    ...message,
    content: [...message.content.filter(({ type }) => type === 'thinking'), { type: 'text', text }],
  };
}

function resultInWords(message: ToolResultMessage): ResultBlock[] {
  const head = `The tool ${message.toolName} ${message.isError ? 'failed' : 'answered'}:`;
  const images = message.content.filter(({ type }) => type === 'image');
  return [{ type: 'text', text: `${head}\n${textOf(message) || '(no text)'}` }, ...images];
}
