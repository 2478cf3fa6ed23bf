/** Requests of every kind tau makes, for the models of each vendor, as the bytes that would leave. */
import {
  type AssistantMessage,
  emptyUsage,
  type ImageBlock,
  type Message,
  type Model,
  type ModelRequest,
  type ToolResultMessage,
  type ToolSpec,
  thinkingLevels,
  toolCallsOf,
  userMessage,
} from '../../packages/core/src/index.ts';
import type { WireRequest } from '../../packages/models/src/transport.ts';
import type { ScriptedReply } from '../../packages/testkit/src/index.ts';
import { ask, captured, modelAt, question, type WireApi, withServer } from './answers.ts';

/** What each protocol is made for, and where its models differ in what they take. */
const vendors: Record<WireApi, readonly Partial<Model>[]> = {
  'anthropic-messages': [
    { provider: 'anthropic', id: 'claude-haiku-4-5', maxTokens: 64_000, reasoning: true },
    { provider: 'anthropic', id: 'claude-opus-4-6', maxTokens: 128_000, reasoning: true },
    { provider: 'anthropic', id: 'claude-sonnet-5-5', maxTokens: 128_000, reasoning: true },
    { provider: 'anthropic', id: 'claude-opus-5-5', maxTokens: 128_000, reasoning: true },
  ],
  'openai-completions': [
    { provider: 'openai', id: 'gpt-5.2', maxTokens: 128_000, reasoning: true },
    { provider: 'openai', id: 'gpt-4.1', reasoning: false },
    { provider: 'imitator', id: 'its-own', maxTokens: 8000 },
  ],
  'openai-responses': [
    { provider: 'openai', id: 'gpt-5.2', maxTokens: 128_000, reasoning: true, thinkingLevels },
    { provider: 'openai', id: 'gpt-5-mini', reasoning: true },
    { provider: 'openai', id: 'gpt-4.1', reasoning: false },
  ],
  'google-generative-ai': [
    { provider: 'google', id: 'gemini-2.5-flash', maxTokens: 65_536, reasoning: true },
    { provider: 'google', id: 'gemini-2.5-pro', maxTokens: 65_536, reasoning: true },
    { provider: 'google', id: 'gemini-3-pro-preview', reasoning: true },
    { provider: 'google', id: 'gemini-2.0-flash', reasoning: false },
  ],
};

export const apis: readonly WireApi[] = [
  'anthropic-messages',
  'openai-completions',
  'openai-responses',
  'google-generative-ai',
];

const tools: readonly ToolSpec[] = [
  {
    name: 'read',
    description: 'Reads a file.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where it is.' },
        limit: { type: 'integer', minimum: 1 },
        kinds: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
  { name: 'list', description: 'Takes nothing.', parameters: { type: 'object', properties: {} } },
  {
    name: 'mcp/server: a name no vendor takes, and longer than any of them would ever accept it',
    description: 'Refers to its own parts.',
    parameters: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { at: { $ref: '#/$defs/Point' } },
      $defs: { Point: { type: 'object', properties: { x: { type: 'number' } } } },
    },
  },
];

const answer: NonNullable<ModelRequest['answer']> = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { good: { type: 'boolean' }, why: { type: 'string' } },
    required: ['good', 'why'],
    additionalProperties: false,
  },
};

const png: ImageBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' };

export interface Row {
  name: string;
  model: Model;
  wire: WireRequest;
}

/** No server is behind it: the requests are only looked at, or sent on by an SDK. */
const nowhere = 'http://127.0.0.1:9';

export async function requestTable(api: WireApi): Promise<Row[]> {
  const histories = await Promise.all(apis.map(async (from) => ({ from, messages: await conversationOver(from) })));
  const rows: Row[] = [];
  for (const facts of vendors[api]) {
    const model = modelAt(nowhere, api, facts);
    for (const { name, fields } of variations(histories)) {
      const request: ModelRequest = { ...question(model), system: 'Be brief.', ...fields };
      rows.push({ name: `${model.id}: ${name}`, model, wire: await captured(request) });
    }
  }
  return rows;
}

