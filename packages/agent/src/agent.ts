/**
 * `createAgent()`: assembles the packages below into the headless product. An agent owns one session and has one run at
 * a time; what is said meanwhile goes into its queues.
 */
import { resolve } from 'node:path';
import {
  type AssistantMessage,
  describeError,
  emptyUsage,
  type Model,
  type ModelRequest,
  type PermissionMode,
  type RunPorts,
  TauError,
  type UserMessage,
  userMessage,
  withHiddenTold,
} from '@tau/core';
import { createGate, type RunOutcome, run } from '@tau/engine';
import type { Session } from '@tau/session';
import { createSpending, needPrices, spendingNames, spendingOf } from './allowance.ts';
import { attachmentOf, cannotAttach } from './attachments.ts';
import { grantsAt } from './config/grants-file.ts';
import { findHome, type Home } from './config/home.ts';
import { layerFiles, projectRoot } from './config/layers.ts';
import { type SettingsWatch, watchSettings } from './config/reload.ts';
import type { Layer } from './config/settings.ts';
import type { SettingName, Settings } from './config/types.ts';
import { openConsent } from './consent.ts';
import { createConversation } from './conversation.ts';
import { openDesk } from './desk.ts';
import { createHub, showWhole } from './events.ts';
import { createExtensionStatus } from './extension-status.ts';
import { readGit } from './git/read.ts';
import { createGoingBack } from './going-back.ts';
import { isUsersOwn, openSavedGrants, openSessionGrants } from './grants.ts';
import { createHearing } from './hearing.ts';
import { withOpinion } from './hooks/opinion.ts';
import { openHooks } from './hooks.ts';
import { keepText } from './keep.ts';
import { createLooking } from './looking.ts';
import { expandMentions } from './mentions.ts';
import { openPermission } from './open-permission.ts';
import type { Agent, AgentOptions } from './options.ts';
import { createOwnCommands } from './own-commands.ts';
import { readyForExamples } from './permission.ts';
import { realFolder, underHome, without } from './place.ts';
import { familyOf } from './prompt/family.ts';
import { createNestedContext, withInstructions } from './prompt/nested.ts';
import { findProject } from './prompt/project.ts';
import { buildSystemPrompt, localDate } from './prompt/system.ts';
import { createRuns } from './runs.ts';
import { openContainment } from './sandbox/containment.ts';
import { openSandbox } from './sandbox/use.ts';
import { openOrCreate, recordModel } from './sessions.ts';
import { titleOf } from './title.ts';
import { hasClaudeHooks } from './trust/content.ts';
import type { ProjectTrust } from './trust/project-trust.ts';
import { openTrust } from './trust/trust.ts';
import { watchWindow } from './window.ts';
import { openWorkshop } from './workshop.ts';

