/**
 * How a server differs from Chat Completions as OpenAI speaks it. The defaults follow from who serves the model; a
 * model's `compat` has the last word. Names are pi's where it has one, so that its models.json files work here.
 */
import type { Model } from '@tau/core';
import { type Efforts, effortsIn, openaiEfforts } from '../compat/efforts.ts';
import { count, fieldProblems, flag, type Given, type Kind, record, word, wordFrom } from '../compat/fields.ts';
import { type Vendor, vendorOf } from './vendor.ts';

const maxTokensFields = ['max_tokens', 'max_completion_tokens'] as const;
/** How a request says how much to think; see thinking.ts. */
const thinkingFormats = [
  'openai',
  'openrouter',
  'deepseek',
  'zai',
  'together',
  'qwen',
  'qwen-chat-template',
  'none',
] as const;
const cacheControlFormats = ['anthropic'] as const;
/** What stands for the content of a message that only calls tools. */
const emptyContents = ['null', 'string', 'omit'] as const;

export interface Compat {
  vendor: Vendor | undefined;
  /** Takes `store`, and is then told not to. */
  supportsStore: boolean;
  supportsDeveloperRole: boolean;
  supportsReasoningEffort: boolean;
  reasoningEffortMap: Efforts;
  /** Must be asked for usage in a stream. Whoever tells it unasked is heard all the same. */
  supportsUsageInStreaming: boolean;
  maxTokensField: (typeof maxTokensFields)[number];
  requiresToolResultName: boolean;
  requiresAssistantAfterToolResult: boolean;
  requiresThinkingAsText: boolean;
  requiresReasoningContentOnAssistantMessages: boolean;
  /** Tool ids of exactly nine letters and digits. */
  requiresMistralToolIds: boolean;
  toolIdLength: number;
  thinkingFormat: (typeof thinkingFormats)[number];
  /** Takes `strict` beside a schema. */
  supportsStrictMode: boolean;
  /** Ask for strict tools where the schema allows it. */
  strictTools: boolean;
  supportsJsonSchema: boolean;
  /** A tool can be demanded, not only offered. */
  supportsToolChoice: boolean;
  supportsCacheKey: boolean;
  cacheControlFormat: (typeof cacheControlFormats)[number] | undefined;
  /** A field for reasoning that is not among the usual ones. */
  reasoningField: string | undefined;
  emptyContent: (typeof emptyContents)[number];
  /** `bearer`, or the header that carries the key. */
  authHeader: string;
  sendSessionAffinityHeaders: boolean;
  zaiToolStream: boolean;
  openRouterRouting: Given | undefined;
  vercelGatewayRouting: Given | undefined;
}

const kinds: Readonly<Record<string, Kind>> = {
  supportsStore: 'flag',
  supportsDeveloperRole: 'flag',
  supportsReasoningEffort: 'flag',
  reasoningEffortMap: 'levels',
  supportsUsageInStreaming: 'flag',
  maxTokensField: maxTokensFields,
  requiresToolResultName: 'flag',
  requiresAssistantAfterToolResult: 'flag',
  requiresThinkingAsText: 'flag',
  requiresReasoningContentOnAssistantMessages: 'flag',
  requiresMistralToolIds: 'flag',
  toolIdLength: 'count',
  thinkingFormat: thinkingFormats,
  supportsStrictMode: 'flag',
  strictTools: 'flag',
  supportsJsonSchema: 'flag',
  supportsToolChoice: 'flag',
  supportsCacheKey: 'flag',
  cacheControlFormat: cacheControlFormats,
  reasoningField: 'text',
  emptyContent: emptyContents,
  authHeader: 'text',
  sendSessionAffinityHeaders: 'flag',
  zaiToolStream: 'flag',
  openRouterRouting: 'record',
  vercelGatewayRouting: 'record',
  // pi's.
  supportsLongCacheRetention: { idle: 'tau never asks for a long retention' },
};

/** What is wrong with a `compat`, a sentence each. What is named here is not used. */
export function compatProblems(compat: unknown): string[] {
  return fieldProblems(compat, kinds);
}

/** A server nobody knows: what every imitator of the protocol takes, and nothing that some refuse. */
const plain: Compat = {
  vendor: undefined,
  supportsStore: false,
  supportsDeveloperRole: false,
  supportsReasoningEffort: true,
  reasoningEffortMap: { minimal: 'low', max: 'high' },
  supportsUsageInStreaming: true,
  maxTokensField: 'max_tokens',
  requiresToolResultName: false,
  requiresAssistantAfterToolResult: false,
  requiresThinkingAsText: false,
  requiresReasoningContentOnAssistantMessages: false,
  requiresMistralToolIds: false,
  toolIdLength: 64,
  thinkingFormat: 'openai',
  supportsStrictMode: false,
  strictTools: false,
  supportsJsonSchema: true,
  supportsToolChoice: true,
  supportsCacheKey: false,
  cacheControlFormat: undefined,
  reasoningField: undefined,
  emptyContent: 'null',
  authHeader: 'bearer',
  sendSessionAffinityHeaders: false,
  zaiToolStream: false,
  openRouterRouting: undefined,
  vercelGatewayRouting: undefined,
};