interface Variation {
  name: string;
  fields: Partial<ModelRequest>;
}

function variations(histories: readonly { from: WireApi; messages: Message[] }[]): Variation[] {
  const long = { tools, messages: histories.flatMap(({ messages }) => messages) };
  return [
    { name: 'a question', fields: {} },
    { name: 'no system prompt', fields: { system: '' } },
    { name: 'tools', fields: { tools } },
    { name: 'an image', fields: { messages: [{ role: 'user', content: [text('What is it?'), png], timestamp: 1 }] } },
    ...thinkingLevels.flatMap((thinking) => [
      { name: `thinking ${thinking}`, fields: { thinking } },
      { name: `thinking ${thinking} with tools`, fields: { thinking, tools } },
    ]),
    ...(['auto', 'none', 'required', { tool: 'read' }, { tool: tools[2]?.name ?? '' }] as const).flatMap(
      (toolChoice) => [
        { name: `choice ${JSON.stringify(toolChoice)}`, fields: { tools, toolChoice } },
        {
          name: `choice ${JSON.stringify(toolChoice)} while thinking`,
          fields: { tools, toolChoice, thinking: 'high' as const },
        },
      ],
    ),
    { name: 'an answer that fits a schema', fields: { answer } },
    { name: 'an answer that fits a schema, with tools and thinking', fields: { answer, tools, thinking: 'low' } },
    { name: 'a limit', fields: { maxTokens: 2000 } },
    { name: 'a small limit while thinking', fields: { maxTokens: 500, thinking: 'max' } },
    { name: 'a cache key', fields: { cacheKey: 'conversation 1: /of/a/folder' } },
    { name: 'a message that broke off', fields: { tools, messages: brokenOff() } },
    ...histories.flatMap(({ from, messages }) => [
      { name: `a history over ${from}`, fields: { tools, messages } },
      { name: `a history over ${from} while thinking`, fields: { tools, messages, thinking: 'medium' as const } },
    ]),
    { name: 'a history over all of them', fields: long },
    {
      name: 'all at once',
      fields: { ...long, thinking: 'high', toolChoice: 'auto', answer, maxTokens: 30_000, cacheKey: 'c1' },
    },
  ];
}

function text(said: string) {
  return { type: 'text' as const, text: said };
}

const replies: readonly ScriptedReply[] = [
  {
    blocks: [
      { thinking: 'Three at once.' },
      { text: 'I look.' },
      { call: 'read', input: { path: 'a.png' } },
      { call: 'list', input: {} },
      { call: 'read', input: { path: 'b' } },
    ],
  },
  { blocks: [{ thinking: '', redacted: true }, { text: 'And once more.' }, { call: 'list', input: {} }] },
  { blocks: [{ thinking: 'Enough.' }, { text: 'It is a picture.' }] },
];

/** What tau itself heard over a protocol, with the results of the calls between. */
async function conversationOver(api: WireApi): Promise<Message[]> {
  const messages: Message[] = [userMessage('Look at the picture.', 1)];
  for (const reply of replies) {
    const heard = await withServer(reply, (url) => ask(question(modelAt(url, api, vendors[api][0]))));
    if (heard.error) throw new Error(heard.error.message);
    messages.push(heard.message, ...results(heard.message));
  }
  messages.push({ role: 'user', content: [text('And this one?'), png], timestamp: 9 });
  return messages;
}

/** One of each kind: text and an image, nothing, an error. */
function results(message: AssistantMessage): ToolResultMessage[] {
  const contents = [[text('A picture:'), png], [], [text('No such file.')]];
  return toolCallsOf(message).map((call, at) => ({
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: contents[at] ?? [],
    isError: at === 2,
    timestamp: 3,
  }));
}

function brokenOff(): Message[] {
  const broken: AssistantMessage = {
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'Well' }, text('It was')],
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    usage: emptyUsage(),
    stopReason: 'aborted',
    errorMessage: 'aborted',
    timestamp: 2,
  };
  return [userMessage('hi', 1), broken, { ...broken, content: [], stopReason: 'error' }, userMessage('go on', 3)];
}
