/**
 * `createAgent()`: assembles the packages below into the headless product. An agent owns one session and has one run at
 * a time; what is said meanwhile goes into its queues.
 */
import { resolve } from 'node:path';
import {
  describeError,
  emptyUsage,
  type Model,
  type ModelRequest,
  type PermissionMode,
  type RunPorts,
  TauError,
  textOf,
  type UserMessage,
  userMessage,
} from '@tau/core';
import { createGate, createQueues, type RunOutcome, run } from '@tau/engine';
import { isTrustedPath } from '@tau/policy';
import type { Session } from '@tau/session';
import { createSpending, needPrices } from './allowance.ts';
import { attachmentOf, cannotAttach } from './attachments.ts';
import { findHome, type Home } from './config/home.ts';
import { type SettingsWatch, watchSettings } from './config/reload.ts';
import type { SettingName, Settings } from './config/types.ts';
import { createConversation } from './conversation.ts';
import { openDesk } from './desk.ts';
import { createHub } from './events.ts';
import { readGit } from './git/read.ts';
import { keepText } from './keep.ts';
import { expandMentions } from './mentions.ts';
import type { Agent, AgentOptions } from './options.ts';
import { createPermission } from './permission.ts';
import { pathScope, realFolder, searchPath, underHome } from './place.ts';
import { familyOf } from './prompt/family.ts';
import { createNestedContext, withInstructions } from './prompt/nested.ts';
import { findProject } from './prompt/project.ts';
import { buildSystemPrompt } from './prompt/system.ts';
import { createRuns } from './runs.ts';
import { openOrCreate, recordModel } from './sessions.ts';
import { titleOf } from './title.ts';
import { watchWindow } from './window.ts';
import { openWorkshop } from './workshop.ts';

export async function createAgent(options: AgentOptions): Promise<Agent> {
  const env = options.env ?? process.env;
  const home = findHome(env);
  const cwd = realFolder(options.cwd);
  const watch = watchSettings(home, {
    env,
    cwd: options.projectSettings === false ? undefined : cwd,
    configFile: options.configFile === undefined ? undefined : resolve(cwd, options.configFile),
  });
  const { settings, warnings } = await watch.load();
  const sessionFolder = options.sessionDir ?? underHome(settings.sessionDir, home) ?? home.sessions;
  const { session, problems } = openOrCreate(options.session ?? 'new', sessionFolder, cwd, {
    ...(options.sessionId !== undefined && { id: options.sessionId }),
    ...(options.sessionName !== undefined && { name: options.sessionName }),
  });
  warnings.push(...problems);
  try {
    return await assemble(options, { env, home, cwd, watch, settings, warnings, session });
  } catch (error) {
    // Whoever wants to try again must find it free.
    session.close();
    throw error;
  }
}

interface Place {
  env: NodeJS.ProcessEnv;
  home: Home;
  cwd: string;
  watch: SettingsWatch;
  settings: Settings;
  warnings: string[];
  session: Session;
}

