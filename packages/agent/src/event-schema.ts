/**
 * The events of a run as JSON Schema, for clients in other languages; published as `events.schema.json`. The compiler
 * holds it to the types: every event, every field, and whether it may be absent. Objects are open, because a later tau
 * may say more; who reads them ignores what it does not know.
 */
import {
  type AssistantMessage,
  commandClasses,
  type Decision,
  type Effect,
  grantScopes,
  type HookOutcome,
  hookEvents,
  type ImageBlock,
  type JsonSchema,
  type MessageDelta,
  type ModelErrorClass,
  type ModelUse,
  type Outcome,
  permissionModes,
  type Question,
  type RateLimit,
  type RateLimits,
  type RecoveredProblem,
  type RunEnd,
  type RunEvent,
  type SandboxState,
  type SandboxViolation,
  type StopReason,
  type TextBlock,
  type ThinkingBlock,
  type ToolCall,
  type ToolResult,
  type ToolResultMessage,
  type Usage,
  type UserMessage,
} from '@tau/core';

/** A field that may be absent. */
interface Optional {
  optional: JsonSchema;
}

type Fields<T> = {
  [Key in keyof T]-?: Partial<Pick<T, Key>> extends Pick<T, Key> ? Optional : JsonSchema & { optional?: never };
};

type Variant<T, Key extends keyof T, Name> = Omit<Extract<T, Record<Key, Name>>, Key>;

function object<T>(fields: Fields<T>): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries<JsonSchema | Optional>(fields)) {
    if (isOptional(field)) properties[name] = field.optional;
    else {
      properties[name] = field;
      required.push(name);
    }
  }
  return { type: 'object', properties, required };
}

function isOptional(field: JsonSchema | Optional): field is Optional {
  return 'optional' in field;
}

const optional = (schema: JsonSchema): Optional => ({ optional: schema });
const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const amount: JsonSchema = { type: 'number' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const anything: JsonSchema = {};
const record: JsonSchema = { type: 'object' };
const constant = (value: string | boolean): JsonSchema => ({ const: value });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
/** The compiler asks for every word there is: each is a key. */
const words = <Word extends string>(all: Record<Word, true>): JsonSchema => ({ enum: Object.keys(all) });

/** Schemas of the variants of a union, by the word that tells them apart. */
function variants<T extends Record<Key, string>, Key extends string & keyof T>(
  key: Key,
  all: { [Name in T[Key]]: Fields<Variant<T, Key, Name>> },
): JsonSchema {
  return {
    oneOf: Object.entries<Fields<object>>(all).map(([name, fields]) => tagged(key, name, object<object>(fields))),
  };
}

function tagged(key: string, name: string, { properties, required = [] }: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [key]: constant(name), ...properties }, required: [key, ...required] };
}

const commandClass: JsonSchema = { enum: [...commandClasses] };
const outcome = words<Outcome>({ allow: true, ask: true, deny: true });
const stamp: JsonSchema = { type: 'string', format: 'date-time', description: 'when it was emitted' };
const milliseconds: JsonSchema = { ...count, description: 'Unix milliseconds' };

