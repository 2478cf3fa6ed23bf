/** A model, what is asked of it, and the one stream of events every provider answers with. */
import type { ModelError } from './errors.ts';
import type { AssistantMessage, Message, ToolCall, Usage } from './messages.ts';
import type { JsonSchema } from './tool.ts';

/** Which wire protocol a provider speaks. The set is open: an extension may bring its own. */
export type ApiName =
  | 'anthropic-messages'
  | 'openai-completions'
  | 'openai-responses'
  | 'google-generative-ai'
  | (string & {});

/** How hard a model thinks before it answers. What a level means is the vendor's; each protocol translates. */
export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'max'] as const;
export type ThinkingLevel = (typeof thinkingLevels)[number];

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
  /** Whether it can think, and the levels it takes if not all of them. Absent: not known. */
  reasoning?: boolean;
  thinkingLevels?: readonly ThinkingLevel[];
  /** What it takes besides text. Absent: not known, so nothing is held back. */
  images?: boolean;
  tools?: boolean;
  /** Switches for servers that differ from their protocol. Each protocol documents and checks its own. */
  compat?: Readonly<Record<string, unknown>>;
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
  /** Absent: the vendor's default. */
  thinking?: ThinkingLevel;
  /** Absent: the model decides. */
  toolChoice?: 'auto' | 'none' | 'required' | { tool: string };
  /** The answer must be JSON that fits this schema. */
  answer?: { name: string; schema: JsonSchema };
  /** Less than the model's own limit. */
  maxTokens?: number;
  /** How freely it chooses its words. Absent: the vendor's default. */
  temperature?: number;
  topP?: number;
  /** The same for every request of a conversation: vendors keep what they cached under it. */
  cacheKey?: string;
}

/** What a provider says about how much it will still take. */
export interface RateLimits {
  requests?: RateLimit;
  tokens?: RateLimit;
}

export interface RateLimit {
  limit?: number;
  remaining?: number;
  /** Milliseconds until it is full again, counted from the answer. */
  resetMs?: number;
}

/**
 * `index` is the position of the block in the final message's content. `end` carries the assembled message and is
 * the truth; the deltas before it are for showing. `error` carries whatever had arrived.
 */
export type StreamEvent =
  | { type: 'start' }
  | { type: 'limits'; model: string; limits: RateLimits }
  /** Nothing was said yet, and it is tried again: after a wait, or with another model. */
  | { type: 'retry'; attempt: number; delayMs: number; error: ModelError; model: string }
  | { type: 'text'; index: number; delta: string }
  | { type: 'thinking'; index: number; delta: string }
  | { type: 'toolCallStart'; index: number; id: string; name: string }
  | { type: 'toolCallDelta'; index: number; delta: string }
  | { type: 'toolCallEnd'; index: number; toolCall: ToolCall }
  | { type: 'usage'; usage: Usage }
  | { type: 'end'; message: AssistantMessage }
  | { type: 'error'; error: ModelError; message: AssistantMessage };

/**
 * The only thing the loop knows of models. Events come in batches, as many as the wire brought together, because waiting
 * for each by itself would be most of the work. It never throws: a failure is the last event.
 */
export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<readonly StreamEvent[]>;
