/**
 * `createAgent()`: assembles the packages below into the headless product. An agent owns one session and has one run at
 * a time; what is said meanwhile goes into its queues.
 */
import {
  type Answer,
  type Ask,
  type AssistantMessage,
  describeError,
  type Extension,
  emptyUsage,
  intentEntry,
  type Model,
  type PermissionMode,
  type Question,
  type Reply,
  type ResultBlock,
  type RunPorts,
  type StampedEvent,
  TauError,
  type ThinkingLevel,
  textOf,
  type UserMessage,
  userMessage,
} from '@tau/core';
import { createGate, createQueues, type RunOutcome, run } from '@tau/engine';
import { loadExtensions } from '@tau/extend';
import { localHost } from '@tau/host';
import { createCredentials } from '@tau/models';
import { decide, isTrustedPath, parseRules, type RuleSet } from '@tau/policy';
import { builtinTools } from '@tau/tools';
import { findHome } from './config/home.ts';
import { loadSettings } from './config/settings.ts';
import { createHub, type Listener } from './events.ts';
import { keepText } from './keep.ts';
import { readProviders, selectModel } from './models.ts';
import { pathScope, realFolder, searchPath, without } from './place.ts';
import { findContextFiles } from './prompt/context-files.ts';
import { systemPrompt } from './prompt/system.ts';
import { createReader } from './reader.ts';
import {
  answerInterrupted,
  openOrCreate,
  recordModel,
  recordThinking,
  type SessionChoice,
  sessionModel,
  sessionThinking,
} from './sessions.ts';
import { fullness } from './window.ts';

export interface AgentOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** `provider/id[:thinking]`, an alias, or a part of the name that only one model has. */
  model?: string;
  /** Where to look for it. */
  provider?: string;
  thinking?: ThinkingLevel;
  /** Asked in this order when the model cannot answer; instead of those in the settings. */
  fallbackModels?: readonly string[];
  apiKey?: string;
  baseUrl?: string;
  replay?: { name: string; text: string };
  /** A new file that takes what the model answers. */
  record?: string;
  permissionMode?: PermissionMode;
  /** Added to the rules in the settings; deny beats ask beats allow wherever a rule comes from. */
  rules?: RuleSet;
  /** Who answers when a call needs approval. Without it nobody does: the call is denied and the run says so. */
  ask?: (ask: Ask, signal: AbortSignal) => Promise<Answer>;
  /** Who answers when a tool has a question. Without it nobody does, and the tool says so to the model. */
  question?: (question: Question, signal: AbortSignal) => Promise<Reply>;
  session?: SessionChoice;
  sessionDir?: string;
  contextFiles?: boolean;
  maxTurns?: number;
  extensions?: readonly Extension[];
  /** Ends the commands that are asked for a key or a header, also while the agent is being made. */
  signal?: AbortSignal;
}

export interface PromptOptions {
  signal?: AbortSignal;
  /** What comes with it; `readAttachment` makes them from files. */
  attachments?: readonly ResultBlock[];
}

/**
 * A prompt under way: iterate it for its events from then on, await `outcome` for how it ended. If the session cannot be
 * written, both throw.
 */
export interface Run extends AsyncIterable<StampedEvent> {
  outcome: Promise<RunOutcome>;
}

export interface Agent {
  readonly model: Model;
  readonly permissionMode: PermissionMode;
  readonly sessionId: string;
  readonly sessionPath: string | undefined;
  /** What to tell the user before the first prompt: settings that were ignored, a session that was mended. */
  readonly warnings: readonly string[];
  prompt(text: string, options?: PromptOptions): Run;
  /** Says something to the run under way, after its current batch. False when there is no run to hear it. */
  steer(text: string): boolean;
  /** The same, when the run would otherwise stop. */
  followUp(text: string): boolean;
  /** Empties the queues and returns what was waiting. */
  clearQueues(): string[];
  subscribe(listener: Listener, options?: { deltas?: boolean }): () => void;
  close(): void;
}

