/** From settings, flags and environment to a model that can be streamed from. */
import { type Model, type StreamModel, TauError } from '@tau/core';
import {
  chooseModel,
  createStream,
  findKey,
  findLocalServers,
  httpTransport,
  loadProviders,
  type Provider,
  replay,
} from '@tau/models';
import type { Home } from './config/home.ts';
import { readJsonFile } from './config/jsonc.ts';

/** The provider name of messages that came out of a recording. */
export const replayProvider = 'replay';

export interface ModelWish {
  /** `provider/id` or an id. */
  model?: string;
  apiKey?: string;
  baseUrl?: string;
  /** Answers come from this recording instead of the network. */
  replay?: { name: string; text: string };
  idleMs: number;
}

export interface SelectedModel {
  model: Model;
  stream: StreamModel;
}

export async function readProviders(home: Home): Promise<{ providers: readonly Provider[]; warnings: string[] }> {
  const file = await readJsonFile(home.models);
  return loadProviders(home.models, file?.value);
}

export async function selectModel(
  wish: ModelWish,
  providers: readonly Provider[],
  env: NodeJS.ProcessEnv,
): Promise<SelectedModel> {
  if (wish.replay) {
    const { api, transport } = replay(wish.replay.name, wish.replay.text);
    const model: Model = { provider: replayProvider, id: 'recording', api, baseUrl: 'http://replay.invalid' };
    return { model, stream: createStream({ transport, key: undefined }) };
  }
  const choice = chooseModel(wish.model, providers, env, wish.apiKey);
  if (!choice) throw await nothingToTalkTo(providers);
  const key = await findKey(choice.provider, env, wish.apiKey);
  const model = wish.baseUrl === undefined ? choice.model : { ...choice.model, baseUrl: checkUrl(wish.baseUrl) };
  return { model, stream: createStream({ transport: httpTransport({ idleMs: wish.idleMs }), key }) };
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new TauError('usage', `--base-url "${text}" is not an http or https address`);
}

/** The first thing a new user may see: what to set, what was looked for, and what works without any of it. */
async function nothingToTalkTo(providers: readonly Provider[]): Promise<TauError> {
  const variables = providers.flatMap((provider) => provider.keyVariable ?? []);
  const lines = [`Set ${variables.join(' or ')}, or describe your provider in ~/.tau/models.json.`];
  for (const { provider, baseUrl, models } of await findLocalServers(providers)) {
    const name = localNames[provider] ?? provider;
    const first = models?.[0];
    if (first) lines.push(`${name} is running at ${baseUrl}: try --model ${provider}/${first}`);
    else lines.push(`${name}: ${models ? 'running, but it has no model' : 'not running'} at ${baseUrl}.`);
  }
  lines.push('To see tau work without a model or a key: tau demo');
  return new TauError('credentials', 'No model to talk to', { remedy: lines.join('\n') });
}

const localNames: Readonly<Record<string, string>> = {
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  llamacpp: 'llama.cpp',
};
