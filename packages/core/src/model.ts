/** A model, what is asked of it, and the one stream of events every provider answers with. */
import type { ModelError } from './errors.ts';
import type { AssistantMessage, Message, ToolCall, Usage } from './messages.ts';
import type { JsonSchema } from './tool.ts';

/** Which wire protocol a provider speaks. The set is open: an extension may bring its own. */
export type ApiName = 'anthropic-messages' | 'openai-completions' | (string & {});

export interface Price {
  /** US dollars per million tokens. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface Model {
  provider: string;
  id: string;
  api: ApiName;
  baseUrl: string;
  headers?: Record<string, string>;
  contextWindow?: number;
  maxTokens?: number;
  /** Absent when nobody published it: an unknown price is not zero. */
  cost?: Price;
}

export interface ToolSpec {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export interface ModelRequest {
  model: Model;
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
}

/**
 * `index` is the position of the block in the final message's content. `end` carries the assembled message and is
 * the truth; the deltas before it are for showing. `error` carries whatever had arrived.
 */
export type StreamEvent =
  | { type: 'start' }
  | { type: 'text'; index: number; delta: string }
  | { type: 'thinking'; index: number; delta: string }
  | { type: 'toolCallStart'; index: number; id: string; name: string }
  | { type: 'toolCallDelta'; index: number; delta: string }
  | { type: 'toolCallEnd'; index: number; toolCall: ToolCall }
  | { type: 'usage'; usage: Usage }
  | { type: 'end'; message: AssistantMessage }
  | { type: 'error'; error: ModelError; message: AssistantMessage };

/** The only thing the loop knows of models. It never throws: a failure is the stream's last event. */
export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<StreamEvent>;