export async function createAgent(options: AgentOptions): Promise<Agent> {
  const env = options.env ?? process.env;
  const home = findHome(env);
  const cwd = realFolder(options.cwd);
  const { settings, warnings } = await loadSettings(home);
  const { session, problems } = openOrCreate(options.session ?? 'new', options.sessionDir ?? home.sessions, cwd);
  warnings.push(...problems);

  const limits = { parallelTools: 10, resultChars: 100_000, modelIdleSecs: 120, ...settings.limits };
  const { providers, warnings: badProviders } = await readProviders(home, env);
  warnings.push(...badProviders);
  const credentials = createCredentials({
    env,
    flag: options.apiKey,
    authFile: home.auth,
    helper: settings.apiKeyHelper,
    signal: options.signal,
  });
  const host = localHost({ cwd, env: without(env, credentials.variables(providers)) });
  const hub = createHub();
  let warn = (text: string): void => {
    warnings.push(text);
  };
  // Whoever names a provider asks for a model of that one.
  const remembered = options.provider === undefined ? (sessionModel(session) ?? settings.model) : undefined;
  const idleMs = limits.modelIdleSecs * 1000;
  const world = { providers, credentials, settings, home, env, cwd, idleMs, warn: (text: string) => warn(text) };
  const wish = { ...options, model: options.model ?? remembered };
  const selected = await selectModel(wish, world).catch((error: unknown) => {
    throw withWarnings(error, warnings);
  });
  warnings.push(...credentials.warnings());
  const { model, stream } = selected;
  const thinking = options.thinking ?? selected.thinking ?? sessionThinking(session) ?? settings.thinking;
  warn = (text) => hub.emit({ type: 'notice', level: 'warning', text });

  const scope = pathScope(cwd, home);
  const trustedPath = isTrustedPath(searchPath(env), [...scope.roots, ...scope.temp]);
  const registry = await loadExtensions([
    { extension: builtinTools(host, { ...limits, trustedPath }), source: 'builtin' },
    ...(options.extensions ?? []).map((extension) => ({ extension, source: 'extension' as const })),
  ]);
  const tools = registry
    .tools()
    .map(({ tool: { name, description, parameters } }) => ({ name, description, parameters }));

  const { rules, problems: badRules } = parseRules(joinRules(settings.permissions, options.rules));
  warnings.push(...badRules);
  const mode = options.permissionMode ?? settings.permissionMode ?? 'default';

  const queues = createQueues({
    onChange: (steering, followUp) => hub.emit({ type: 'queue_update', steering, followUp }),
  });
  let warnedFull = false;
  function watchWindow(message: AssistantMessage): void {
    const text = warnedFull ? undefined : fullness(message, model);
    if (text === undefined) return;
    warnedFull = true;
    hub.emit({ type: 'notice', level: 'warning', text });
  }
  const ports: RunPorts = {
    stream,
    emit(event) {
      hub.emit(event);
      if (event.type === 'turn_end') watchWindow(event.message);
    },
    wantsDeltas: hub.wantsDeltas,
    now: Date.now,
    findTool: registry.findTool,
    beforeTool: registry.beforeTool,
    afterTool: registry.afterTool,
    resolve: (effects) =>
      Promise.all(
        effects.map(async (effect) =>
          'path' in effect ? { ...effect, resolved: await host.files.resolve(effect.path) } : effect,
        ),
      ),
    decide: (call, source, effects) => decide(call, source, effects, { mode, rules, scope, trustedPath }),
    ask: options.ask ?? (async () => ({ outcome: 'deny', unattended: true })),
    question: options.question ?? (async () => ({ unattended: true })),
    shorten: async () => undefined,
    checkpoint: async () => {},
    journal: async (intent) => {
      session.append({ type: 'custom', customType: intentEntry, data: intent });
    },
    append: async (message) => ({ entryId: session.append({ type: 'message', message }).id }),
    keep: keepText,
  };
  const gate = createGate(ports, { cwd, resultChars: limits.resultChars });
  const context = options.contextFiles === false ? { files: [], warnings: [] } : findContextFiles(cwd, home);
  warnings.push(...context.warnings);
  const system = systemPrompt({ cwd, date: localDate(new Date()), contextFiles: context.files });
  /** Warnings that the event stream has not carried yet. */
  const unsaid = [...warnings];
  let current: Promise<RunOutcome> | undefined;

  async function begin(prompt: UserMessage, signal: AbortSignal): Promise<RunOutcome> {
    hub.emit({
      type: 'agent_start',
      sessionId: session.header.id,
      cwd,
      model: `${model.provider}/${model.id}`,
      permissionMode: mode,
      tools: tools.map((tool) => tool.name),
    });
    for (const text of unsaid.splice(0)) hub.emit({ type: 'notice', level: 'warning', text });
    try {
      answerInterrupted(session);
      recordModel(session, model);
      recordThinking(session, thinking);
      const outcome = await run(
        {
          request: { model, system, tools, cacheKey: session.header.id, ...(thinking && { thinking }) },
          history: session.messages(),
          prompt,
          queues,
          gate,
          signal,
          concurrency: limits.parallelTools,
          ...(options.maxTurns !== undefined && { maxTurns: options.maxTurns }),
        },
        ports,
      );
      // Another model may have stood in; the one that was chosen is the one to go on with.
      recordModel(session, model);
      hub.emit({ type: 'agent_end', ...outcome });
      return outcome;
    } catch (error) {
      // The session could not be written. Readers get their end all the same, and whoever awaits gets the error.
      hub.emit({ type: 'error', class: 'unknown', message: describeError(error) });
      hub.emit({ type: 'agent_end', reason: 'error', turns: 0, usage: emptyUsage(), models: [] });
      throw error;
    }
  }

  return {
    model,
    permissionMode: mode,
    sessionId: session.header.id,
    get sessionPath() {
      return session.path;
    },
    warnings,
    prompt(text, { signal = new AbortController().signal, attachments = [] } = {}) {
      if (current) throw new TauError('usage', 'A run is under way', { remedy: 'Use steer() or followUp() meanwhile' });
      if (model.images === false && attachments.some(({ type }) => type === 'image')) {
        throw new TauError('configuration', `${model.provider}/${model.id} takes no images`, {
          remedy: 'Choose a model that does: tau models lists them',
        });
      }
      // The run begins a tick later, so that whoever iterates misses nothing.
      const outcome = Promise.resolve().then(() => begin(userMessage(text, Date.now(), attachments), signal));
      current = outcome;
      const done = () => {
        current = undefined;
      };
      outcome.then(done, done);
      return {
        outcome,
        [Symbol.asyncIterator]() {
          const reader = createReader(() => unsubscribe());
          const unsubscribe = hub.subscribe(reader.push);
          outcome.then(
            () => reader.end(),
            (error: unknown) => reader.end(error),
          );
          return reader.events;
        },
      };
    },
    steer: (text) => queues.steer(userMessage(text, Date.now())),
    followUp: (text) => queues.followUp(userMessage(text, Date.now())),
    clearQueues: () => queues.clear().map(textOf),
    subscribe: hub.subscribe,
    close() {
      selected.close();
      session.close();
    },
  };
}

/** What was found wrong on the way may be the reason, and nobody else will tell it now. */
function withWarnings(error: unknown, warnings: readonly string[]): unknown {
  if (!(error instanceof TauError) || warnings.length === 0) return error;
  const remedy = [...(error.remedy === undefined ? [] : [error.remedy]), ...warnings].join('\n');
  return new TauError(error.code, error.message, { remedy, cause: error });
}

function joinRules(...sets: readonly (RuleSet | undefined)[]): RuleSet {
  const all = (outcome: keyof RuleSet) => sets.flatMap((set) => set?.[outcome] ?? []);
  return { allow: all('allow'), ask: all('ask'), deny: all('deny') };
}

function localDate(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