async function assemble(options: AgentOptions, place: Place): Promise<Agent> {
  const { env, home, cwd, watch, warnings, session } = place;
  let { settings } = place;
  let limits = limitsOf(settings);
  const hub = createHub();
  const warn = (text: string) => hub.emit({ type: 'notice', level: 'warning', text });
  const desk = await openDesk({ ...place, options, idleMs: limits.modelIdleSecs * 1000, warn });
  let spending = spendingOf(options, settings);
  needPrices(spending, desk.models());
  const spent = createSpending(spending);

  const scope = pathScope(cwd, home);
  // Known when the first call is judged: following the links of a long PATH takes longer than the rest of this.
  let programs: string | undefined;
  const isTrusted = (untrusted: readonly string[]) => {
    programs ??= searchPath(env);
    return isTrustedPath(programs, untrusted);
  };
  let trusted: boolean | undefined;
  const trustedPath = () => {
    trusted ??= isTrusted([...scope.roots, ...scope.temp]);
    return trusted;
  };
  const permission = createPermission({
    mode: options.permissionMode ?? settings.permissionMode ?? 'default',
    rules: [settings.permissions, options.rules],
    scope,
    trustedPath,
  });
  warnings.push(...permission.problems);
  const project = findProject(cwd, home);
  const gitReading = readGit({
    root: project.root,
    settings: settings.gitContext ?? {},
    env,
    trustedPath: () => trustedPath() && isTrusted([project.root]),
  });

  const conversation = createConversation(session, options.messages);
  const queues = createQueues({
    onChange: (steering, followUp) => hub.emit({ type: 'queue_update', steering, followUp }),
    ...(settings.steeringMode && { steeringMode: settings.steeringMode }),
    ...(settings.followUpMode && { followUpMode: settings.followUpMode }),
  });
  const say = (text: string, deliverAs: 'steer' | 'followUp' = 'steer') => {
    if (!queues[deliverAs](userMessage(text, Date.now()))) conversation.leaveWord(text);
  };
  const workshop = await openWorkshop({ ...place, options, trustedPath, desk, permission, say });
  const { host, plan, toolbox, registry } = workshop;

  const { git, warnings: gitProblems } = await gitReading;
  const contextFiles = options.contextFiles !== false && settings.contextFiles !== false;
  const prompt = buildSystemPrompt({
    cwd,
    date: localDate(new Date()),
    home,
    project,
    family: familyOf(desk.model()),
    tools: toolbox.names().flatMap((name) => toolbox.find(name)?.tool ?? []),
    settings,
    flags: options,
    contextFiles,
    ...(git && { git }),
  });
  warnings.push(...prompt.warnings, ...gitProblems);
  const nested = contextFiles
    ? createNestedContext({ cwd, root: project.root, userHome: home.user, already: prompt.files, warn })
    : undefined;

  const watchFullness = watchWindow(() => desk.next(plan.active()).model, warn);
  const ports: RunPorts = {
    ...conversation.ports,
    stream: desk.stream,
    emit(event) {
      hub.emit(event);
      if (event.type === 'turn_end') watchFullness(event.message);
    },
    wantsDeltas: hub.wantsDeltas,
    now: Date.now,
    findTool: toolbox.find,
    beforeTool: registry.beforeTool,
    async afterTool(call, result, effects) {
      const final = await registry.afterTool(call, result);
      if (!nested || final.isError || toolbox.find(call.toolName)?.source !== 'builtin') return final;
      const touched = effects.flatMap((effect) => ('path' in effect ? [effect.path] : []));
      return withInstructions(final, nested.forPaths(touched));
    },
    resolve: (effects) =>
      Promise.all(
        effects.map(async (effect) =>
          'path' in effect ? { ...effect, resolved: await host.files.resolve(effect.path) } : effect,
        ),
      ),
    decide: permission.decide,
    ask: options.ask ?? (async () => ({ outcome: 'deny', unattended: true })),
    question: options.question ?? (async () => ({ unattended: true })),
    checkpoint: async () => {},
    ...(registry.transform && { transform: registry.transform }),
    ...(registry.beforeStop && { beforeStop: registry.beforeStop }),
    keep: keepText,
  };
  const gateOf = ({ resultChars }: typeof limits) => createGate(ports, { cwd, resultChars });
  let gate = gateOf(limits);

  function nextRequest(): Omit<ModelRequest, 'messages'> {
    const { maxTokens, temperature, topP } = settings;
    const { model, thinking } = desk.next(plan.active());
    return {
      model,
      system: prompt.text,
      tools: toolbox.specs(),
      cacheKey: session.header.id,
      ...(thinking && { thinking }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
      ...(options.answerSchema && { answer: { name: 'answer', schema: options.answerSchema } }),
    };
  }

  function setMode(mode: PermissionMode): void {
    if (mode === 'plan') plan.enter();
    else permission.setMode(mode);
  }

  let modeChosen = options.permissionMode !== undefined;
  /** Settings that changed: what can be another from one prompt to the next. If it throws, nothing has changed. */
  function adopt(next: Settings, changed: ReadonlySet<SettingName>) {
    const nextSpending = spendingOf(options, next);
    needPrices(nextSpending, desk.models());
    const problems = permission.setRules([next.permissions, options.rules]);
    const chosen: SettingName[] = spendingNames.filter((name) => options[name] !== undefined);
    // Whoever is in another mode than the settings said went there in this session.
    if (modeChosen || permission.mode() !== (settings.permissionMode ?? 'default')) chosen.push('permissionMode');
    else if (changed.has('permissionMode')) setMode(next.permissionMode ?? 'default');
    spending = nextSpending;
    spent.setLimits(spending);
    limits = limitsOf(next);
    gate = gateOf(limits);
    settings = next;
    return { warnings: problems, chosen };
  }

  /** Warnings that the event stream has not carried yet. */
  const unsaid = [...warnings];

  async function begin(message: UserMessage, signal: AbortSignal): Promise<RunOutcome> {
    const news = (await watch.reload(adopt)) ?? [];
    hub.emit({
      type: 'agent_start',
      sessionId: session.header.id,
      cwd,
      model: nameOf(desk.model()),
      permissionMode: permission.mode(),
      tools: toolbox.names(),
    });
    for (const text of unsaid.splice(0)) warn(text);
    for (const one of news) hub.emit({ type: 'notice', ...one });
    const { repeatedCalls, recoveries } = settings.limits ?? {};
    const reconnections = settings.retry?.retries;
    try {
      conversation.prepare(desk.model(), desk.thinking());
      const outcome = await run(
        {
          request: nextRequest,
          history: session.messages(),
          prompt: message,
          queues,
          gate,
          signal,
          concurrency: limits.parallelTools,
          limits: spent.limits(desk.models()),
          ...(repeatedCalls !== undefined && { repeatedCalls }),
          ...(recoveries !== undefined && { recoveries }),
          ...(reconnections !== undefined && { reconnections }),
        },
        ports,
      );
      const { reason, turns, usage, models } = outcome;
      spent.spend(usage);
      // Another model may have stood in; the one that was chosen is the one to go on with.
      recordModel(session, desk.model());
      hub.emit({ type: 'agent_end', reason, turns, usage, models });
      return outcome;
    } catch (error) {
      // The session could not be written. Readers get their end all the same, and whoever awaits gets the error.
      hub.emit({ type: 'error', class: 'unknown', message: describeError(error) });
      hub.emit({ type: 'agent_end', reason: 'error', turns: 0, usage: emptyUsage(), models: [] });
      throw error;
    }
  }
  const runs = createRuns(hub, begin);

  return {
    get model() {
      return desk.model();
    },
    get thinking() {
      return desk.thinking();
    },
    get permissionMode() {
      return permission.mode();
    },
    sessionId: session.header.id,
    get sessionPath() {
      return session.path;
    },
    get sessionName() {
      return session.name();
    },
    get settings() {
      return settings;
    },
    warnings,
    contextFiles: prompt.files,
    get tools() {
      return toolbox.names();
    },
    toolSpecs: toolbox.specs,
    async attach(path) {
      const why = permission.refusal(path, await host.files.resolve(path));
      if (why !== undefined) throw cannotAttach(path, why);
      return attachmentOf(host.files, path);
    },
    expandMentions: (text, { signal = new AbortController().signal } = {}) =>
      expandMentions(text, {
        host,
        refusal: ({ path, resolved }) => permission.refusal(path, resolved),
        images: desk.model().images !== false,
        signal,
      }),
    prompt(text, { signal = new AbortController().signal, attachments = [] } = {}) {
      if (desk.model().images === false && attachments.some(({ type }) => type === 'image')) {
        throw new TauError('configuration', `${nameOf(desk.model())} takes no images`, {
          remedy: 'Choose a model that does: tau models lists them',
        });
      }
      return runs.start(userMessage(text, Date.now(), attachments), signal);
    },
    steer: (text) => queues.steer(userMessage(text, Date.now())),
    followUp: (text) => queues.followUp(userMessage(text, Date.now())),
    tell: (text) => say(text),
    queued() {
      const { steering, followUp } = queues.pending();
      return { steering: steering.map(textOf), followUp: followUp.map(textOf) };
    },
    clearQueues: () => queues.clear().map(textOf),
    subscribe: hub.subscribe,
    idle: runs.idle,
    setModel: (name) => desk.use(name, (models) => needPrices(spending, models)),
    setThinking: desk.setThinking,
    setPermissionMode(mode) {
      modeChosen = true;
      setMode(mode);
    },
    setName: session.setName,
    async suggestName({ signal = new AbortController().signal } = {}) {
      return titleOf(conversation.messages(), await desk.small(), signal);
    },
    spent: conversation.spent,
    allow(rule) {
      const problem = permission.addRule('allow', rule);
      if (problem !== undefined) throw new TauError('usage', problem);
    },
    messages: conversation.messages,
    setMessages(messages) {
      if (runs.busy()) {
        throw new TauError('usage', 'The messages cannot be set: a run is under way', {
          remedy: 'Abort it or await idle() first',
        });
      }
      conversation.setMessages(messages);
    },
    scrub: desk.scrub,
    async close() {
      desk.close();
      session.close();
      await workshop.jobs.close();
    },
  };
}

const spendingNames = ['maxTurns', 'maxTotalTokens', 'maxBudgetUsd'] as const;

/** A flag goes before a setting. */
function spendingOf(options: AgentOptions, settings: Settings) {
  return {
    maxTurns: options.maxTurns ?? settings.maxTurns,
    maxTotalTokens: options.maxTotalTokens ?? settings.maxTotalTokens,
    maxBudgetUsd: options.maxBudgetUsd ?? settings.maxBudgetUsd,
  };
}

function limitsOf({ limits }: Settings) {
  return { parallelTools: 10, resultChars: 100_000, modelIdleSecs: 120, ...limits };
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`;
}

function localDate(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
