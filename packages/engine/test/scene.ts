/**
 * A run with a scripted model and ports in memory. Everything that happens goes into one ordered log of short lines,
 * so that a test can say what came before what, and can wait for a line instead of for time.
 */
import {
  type Effect,
  type GatePorts,
  isReadOnly,
  type Message,
  type ModelRequest,
  type RegisteredTool,
  type RunEvent,
  type RunPorts,
  type StreamEvent,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolResultMessage,
  textOf,
  textResult,
  userMessage,
} from '@tau/core';
import { createGate, createQueues, type DrainMode, type RunOptions, type RunOutcome, run } from '../src/index.ts';
import { model, type Speech } from './speech.ts';

export type Deed = (context: ToolContext) => Promise<ToolResult> | ToolResult;

/** A deed that ends when the promise does. */
export function after(promise: Promise<unknown>): Deed {
  return async () => {
    await promise;
    return textResult('ended');
  };
}

interface SceneOptions {
  ports?: Partial<Omit<RunPorts, 'append'>> & { append?(message: Message): Promise<unknown> };
  /** What the tool `act` does, by the id of the call. Without one it says that it did it. */
  deeds?: Record<string, Deed>;
  /** Other tools, by name; all are built in unless they say otherwise. */
  tools?: readonly (Tool | RegisteredTool)[];
  concurrency?: number;
  resultChars?: number;
  maxTurns?: number;
  run?: Partial<Pick<RunOptions, 'limits' | 'recoveries' | 'reconnections' | 'repeatedCalls'>>;
  request?: Partial<ModelRequest>;
  steeringMode?: DrainMode;
  followUpMode?: DrainMode;
  history?: Message[];
}

export interface Scene {
  log: readonly string[];
  events: readonly RunEvent[];
  /** What the session holds. */
  appended: readonly Message[];
  /** The conversation each request carried, as it was when the request was made. */
  requests: readonly (readonly Message[])[];
  /** Each request as a whole. */
  asked: readonly ModelRequest[];
  queues: ReturnType<typeof createQueues>;
  ports: GatePorts;
  abort(): void;
  play(...speeches: Speech[]): Promise<RunOutcome>;
  /** Resolves when the line is in the log. */
  reached(line: string): Promise<void>;
  note(line: string): void;
  results(): ToolResultMessage[];
  /** The text of the result of a call. */
  told(id: string): string | undefined;
}

