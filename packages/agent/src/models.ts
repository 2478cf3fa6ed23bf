/** From settings, flags and environment to models that can be streamed from: the chosen one, and those that stand in. */
import { readFileSync } from 'node:fs';
import { describeError, type Model, type StreamModel, TauError, type ThinkingLevel } from '@tau/core';
import {
  type Credentials,
  checkNetwork,
  createAttempt,
  createChain,
  defaultRetry,
  type FoundModel,
  findLocalServers,
  findModel,
  httpTransport,
  type Link,
  loadProviders,
  loadRecording,
  matchGlob,
  type Provider,
  type Recording,
  type RetryPolicy,
  scrub,
  type Transport,
} from '@tau/models';
import type { Home } from './config/home.ts';
import { readJsonFile } from './config/jsonc.ts';
import type { Settings } from './config/settings.ts';
import { neededKey } from './needed-key.ts';
import { underHome } from './place.ts';

/** The provider name of messages that came out of a recording. */
export const replayProvider = 'replay';
/** The provider name where no model can be asked, and none was needed. */
export const noProvider = 'none';

export interface ModelWish {
  model?: string | undefined;
  provider?: string | undefined;
  fallbackModels?: readonly string[] | undefined;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** Answers come from this recording instead of the network. */
  replay?: { name: string; text: string } | undefined;
}

/** The new file that takes every exchange, made with the first model and shared by those that come after it. */
export interface Recorder {
  /** How a transport is recorded, if it is to be. */
  open(): Promise<((transport: Transport, source: Source) => Transport) | undefined>;
  close(): void;
}

/** Who speaks, and what must not be written down of it. */
type Source = { api: string; provider: string; model: string; secrets(): readonly string[] };

export function createRecorder(path: string | undefined, warn: (text: string) => void): Recorder {
  let file: Recording | undefined;
  return {
    async open() {
      if (path === undefined) return undefined;
      const { openRecording, record } = await loadRecording();
      file ??= openRecording(path, warn);
      const kept = file;
      return (transport, source) => record(transport, kept, { ...source, scrub });
    },
    close: () => file?.close(),
  };
}

export interface ModelWorld {
  providers: readonly Provider[];
  credentials: Credentials;
  settings: Settings;
  home: Home;
  env: NodeJS.ProcessEnv;
  cwd: string;
  idleMs: number;
  recorder: Recorder;
  /** Is handed what closes the connections of each model. */
  onOpen(close: () => void): void;
  /** Something is wrong, but not so much that the run must end. */
  warn(text: string): void;
}

export interface SelectedModel {
  model: Model;
  /** The level that was written behind its name. */
  thinking?: ThinkingLevel;
  stream: StreamModel;
  /** The model, and those that may stand in for it. */
  models: readonly Model[];
}

export async function readProviders(
  home: Home,
  env: NodeJS.ProcessEnv,
): Promise<{ providers: readonly Provider[]; warnings: string[] }> {
  const file = await readJsonFile(home.models);
  return loadProviders(home.models, file?.value, env);
}

export async function selectModel(wish: ModelWish, world: ModelWorld): Promise<SelectedModel> {
  if (wish.replay) return replayed(wish.replay, world);
  const chosen = await choose(wish, world);
  const standIns: FoundModel[] = [];
  for (const name of wish.fallbackModels ?? world.settings.fallbackModels ?? []) {
    const found = await find(name, undefined, world);
    if (found) standIns.push(found);
  }
  // Asked for first and now: what the chosen one needs is missing before anything happens, or not at all.
  await world.credentials.find(chosen.provider);
  await resolvedHeaders(chosen.provider, chosen.model, world.credentials);
  const ca = readCertificates(world);
  await checkNetwork({ env: world.env, ...(ca !== undefined && { ca }) }, [chosen.model.baseUrl]);

  const recorded = await world.recorder.open();
  const open = ({ provider, model }: FoundModel): Link => {
    const idleMs = provider.timeoutSecs === undefined ? world.idleMs : provider.timeoutSecs * 1000;
    const network = httpTransport({ idleMs, env: world.env, onOpen: world.onOpen, ...(ca !== undefined && { ca }) });
    const secrets = () => world.credentials.secrets();
    const source = { api: model.api, provider: provider.name, model: model.id, secrets };
    const transport = recorded?.(network, source) ?? network;
    return { model, attempt: withCredentials(provider, transport, world.credentials) };
  };
  /** Whoever stands in with a level behind its name is asked with that one. */
  const openStandIn = (found: FoundModel): Link => {
    const { model, attempt } = open(found);
    const { thinking } = found;
    return { model, attempt: (request, signal) => attempt(thinking ? { ...request, thinking } : request, signal) };
  };
  return {
    model: chosen.model,
    ...(chosen.thinking && { thinking: chosen.thinking }),
    stream: createChain([open(chosen), ...standIns.map(openStandIn)], { policy: policyOf(world) }),
    models: [chosen, ...standIns].map(({ model }) => model),
  };
}