const definitions: Record<string, JsonSchema> = {
  Usage: object<Usage>({
    input: count,
    output: count,
    cacheRead: count,
    cacheWrite: count,
    totalTokens: count,
    cost: {
      ...object<Usage['cost']>({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount, total: amount }),
      description: 'US dollars; zero where no price is known',
    },
  }),
  TextBlock: object<TextBlock>({ type: constant('text'), text, textSignature: optional(text) }),
  ImageBlock: object<ImageBlock>({ type: constant('image'), data: text, mimeType: text }),
  ThinkingBlock: object<ThinkingBlock>({
    type: constant('thinking'),
    thinking: text,
    thinkingSignature: optional(text),
    redacted: optional(flag),
  }),
  ToolCall: object<ToolCall>({
    type: constant('toolCall'),
    id: text,
    name: text,
    arguments: record,
    thoughtSignature: optional(text),
  }),
  ResultBlock: { oneOf: [ref('TextBlock'), ref('ImageBlock')] },
  UserMessage: object<UserMessage>({
    role: constant('user'),
    content: { oneOf: [text, list(ref('ResultBlock'))] },
    timestamp: milliseconds,
    origin: optional(text),
  }),
  AssistantMessage: object<AssistantMessage>({
    role: constant('assistant'),
    content: list({ oneOf: [ref('TextBlock'), ref('ThinkingBlock'), ref('ToolCall')] }),
    api: text,
    provider: text,
    model: text,
    responseModel: optional(text),
    responseId: optional(text),
    usage: ref('Usage'),
    stopReason: words<StopReason>({ stop: true, length: true, toolUse: true, error: true, aborted: true }),
    errorMessage: optional(text),
    timestamp: milliseconds,
  }),
  ToolResultMessage: object<ToolResultMessage>({
    role: constant('toolResult'),
    toolCallId: text,
    toolName: text,
    content: list(ref('ResultBlock')),
    details: optional(anything),
    isError: flag,
    timestamp: milliseconds,
  }),
  Message: { oneOf: [ref('UserMessage'), ref('AssistantMessage'), ref('ToolResultMessage')] },
  ToolResult: object<ToolResult>({
    content: list(ref('ResultBlock')),
    details: optional(anything),
    isError: optional(flag),
  }),
  MessageDelta: variants<MessageDelta, 'kind'>('kind', {
    text: { index: count, text },
    thinking: { index: count, text },
    toolCallStart: { index: count, id: text, name: text },
    toolCallArguments: { index: count, text },
    toolCallEnd: { index: count },
  }),
  Effect: withResolved(
    variants<Effect, 'kind'>('kind', {
      read: { path: text, tree: optional(flag) },
      write: { path: text, removes: optional(words<'file' | 'tree'>({ file: true, tree: true })) },
      exec: {
        command: text,
        readOnly: flag,
        class: optional(commandClass),
        known: optional(flag),
        danger: optional(text),
        outside: optional(flag),
      },
      net: { host: text },
      spawn: { agent: text },
      mcp: { server: text, tool: text },
      config: { key: text },
      other: { what: text },
    }),
  ),
  Decision: object<Decision>({
    outcome,
    reason: text,
    rule: optional(text),
    effects: list(ref('Effect')),
    class: commandClass,
    offer: optional(list(text)),
    everyTime: optional(flag),
    contained: optional(flag),
  }),
  SandboxState: object<SandboxState>({ on: flag, backend: optional(text), reason: optional(text) }),
  Question: object<Question>({
    question: text,
    options: list(object<Question['options'][number]>({ label: text, description: optional(text) })),
    multiSelect: flag,
  }),
  Reply: {
    oneOf: [
      object<{ answers: string[] }>({ answers: list(text) }),
      object<{ declined: true }>({ declined: constant(true) }),
      object<{ unattended: true }>({ unattended: constant(true) }),
    ],
  },
  RateLimit: object<RateLimit>({ limit: optional(amount), remaining: optional(amount), resetMs: optional(amount) }),
  RateLimits: object<RateLimits>({ requests: optional(ref('RateLimit')), tokens: optional(ref('RateLimit')) }),
  ModelUse: object<ModelUse>({ model: text, turns: count, usage: ref('Usage'), firstTokenMs: optional(amount) }),
  ErrorClass: words<ModelErrorClass>({
    rateLimited: true,
    overloaded: true,
    network: true,
    timeout: true,
    auth: true,
    badRequest: true,
    contextOverflow: true,
    outputLimit: true,
    refused: true,
    aborted: true,
    unknown: true,
  }),
};

