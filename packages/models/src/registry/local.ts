/** Asks the servers that people run on their own machine whether they are there, and what their models can do. */
import { endpoint } from '../url.ts';
import { type AskLocal, describeLocal } from './local-facts.ts';
import { overlay } from './model-entry.ts';
import type { ModelFacts, Provider } from './provider.ts';

export interface LocalServer {
  provider: string;
  baseUrl: string;
  /** `undefined`: nobody answered. */
  models: string[] | undefined;
  /** What it says of them. Those it says nothing of are there with their id only. */
  facts: readonly ModelFacts[];
}

/** A server that does not answer within this time is not there. */
const patienceMs = 500;
const maxChars = 1_000_000;

export async function findLocalServers(providers: readonly Provider[]): Promise<LocalServer[]> {
  const local = providers.filter((provider) => provider.local && provider.unusable === undefined);
  return Promise.all(
    local.map(async ({ name, baseUrl }) => {
      const models = modelIds(await askLocal(endpoint(baseUrl, '/models')));
      const facts =
        models && models.length > 0 ? await describeLocal(name, new URL(baseUrl).origin, models, askLocal) : [];
      return { provider: name, baseUrl, models, facts };
    }),
  );
}

const askLocal: AskLocal = async (url, body) => {
  // One behind TLS is not on this machine.
  if (!url.startsWith('http:')) return undefined;
  const { request } = await import('node:http');
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(patienceMs);
    const headers = { 'content-type': 'application/json' };
    const outgoing = request(url, body ? { method: 'POST', headers, signal } : { signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
        if (text.length > maxChars) outgoing.destroy();
      });
      response.on('end', () => resolve(response.statusCode === 200 ? parsed(text) : undefined));
      response.on('error', () => resolve(undefined));
    });
    outgoing.on('error', () => resolve(undefined));
    outgoing.end(body && JSON.stringify(body));
  });
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function modelIds(answer: unknown): string[] | undefined {
  if (typeof answer !== 'object' || answer === null || !('data' in answer) || !Array.isArray(answer.data)) {
    return undefined;
  }
  return answer.data.map((model) => model?.id).filter((id) => typeof id === 'string');
}

/** The providers with what their servers told put in. What the user says of a model counts more. */
export function fillLocal(providers: readonly Provider[], servers: readonly LocalServer[]): Provider[] {
  return providers.map((provider) => {
    const told = new Map(
      servers.find(({ provider: name }) => name === provider.name)?.facts.map((one) => [one.id, one]),
    );
    if (told.size === 0) return provider;
    const own = provider.models.map((facts) => overlay(told.get(facts.id) ?? { id: facts.id }, facts));
    for (const { id } of own) told.delete(id);
    return { ...provider, models: [...own, ...told.values()] };
  });
}