export async function createAgent(options: AgentOptions): Promise<Agent> {
  const env = options.env ?? process.env;
  const home = findHome(env);
  const cwd = realFolder(options.cwd);
  const trust = openTrust(home, cwd, options.trust);
  const watch = watchSettings(home, {
    env,
    trust,
    cwd: options.projectSettings === false ? undefined : cwd,
    configFile: options.configFile === undefined ? undefined : resolve(cwd, options.configFile),
  });
  const { settings, warnings, layers } = await watch.load();
  const sessionFolder = options.sessionDir ?? underHome(settings.sessionDir, home) ?? home.sessions;
  const { session, problems, source } = openOrCreate(options.session ?? 'new', sessionFolder, cwd, {
    ...(options.sessionId !== undefined && { id: options.sessionId }),
    ...(options.sessionName !== undefined && { name: options.sessionName }),
  });
  warnings.push(...problems);
  try {
    const own = [home.sessions, sessionFolder];
    const place = { env, home, cwd, trust, watch, settings, layers, warnings, session, source, own };
    return await assemble(options, place);
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
  trust: () => ProjectTrust;
  watch: SettingsWatch;
  settings: Settings;
  layers: readonly Layer[];
  warnings: string[];
  session: Session;
  /** The file that what was said before is from. */
  source: string | undefined;
  /** Where the user's sessions are. */
  own: readonly string[];
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

  const saved = openSavedGrants(grantsAt(home.permissions, cwd));
  const sandbox = await openSandbox({ ...place, wanted: options.sandbox });
  const usualMode = () => sandbox.usualMode(place.trust().trusted);
  let usual = usualMode();
  const opened = await openPermission({
    ...{ ...place, options, saved: saved.rules() },
    ...{ usualMode: usual, contained: sandbox.holds },
  });
  const { permission, claude, shell, scope, trustedPath } = opened;
  const believed = place.source === undefined || isUsersOwn(place.source, place.own, scope);
  const grants = openSessionGrants({ session, permission, cwd, believed });
  warnings.push(...opened.problems, ...permission.problems, ...opened.doubtful, ...saved.problems, ...grants.problems);
  warnings.push(...sandbox.problems);
  const project = findProject(cwd, home);
  const gitReading = readGit({
    root: project.root,
    settings: settings.gitContext ?? {},
    env,
    trustedPath,
  });

  const conversation = createConversation(session, options.messages);
  const { queues, say, deeds: hearing } = createHearing(hub, conversation, settings);
  const status = createExtensionStatus(hub.emit);
  const notice = (level: 'info' | 'warning', text: string) => hub.emit({ type: 'notice', level, text });
  const consent = openConsent({
    ...{ options, home, cwd, session, permission, claude, shell, saved, grants, notice, sandbox },
    settings: () => settings,
    scrub: desk.scrub,
  });
  const containment = openContainment({
    ...{ sandbox, env, scope, permission, notice, emit: hub.emit },
    ...{ ask: consent.ports.ask, decided: consent.ports.decided, attended: consent.attended },
    ...{ refused: consent.refused, insisted: consent.insisted },
    settings: () => settings,
    mode: permission.mode,
  });
  const workshop = await openWorkshop({
    ...{ ...place, root: project.root, options, shell, desk, permission, say, sandbox, containment: containment.tools },
    ...{ status: status.set, emit: hub.emit },
    resolve: opened.resolve,
  });
  const { host, plan, toolbox, registry, background } = workshop;

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
  const nestedContext = () =>
    contextFiles
      ? createNestedContext({ cwd, root: project.root, userHome: home.user, already: prompt.files, warn })
      : undefined;
  let nested = nestedContext();

  const hooks = openHooks({
    ...{ home, cwd, scope, shell, root: projectRoot(cwd, home) },
    env: without(env, desk.keyVariables),
    settings: () => settings,
    trusted: () => place.trust().trusted,
    covers: (path) => options.projectSettings !== false && place.trust().covers(path),
    findTool: toolbox.find,
    resolve: (effects) => opened.resolve(effects, host),
    wanted: options.hooks !== false,
    wantsEvents: options.hookEvents === true,
    registered: registry.hooks,
    settingFiles: () => layerFiles(home, { env, cwd }).flatMap(({ path }) => [path, path.replace(/\.json$/, '.toml')]),
    resumed: place.source !== undefined,
    base: () => ({
      session_id: session.header.id,
      transcript_path: session.path ?? '',
      cwd,
      permission_mode: permission.mode(),
    }),
    ...{ emit: hub.emit, notice, holdOwn: containment.holdOwn, facts: sandbox.facts },
    subscribe: (listener) => hub.subscribe(listener, { deltas: false }),
  });
  warnings.push(...(await hooks.use(place.layers, settings.fileAccessLog === true)));

  const watchFullness = watchWindow(() => desk.next(plan.active()).model, warn);
  const ports: RunPorts = {
    ...conversation.ports,
    stream: desk.stream,
    emit(event) {
      hub.emit(event);
      if (event.type === 'turn_end') watchFullness(event.message);
    },
    // What hooks may still change is shown when they have spoken.
    wantsDeltas: () => !hooks.hears('PostSampling') && hub.wantsDeltas(),
    now: Date.now,
    async shorten() {
      const left = await conversation.ports.shorten();
      if (left) await hooks.compacted();
      return left;
    },
    findTool: toolbox.find,
    beforeTool: (call) => hooks.beforeTool(call, registry.beforeTool(call)),
    async afterTool(call, result, effects) {
      const final = await hooks.afterTool(call, await registry.afterTool(call, result), effects);
      if (!nested || final.isError || toolbox.find(call.toolName)?.source !== 'builtin') return final;
      const touched = effects.flatMap((effect) => ('path' in effect ? [effect.path] : []));
      return withInstructions(final, nested.forPaths(touched));
    },
    resolve: (effects) => opened.resolve(effects, host),
    decide(call, source, effects) {
      const decision = withOpinion(permission.decide(call, source, effects), call, permission.mode());
      return plan.withRules(decision, call);
    },
    ...consent.ports,
    decided(call, decision, answer) {
      consent.ports.decided(call, decision, answer);
      containment.decided(call, decision, answer);
    },
    question: options.question ?? (async () => ({ unattended: true })),
    checkpoint: async () => {},
    beforePrompt: (message) => (message.origin === undefined ? hooks.beforePrompt(message) : undefined),
    get afterAnswer() {
      const look = hooks.afterAnswer();
      return look && (async (message: AssistantMessage) => showWhole(hub, await look(message)));
    },
    get transform() {
      const why = hooks.halted();
      return why === undefined ? registry.transform : () => Promise.reject(new Error(`The run was stopped: ${why}`));
    },
    beforeStop: async (answer) => (await registry.beforeStop?.(answer)) ?? hooks.beforeStop(answer),
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
  async function adopt(next: Settings, changed: ReadonlySet<SettingName>, layers: readonly Layer[]) {
    await readyForExamples([next.permissions], shell);
    const nextSpending = spendingOf(options, next);
    needPrices(nextSpending, desk.models());
    const aboutHooks = await hooks.use(layers, next.fileAccessLog === true);
    const problems = [...aboutHooks, ...(await consent.useRules(next, layers)), ...opened.usePlaces(next)];
    const chosen: SettingName[] = spendingNames.filter((name) => options[name] !== undefined);
    // Whoever is in another mode than the settings said went there in this session.
    if (modeChosen || permission.mode() !== (settings.permissionMode ?? usual)) chosen.push('permissionMode');
    else if (changed.has('permissionMode')) setMode(next.permissionMode ?? usual);
    spending = nextSpending;
    spent.setLimits(spending);
    limits = limitsOf(next);
    gate = gateOf(limits);
    settings = next;
    return { warnings: problems, chosen };
  }

  /** A mode that nobody chose goes with the trust that it rests on. */
  function followTrust(): void {
    const before = usual;
    usual = usualMode();
    if (!modeChosen && settings.permissionMode === undefined && permission.mode() === before) setMode(usual);
  }

  let lastEnd: string = 'none';
  /** Warnings that the event stream has not carried yet. */
  const unsaid = [...warnings];

  async function begin(message: UserMessage, signal: AbortSignal): Promise<RunOutcome> {
    const changes = await consent.begin();
    const news = (await watch.reload(adopt)) ?? [];
    followTrust();
    hub.emit({
      type: 'agent_start',
      sessionId: session.header.id,
      cwd,
      model: nameOf(desk.model()),
      permissionMode: permission.mode(),
      tools: toolbox.names(),
      sandbox: sandbox.state(),
    });
    for (const text of [...unsaid.splice(0), ...changes]) warn(text);
    for (const one of news) hub.emit({ type: 'notice', ...one });
    const { repeatedCalls, recoveries } = settings.limits ?? {};
    const reconnections = settings.retry?.retries;
    try {
      for (const given of await hooks.begin(signal)) {
        const { text, told } = withHiddenTold(given);
        if (told !== undefined) warn(`Removed ${told} from what a hook said`);
        conversation.leaveWord(text);
      }
      prepare();
      own.settle();
      grants.begin();
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
      lastEnd = reason;
      spent.spend(usage);
      // Another model may have stood in; the one that was chosen is the one to go on with.
      recordModel(session, desk.model());
      hub.emit({ type: 'agent_end', reason, turns, usage, models });
      return outcome;
    } catch (error) {
      lastEnd = 'error';
      // The session could not be written. Readers get their end all the same, and whoever awaits gets the error.
      hub.emit({ type: 'error', class: 'unknown', message: describeError(error) });
      hub.emit({ type: 'agent_end', reason: 'error', turns: 0, usage: emptyUsage(), models: [] });
      throw error;
    }
  }
  const runs = createRuns(hub, begin);
  const prepare = () => conversation.prepare(desk.model(), desk.thinking());
  const own = createOwnCommands({
    ...{ ports: () => ports, limits: () => limits, cwd, isBusy: runs.busy, prepare },
    record: (message) => void session.append({ type: 'message', message }),
  });

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
    get sandbox() {
      return sandbox.state();
    },
    setSandbox: sandbox.turn,
    get trust() {
      const { trusted, content } = place.trust();
      if (trusted) return 'trusted';
      const hooks = options.projectSettings !== false && settings.claudeHooks === true && hasClaudeHooks(content);
      return hooks || claude.refusing() || watch.refusing() ? 'untrusted' : 'nothing to trust';
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
    systemPrompt: prompt.text,
    get tools() {
      return toolbox.names();
    },
    toolSpecs: toolbox.specs,
    async attach(path) {
      const resolved = await host.files.resolve(path);
      const why = permission.refusal(path, resolved);
      if (why !== undefined) throw cannotAttach(path, why);
      return attachmentOf(host.files.pinned(new Map([[path, resolved]])), path);
    },
    expandMentions: (text, { signal = new AbortController().signal } = {}) =>
      expandMentions(text, {
        host,
        refusal: ({ path, resolved }) => permission.refusal(path, resolved),
        images: desk.model().images !== false,
        signal,
      }),
    ...createLooking({ host, cwd, permission }),
    prompt(text, { signal = new AbortController().signal, attachments = [] } = {}) {
      if (desk.model().images === false && attachments.some(({ type }) => type === 'image')) {
        throw new TauError('configuration', `${nameOf(desk.model())} takes no images`, {
          remedy: 'Choose a model that does: tau models lists them',
        });
      }
      return runs.start(userMessage(text, Date.now(), attachments), signal);
    },
    ...{ ...hearing, subscribe: hub.subscribe, idle: runs.idle, shell: own.run },
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
    allow: (rule) => consent.addRule('allow', rule),
    deny: (rule) => consent.addRule('deny', rule),
    hooks: hooks.list,
    rules: permission.rules,
    addFolder: opened.addFolder,
    folders: () => scope.roots,
    get approval() {
      return consent.approvals.approval();
    },
    setApproval: consent.approvals.setApproval,
    pendingAsks: consent.approvals.pending,
    answer: consent.approvals.answer,
    permissionState: consent.state,
    messages: conversation.messages,
    setMessages(messages) {
      if (runs.busy()) throw cannotSet();
      conversation.setMessages(messages);
    },
    statuses: status.all,
    going: createGoingBack({
      ...{ session, grants, isBusy: runs.busy },
      onMove() {
        nested = nestedContext();
      },
    }),
    ...{ scrub: desk.scrub, jobs: background.jobs, endJob: background.endJob, limitJob: background.limitJob },
    async close() {
      await hooks.close(lastEnd);
      own.settle();
      consent.close();
      desk.close();
      session.close();
      background.close();
      await workshop.jobs.close();
      await containment.close();
    },
  };
}

function cannotSet(): TauError {
  return new TauError('usage', 'The messages cannot be set: a run is under way', {
    remedy: 'Abort it or await idle() first',
  });
}

function limitsOf({ limits }: Settings) {
  return { parallelTools: 10, resultChars: 100_000, modelIdleSecs: 120, ...limits };
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`;
}