/** The recorded run again, with its tries and with whoever stood in: each speaks the protocol it was recorded in. */
async function replayed({ name, text }: NonNullable<ModelWish['replay']>, world: ModelWorld): Promise<SelectedModel> {
  const { replay } = await loadRecording();
  const { api, models, transport } = replay(name, text);
  const attempt = createAttempt({ transport, key: undefined });
  const baseUrl = 'http://replay.invalid';
  const link = (id: string, spoken: string): Link => ({
    model: { provider: replayProvider, id, api: spoken, baseUrl },
    attempt,
  });
  const first = link('recording', api);
  const standIns = models.slice(1).map((one) => link(`${one.provider}/${one.model}`, one.api));
  const links = [first, ...standIns] as const;
  const stream = createChain(links, { policy: policyOf(world) });
  return { model: first.model, stream, models: links.map(({ model }) => model) };
}

function policyOf({ settings }: ModelWorld): RetryPolicy {
  const { maxWaitSecs, ...waits } = settings.retry ?? {};
  return { ...defaultRetry, ...waits, ...(maxWaitSecs !== undefined && { maxWaitMs: maxWaitSecs * 1000 }) };
}

async function choose(wish: ModelWish, world: ModelWorld): Promise<FoundModel> {
  const found = await find(wish.model, wish.provider, world);
  if (!found) {
    const given = wish.apiKey === undefined ? 'TAU_API_KEY' : '--api-key';
    if (wish.apiKey === undefined && !world.env.TAU_API_KEY) throw await nothingToTalkTo(world);
    const why = 'so that the key goes to the right provider';
    throw new TauError('credentials', `${given} needs --model provider/id, ${why}`);
  }
  const baseUrl = wish.baseUrl ?? world.settings.baseUrl;
  return baseUrl === undefined ? found : { ...found, model: { ...found.model, baseUrl: checkUrl(baseUrl) } };
}

async function find(
  name: string | undefined,
  provider: string | undefined,
  world: ModelWorld,
): Promise<FoundModel | undefined> {
  const { providers, credentials, settings } = world;
  const found = await findModel(name, providers, {
    ready: credentials.ready,
    aliases: { ...(settings.smallModel !== undefined && { small: settings.smallModel }), ...settings.aliases },
    ...(provider !== undefined && { provider }),
  });
  if (!found) return undefined;
  const { model, matched, warning } = found;
  const label = `${model.provider}/${model.id}`;
  if (model.tools === false) {
    throw new TauError('configuration', `${label} cannot use tools, so it cannot work here`, {
      remedy: 'Choose another with --model; tau models lists them',
    });
  }
  const { availableModels } = settings;
  if (availableModels && !availableModels.some((pattern) => matchGlob(pattern, [model]).length > 0)) {
    throw new TauError('unknownModel', `${label} is not among the availableModels of the settings`, {
      remedy: `They allow: ${availableModels.join(', ')}`,
    });
  }
  if (matched) world.warn(`"${name}" is taken to mean ${label}`);
  if (warning !== undefined) world.warn(warning);
  return found;
}

/** Key and headers are looked up with each request: `auth.json` may hold another key by then. */
function withCredentials(provider: Provider, transport: Transport, credentials: Credentials): Link['attempt'] {
  return async function* (request, signal) {
    const key = await credentials.find(provider, signal);
    const headers = await resolvedHeaders(provider, request.model, credentials, signal);
    const compat = credentials.bearer(provider) && { ...request.model.compat, authHeader: 'bearer' };
    const model = { ...request.model, ...(headers && { headers }), ...(compat && { compat }) };
    yield* createAttempt({ transport, key, clean: credentials.scrub })({ ...request, model }, signal);
  };
}

async function resolvedHeaders(
  provider: Provider,
  { headers }: Model,
  credentials: Credentials,
  signal?: AbortSignal,
): Promise<Record<string, string> | undefined> {
  return headers && (await credentials.headers({ ...provider, headers }, signal));
}

function readCertificates({ settings: { caFile }, home }: ModelWorld): string | undefined {
  if (caFile === undefined) return undefined;
  // Never beside the project: what is trusted is the user's to say.
  const path = underHome(caFile, home) ?? caFile;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new TauError('configuration', `The certificates in ${path} cannot be read: ${describeError(cause)}`, {
      remedy: 'Mend or remove caFile in the settings',
      cause,
    });
  }
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new TauError('usage', `The base URL "${text}" is not an http or https address`);
}

/** The first thing a new user may see: what to set, what was looked for, and what works without any of it. */
async function nothingToTalkTo({ providers, credentials }: ModelWorld): Promise<TauError> {
  const lines = [
    'Any of these gives tau one:',
    '  a key: in ANTHROPIC_API_KEY, OPENAI_API_KEY, …, or kept by tau auth set PROVIDER',
    '  any other server, described in ~/.tau/models.json',
    ...providers
      .filter((one) => one.own && !one.local && one.unusable === undefined && !credentials.ready(one))
      .map((one) => `  ${one.name}, which is described there, needs ${neededKey(one)}.`),
  ];
  for (const { provider, baseUrl, models } of await findLocalServers(providers)) {
    const name = localNames[provider] ?? provider;
    const [first] = models ?? [];
    if (first) lines.push(`  ${name} is running at ${baseUrl}: try --model ${provider}/${first}`);
    else lines.push(`  ${name}: ${models ? 'running, but it has no model' : 'not running'} at ${baseUrl}.`);
  }
  lines.push('To see tau work without a model or a key: tau demo');
  return new TauError('credentials', 'No model to talk to', { remedy: lines.join('\n') });
}

const localNames: Readonly<Record<string, string>> = {
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  llamacpp: 'llama.cpp',
};
