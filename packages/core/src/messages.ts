/**
 * The messages of a conversation. They are the v3 session file's, field for field, so memory and disk hold the
 * same objects. Provider data that must come back on the next turn rides in the signature fields.
 */

export interface TextBlock {
  type: 'text';
  text: string;
  textSignature?: string;
}

export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  thinkingSignature?: string;
  /** The provider withheld the text; only the signature is meaningful. */
  redacted?: boolean;
}

export interface ImageBlock {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
}

export interface ToolCall {
  type: 'toolCall';
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  thoughtSignature?: string;
}

/**
 * The key under which a call keeps arguments that were not a JSON object, so that the gate can hand the raw text back
 * to the model to mend.
 */
export const malformedArguments = '__malformed_json';

export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

export type StopReason = 'stop' | 'length' | 'toolUse' | 'error' | 'aborted';

export interface UserMessage {
  role: 'user';
  content: string | (TextBlock | ImageBlock)[];
  /** Unix milliseconds, as on every message. */
  timestamp: number;
  /** Who said it where the user did not. Never on disk, where such a message is an entry of this type or `customType`. */
  origin?: string;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolCall;

export interface AssistantMessage {
  role: 'assistant';
  content: AssistantBlock[];
  /** The wire protocol that produced it, for example `anthropic-messages`. */
  api: string;
  provider: string;
  model: string;
  responseModel?: string;
  responseId?: string;
  usage: Usage;
  stopReason: StopReason;
  errorMessage?: string;
  timestamp: number;
}

export type ResultBlock = TextBlock | ImageBlock;

export interface ToolResultMessage {
  role: 'toolResult';
  toolCallId: string;
  toolName: string;
  content: ResultBlock[];
  details?: unknown;
  isError: boolean;
  timestamp: number;
}

/** A command the user ran themselves. Models know no such role: it is told to them in words. */
export interface BashExecutionMessage {
  role: 'bashExecution';
  command: string;
  output: string;
  /** Absent when it was killed. */
  exitCode?: number;
  cancelled: boolean;
  truncated: boolean;
  fullOutputPath?: string;
  /** The user wants it on the record, but not told to the model. */
  excludeFromContext?: boolean;
  timestamp: number;
}

/** What a model is sent. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** What a session holds. */
export type SessionMessage = Message | BashExecutionMessage;

/** With more than words, its content is a list of blocks, the words first. */
export function userMessage(
  text: string,
  timestamp: number,
  attachments: readonly (TextBlock | ImageBlock)[] = [],
): UserMessage {
  const content = attachments.length === 0 ? text : [{ type: 'text' as const, text }, ...attachments];
  return { role: 'user', content, timestamp };
}

export function emptyUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
}

export function addUsage(total: Usage, more: Usage): void {
  total.input += more.input;
  total.output += more.output;
  total.cacheRead += more.cacheRead;
  total.cacheWrite += more.cacheWrite;
  total.totalTokens += more.totalTokens;
  total.cost.input += more.cost.input;
  total.cost.output += more.cost.output;
  total.cost.cacheRead += more.cost.cacheRead;
  total.cost.cacheWrite += more.cost.cacheWrite;
  total.cost.total += more.cost.total;
}

export function toolCallsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter((block) => block.type === 'toolCall');
}

/** The visible text of a message: no thinking, no calls, no images. */
export function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content;
  let text = '';
  for (const block of message.content) if (block.type === 'text') text += block.text;
  return text;
}
