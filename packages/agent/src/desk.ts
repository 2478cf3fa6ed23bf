/**
 * Who is talked to: the model that was chosen, the one for plan mode, those that stand in, their keys and connections, and
 * how hard they think. It can be another from one request to the next; the conversation stays.
 */
import { resolve } from 'node:path';
import { type Model, type StreamModel, TauError, type ThinkingLevel } from '@tau/core';
import { createCredentials } from '@tau/models';
import type { Session } from '@tau/session';
import type { Home } from './config/home.ts';
import type { Settings } from './config/settings.ts';
import { createRecorder, noProvider, readProviders, type SelectedModel, selectModel } from './models.ts';
import type { AgentOptions } from './options.ts';
import { sessionModel, sessionThinking } from './sessions.ts';

export interface Desk {
  /** The chosen one. */
  model(): Model;
  /** Who is asked next, and how hard it is to think. */
  next(planning: boolean): { model: Model; thinking: ThinkingLevel | undefined };
  thinking(): ThinkingLevel | undefined;
  stream: StreamModel;
  /** Everyone who may be asked. */
  models(): readonly Model[];
  /** For small tasks: the small model of the settings, else the chosen one. */
  small(): Promise<Pick<SelectedModel, 'model' | 'stream'>>;
  /** `check` may refuse it, and then nothing has changed. */
  use(name: string, check: (models: readonly Model[]) => void): Promise<void>;
  setThinking(level: ThinkingLevel): void;
  /** The variables that hold keys: no command gets them. */
  keyVariables: readonly string[];
  scrub(text: string): string;
  close(): void;
}

export interface DeskPlace {
  options: AgentOptions;
  settings: Settings;
  home: Home;
  env: NodeJS.ProcessEnv;
  cwd: string;
  session: Session;
  idleMs: number;
  /** What was found wrong before, which may be the reason that there is no model. Added to. */
  warnings: string[];
  /** Something is wrong later, but not so much that the run must end. */
  warn(text: string): void;
}

export async function openDesk(place: DeskPlace): Promise<Desk> {
  const { options, settings, home, env, cwd, session, idleMs, warnings } = place;
  const { providers, warnings: badProviders } = await readProviders(home, env);
  warnings.push(...badProviders);
  const credentials = createCredentials({
    env,
    flag: options.apiKey,
    authFile: home.auth,
    helper: settings.apiKeyHelper,
    signal: options.signal,
  });
  let isOpen = false;
  const warn = (text: string) => (isOpen ? place.warn(text) : void warnings.push(text));
  const recorder = createRecorder(options.record === undefined ? undefined : resolve(cwd, options.record), warn);
  const connections: (() => void)[] = [];
  const onOpen = (close: () => void) => connections.push(close);
  const world = { providers, credentials, settings, home, env, cwd, idleMs, recorder, onOpen, warn };
  const select = (name: string | undefined, from?: string) =>
    selectModel({ ...options, model: name, provider: from }, world).catch((error: unknown) => {
      throw withWarnings(error, warnings);
    });

  // Whoever names a provider asks for a model of that one.
  const remembered = options.provider === undefined ? (sessionModel(session) ?? settings.model) : undefined;
  const wanted = options.model ?? remembered;
  // A name that says its provider needs no other.
  const provider = options.provider ?? (wanted?.includes('/') ? undefined : settings.provider);
  const selectOrNone = (name: string | undefined, from?: string) =>
    select(name, from).catch((error: unknown) => {
      if (options.needsModel === false && isLack(error)) return noModel(error);
      throw error;
    });
  let selected = await selectOrNone(wanted, provider);
  const { planModel } = settings;
  const planner = planModel === undefined || options.replay ? undefined : await selectOrNone(planModel);
  warnings.push(...credentials.warnings());
  isOpen = true;
  let thinking = options.thinking ?? selected.thinking ?? sessionThinking(session) ?? settings.thinking;
  const askedFor = (planning: boolean): SelectedModel => (planning && planner ? planner : selected);

  return {
    model: () => selected.model,
    next(planning) {
      const { model, thinking: own } = askedFor(planning);
      return { model, thinking: planning ? (own ?? thinking) : thinking };
    },
    thinking: () => thinking,
    stream: (request, signal) => askedFor(request.model === planner?.model).stream(request, signal),
    models: () => [...selected.models, ...(planner?.models ?? [])],
    small: async () => (settings.smallModel === undefined || options.replay ? selected : select(settings.smallModel)),
    async use(name, check) {
      const next = await select(name);
      check(next.models);
      selected = next;
      thinking = next.thinking ?? thinking;
    },
    setThinking(level) {
      thinking = level;
    },
    keyVariables: credentials.variables(providers),
    scrub: credentials.scrub,
    close() {
      for (const close of connections) close();
      recorder.close();
    },
  };
}

/** No key, or a name that no model has: what does not need one can go on. */
function isLack(error: unknown): error is TauError {
  return error instanceof TauError && (error.code === 'credentials' || error.code === 'unknownModel');
}

/** Stands where a model would, and fails whoever asks it. */
function noModel(lack: TauError): SelectedModel {
  return {
    model: { provider: noProvider, id: 'none', api: 'none', baseUrl: 'http://none.invalid' },
    stream: () => {
      throw lack;
    },
    models: [],
  };
}

/** What was found wrong on the way may be the reason, and nobody else will tell it now. */
function withWarnings(error: unknown, warnings: readonly string[]): unknown {
  if (!(error instanceof TauError) || warnings.length === 0) return error;
  const remedy = [...(error.remedy === undefined ? [] : [error.remedy]), ...warnings].join('\n');
  return new TauError(error.code, error.message, { remedy, cause: error });
}