const differences: Readonly<Record<Vendor, Partial<Compat>>> = {
  openai: {
    supportsStore: true,
    supportsDeveloperRole: true,
    maxTokensField: 'max_completion_tokens',
    supportsStrictMode: true,
    supportsCacheKey: true,
    toolIdLength: 40,
  },
  azure: {
    supportsDeveloperRole: true,
    maxTokensField: 'max_completion_tokens',
    supportsStrictMode: true,
    toolIdLength: 40,
    authHeader: 'api-key',
  },
  deepseek: {
    thinkingFormat: 'deepseek',
    reasoningEffortMap: { minimal: 'high', low: 'high', medium: 'high', max: 'max' },
    requiresReasoningContentOnAssistantMessages: true,
    supportsJsonSchema: false,
  },
  // Most of its models think and refuse to be told how much.
  xai: { supportsReasoningEffort: false },
  mistral: {
    supportsReasoningEffort: false,
    // Tells usage unasked, and refuses fields it does not know.
    supportsUsageInStreaming: false,
    requiresMistralToolIds: true,
    requiresThinkingAsText: true,
    emptyContent: 'string',
  },
  groq: { maxTokensField: 'max_completion_tokens' },
  cerebras: { maxTokensField: 'max_completion_tokens' },
  openrouter: { thinkingFormat: 'openrouter', reasoningEffortMap: { off: 'none', max: 'xhigh' } },
  together: { thinkingFormat: 'together', supportsReasoningEffort: false },
  fireworks: {},
  moonshot: { thinkingFormat: 'deepseek', supportsReasoningEffort: false },
  zai: { thinkingFormat: 'zai', supportsReasoningEffort: false, supportsJsonSchema: false, supportsToolChoice: false },
  qwen: { thinkingFormat: 'qwen', supportsReasoningEffort: false },
  ollama: { reasoningEffortMap: { off: 'none', minimal: 'low', max: 'high' } },
  lmstudio: {},
  llamacpp: { thinkingFormat: 'qwen-chat-template', supportsReasoningEffort: false },
};

export function compatOf(model: Model): Compat {
  const vendor = vendorOf(model);
  const known: Compat = { ...plain, ...(vendor && differences[vendor]), vendor };
  if (vendor === 'openai' || vendor === 'azure') known.reasoningEffortMap = openaiEfforts(model.id);
  if (vendor === 'openrouter' && model.id.startsWith('anthropic/')) known.cacheControlFormat = 'anthropic';
  return model.compat === undefined ? known : given(model.compat, known);
}

function given(compat: Given, known: Compat): Compat {
  const on = (name: Flag) => flag(compat, name, known[name]);
  const reasoningField = word(compat, 'reasoningField', known.reasoningField ?? '');
  return {
    vendor: known.vendor,
    supportsStore: on('supportsStore'),
    supportsDeveloperRole: on('supportsDeveloperRole'),
    supportsReasoningEffort: on('supportsReasoningEffort'),
    reasoningEffortMap: { ...known.reasoningEffortMap, ...effortsIn(compat) },
    supportsUsageInStreaming: on('supportsUsageInStreaming'),
    maxTokensField: wordFrom(compat, 'maxTokensField', maxTokensFields) ?? known.maxTokensField,
    requiresToolResultName: on('requiresToolResultName'),
    requiresAssistantAfterToolResult: on('requiresAssistantAfterToolResult'),
    requiresThinkingAsText: on('requiresThinkingAsText'),
    requiresReasoningContentOnAssistantMessages: on('requiresReasoningContentOnAssistantMessages'),
    requiresMistralToolIds: on('requiresMistralToolIds'),
    toolIdLength: count(compat, 'toolIdLength', known.toolIdLength),
    thinkingFormat: wordFrom(compat, 'thinkingFormat', thinkingFormats) ?? known.thinkingFormat,
    supportsStrictMode: on('supportsStrictMode'),
    strictTools: on('strictTools'),
    supportsJsonSchema: on('supportsJsonSchema'),
    supportsToolChoice: on('supportsToolChoice'),
    supportsCacheKey: on('supportsCacheKey'),
    cacheControlFormat: wordFrom(compat, 'cacheControlFormat', cacheControlFormats) ?? known.cacheControlFormat,
    reasoningField: reasoningField === '' ? undefined : reasoningField,
    emptyContent: wordFrom(compat, 'emptyContent', emptyContents) ?? known.emptyContent,
    authHeader: word(compat, 'authHeader', known.authHeader),
    sendSessionAffinityHeaders: on('sendSessionAffinityHeaders'),
    zaiToolStream: on('zaiToolStream'),
    openRouterRouting: record(compat, 'openRouterRouting'),
    vercelGatewayRouting: record(compat, 'vercelGatewayRouting'),
  };
}

type Flag = { [Name in keyof Compat]: Compat[Name] extends boolean ? Name : never }[keyof Compat];