export function createScene(options: SceneOptions = {}): Scene {
  const log: string[] = [];
  const events: RunEvent[] = [];
  const appended: Message[] = [];
  const requests: Message[][] = [];
  const asked: ModelRequest[] = [];
  const waiting: { line: string; resolve(): void }[] = [];
  const controller = new AbortController();
  let speeches: Speech[] = [];

  function note(line: string): void {
    log.push(line);
    for (const one of waiting) if (one.line === line) one.resolve();
  }

  const act = actTool(async (context) => {
    note(`run ${context.toolCallId}`);
    try {
      const deed = options.deeds?.[context.toolCallId];
      return (await deed?.(context)) ?? textResult(`did ${context.toolCallId}`);
    } finally {
      note(`ran ${context.toolCallId}`);
    }
  });
  const tools = new Map<string, RegisteredTool>([
    ['act', { tool: act, source: 'builtin' }],
    ['foreign', { tool: { ...act, name: 'foreign' }, source: 'extension' }],
  ]);
  for (const one of options.tools ?? []) {
    const registered = 'tool' in one ? one : { tool: one, source: 'builtin' as const };
    tools.set(registered.tool.name, registered);
  }

  const ports: RunPorts = {
    stream: (request: ModelRequest, signal) => {
      requests.push([...request.messages]);
      asked.push(request);
      note(`request ${requests.length}`);
      const speech = speeches.shift();
      if (!speech) throw new Error('the script has no more speeches');
      return oneByOne(speech(signal));
    },
    findTool: (name) => tools.get(name),
    resolve: async (effects) =>
      effects.map((effect) => ('path' in effect ? { ...effect, resolved: effect.path } : effect)),
    beforeTool: async () => undefined,
    decide: (_call, _source, effects) => ({ outcome: 'allow', reason: 'it may', class: 'unknown', effects }),
    ask: async () => ({ outcome: 'allow' }),
    question: async () => ({ unattended: true }),
    shorten: async () => undefined,
    checkpoint: async (effects) => note(`checkpoint ${effects.map((effect) => effect.kind).join(' ')}`),
    journal: async (intent) => note(`journal ${intent.toolCallId}`),
    afterTool: async (_call, result) => result,
    keep: async () => '/kept',
    now: () => 1,
    ...options.ports,
    emit(event) {
      events.push(event);
      note(describeEvent(event));
    },
    async append(message) {
      await options.ports?.append?.(message);
      appended.push(message);
      note(`append ${describeMessage(message)}`);
      return { entryId: `entry-${appended.length}` };
    },
    note: async (message) => note(`note ${textOf(message)}`),
  };
  const queues = createQueues({
    onChange: (steering, followUp) => ports.emit({ type: 'queue_update', steering, followUp }),
    ...(options.steeringMode && { steeringMode: options.steeringMode }),
    ...(options.followUpMode && { followUpMode: options.followUpMode }),
  });
  // Open from the start, so that a test may fill the queues before it plays.
  queues.open();

  return {
    log,
    events,
    appended,
    requests,
    asked,
    queues,
    ports,
    note,
    abort() {
      note('abort');
      controller.abort();
    },
    play(...script) {
      speeches = script;
      const gate = createGate(ports, { cwd: '/project', resultChars: options.resultChars ?? 1000, graceMs: 20 });
      return run(
        {
          request: () => ({ model, system: '', tools: [], ...options.request }),
          history: options.history ?? [],
          prompt: userMessage('go', 1),
          queues,
          gate,
          signal: controller.signal,
          concurrency: options.concurrency ?? 10,
          ...(options.maxTurns !== undefined && { limits: { turns: options.maxTurns } }),
          ...options.run,
        },
        ports,
      );
    },
    reached: (line) =>
      log.includes(line) ? Promise.resolve() : new Promise((resolve) => waiting.push({ line, resolve })),
    results: () => appended.filter((message) => message.role === 'toolResult'),
    told(id) {
      const found = appended.find((message) => message.role === 'toolResult' && message.toolCallId === id);
      return found?.role === 'toolResult' ? textOfResult(found) : undefined;
    },
  };
}

/** A tool whose effects are what its arguments say. */
function actTool(run: (context: ToolContext) => Promise<ToolResult>): Tool {
  return {
    name: 'act',
    description: 'acts',
    parameters: { type: 'object', properties: { effects: { type: 'array' } }, required: ['effects'] },
    effects: ({ effects }) => (isEffects(effects) ? effects : []),
    run: (_input, context) => run(context),
  };
}

async function* oneByOne(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent[], void> {
  for await (const event of events) yield [event];
}

function isEffects(value: unknown): value is Effect[] {
  return Array.isArray(value);
}

function textOfResult(result: Pick<ToolResult, 'content'>): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function describeMessage(message: Message): string {
  return message.role === 'toolResult' ? `result ${message.toolCallId}` : message.role;
}

function describeEvent(event: RunEvent): string {
  if (event.type === 'message_end') return `message_end ${describeMessage(event.message)}`;
  if (event.type === 'message_start') return `message_start ${event.role}`;
  if (event.type === 'message_update') return `message_update ${event.delta.kind}`;
  if ('toolCallId' in event) return `${event.type} ${event.toolCallId}`;
  return 'id' in event ? `${event.type} ${event.id}` : event.type;
}

/** Asks for everything that does not only look. */
export const askForWrites: GatePorts['decide'] = (_call, _source, effects) => ({
  outcome: effects.every(isReadOnly) ? 'allow' : 'ask',
  reason: 'it changes something',
  class: 'unknown',
  effects,
});