/** Where the path really leads is told with any effect that has one. */
function withResolved({ oneOf }: JsonSchema): JsonSchema {
  const kinds = Array.isArray(oneOf) ? oneOf : [];
  return { oneOf: kinds.map((kind) => ({ ...kind, properties: { ...kind.properties, resolved: text } })) };
}

const call = { toolCallId: text, toolName: text };

const events: { [Name in RunEvent['type']]: Fields<Variant<RunEvent, 'type', Name>> } = {
  agent_start: {
    sessionId: text,
    cwd: text,
    model: text,
    permissionMode: { enum: [...permissionModes] },
    tools: list(text),
    sandbox: optional(ref('SandboxState')),
  },
  turn_start: { turn: count },
  message_start: { role: { enum: ['user', 'assistant', 'toolResult'] } },
  message_update: { delta: ref('MessageDelta'), dropped: optional(count) },
  message_end: { message: ref('Message'), entryId: text },
  tool_execution_start: { ...call, input: record },
  tool_execution_update: { toolCallId: text, delta: text, dropped: optional(count) },
  tool_execution_end: { ...call, result: ref('ToolResult'), summary: text },
  permission_request: { id: text, ...call, input: record, decision: ref('Decision') },
  permission_response: {
    id: text,
    toolCallId: text,
    outcome,
    scope: optional({ enum: [...grantScopes] }),
    feedback: optional(text),
    unattended: optional(flag),
    standing: optional(flag),
  },
  sandbox_violation: {
    toolCallId: text,
    command: optional(text),
    what: words<SandboxViolation['what']>({ write: true, read: true, connect: true, call: true }),
    path: optional(text),
    host: optional(text),
    call: optional(text),
    reason: optional(text),
    happened: optional(constant(true)),
    aside: optional(text),
  },
  retry: { attempt: count, delayMs: amount, class: ref('ErrorClass'), message: text, model: text },
  recovery: {
    problem: words<RecoveredProblem>({
      contextOverflow: true,
      outputLimit: true,
      emptyAnswer: true,
      malformedArguments: true,
      brokenStream: true,
      stopHook: true,
    }),
    attempt: count,
    text,
  },
  question_request: { id: text, toolCallId: text, question: ref('Question') },
  question_response: { id: text, toolCallId: text, reply: ref('Reply') },
  rate_limits: { model: text, limits: ref('RateLimits') },
  queue_update: { steering: count, followUp: count },
  job_end: { id: text, command: text, how: text },
  extension_status: { key: text, text: optional(text) },
  notice: { level: { enum: ['info', 'warning'] }, text },
  hook_start: { id: text, event: { enum: [...hookEvents] }, source: text, what: text },
  hook_end: {
    id: text,
    event: { enum: [...hookEvents] },
    outcome: words<HookOutcome>({
      ok: true,
      allow: true,
      ask: true,
      modify: true,
      retry: true,
      deny: true,
      failed: true,
    }),
    reason: optional(text),
  },
  turn_end: {
    turn: count,
    message: ref('AssistantMessage'),
    toolResults: list(ref('ToolResultMessage')),
    firstTokenMs: optional(amount),
  },
  error: { class: ref('ErrorClass'), message: text },
  agent_end: {
    reason: words<RunEnd>({
      done: true,
      aborted: true,
      error: true,
      maxTurns: true,
      maxTokens: true,
      maxCost: true,
      repeated: true,
    }),
    turns: count,
    usage: ref('Usage'),
    models: list(ref('ModelUse')),
  },
};

export function eventSchema(): JsonSchema {
  const all = Object.entries<Fields<object>>(events).map(([name, fields]) => {
    const { properties, required = [], ...rest } = tagged('type', name, object<object>(fields));
    return [name, { ...rest, properties: { ...properties, timestamp: stamp }, required: [...required, 'timestamp'] }];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of a run of tau',
    oneOf: all.map(([name]) => ref(String(name))),
    $defs: { ...Object.fromEntries(all), ...definitions },
  };
}
