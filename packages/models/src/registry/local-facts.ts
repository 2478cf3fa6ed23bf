/** What Ollama, LM Studio and llama.cpp tell of their models beyond their names, each in its own way. */
import { isRecord } from '@tau/core';
import type { ModelFacts } from './provider.ts';

/** The JSON a local server answers with, if it does so soon and with success. A body makes it a POST. */
export type AskLocal = (url: string, body?: object) => Promise<unknown>;

/** Ollama is asked once for each model; a list as long as this is described in part. */
const maxAsked = 32;

export async function describeLocal(
  server: string,
  origin: string,
  ids: readonly string[],
  ask: AskLocal,
): Promise<ModelFacts[]> {
  const bare = ids.map((id): ModelFacts => ({ id }));
  switch (server) {
    case 'ollama':
      return Promise.all(
        bare.map(async ({ id }, index) => ({
          id,
          ...(index < maxAsked && ollamaFacts(await ask(`${origin}/api/show`, { model: id }))),
        })),
      );
    case 'lmstudio': {
      const listed = lmStudioFacts(await ask(`${origin}/api/v0/models`));
      // What embeds text does not answer in any.
      return bare
        .filter(({ id }) => listed.get(id) !== 'embeddings')
        .map(({ id }) => {
          const facts = listed.get(id);
          return { id, ...(typeof facts === 'object' && facts) };
        });
    }
    case 'llamacpp': {
      const facts = llamaFacts(await ask(`${origin}/props`));
      // It speaks of the one model it serves.
      return bare.length === 1 ? bare.map(({ id }) => ({ id, ...facts })) : bare;
    }
    default:
      return bare;
  }
}

type Told = Pick<ModelFacts, 'contextWindow' | 'images' | 'tools' | 'reasoning'>;

/** The window a model was set up with counts before the one it was trained with. */
function ollamaFacts(answer: unknown): Told {
  if (!isRecord(answer)) return {};
  const { model_info: info, parameters, capabilities } = answer;
  const trained = isRecord(info)
    ? Object.entries(info).find(([key]) => key.endsWith('.context_length'))?.[1]
    : undefined;
  const set = typeof parameters === 'string' ? /^num_ctx\s+(\d+)/m.exec(parameters)?.[1] : undefined;
  return {
    ...window(set === undefined ? trained : Number(set)),
    ...(Array.isArray(capabilities) && {
      images: capabilities.includes('vision'),
      tools: capabilities.includes('tools'),
      reasoning: capabilities.includes('thinking'),
    }),
  };
}

function lmStudioFacts(answer: unknown): Map<unknown, Told | 'embeddings'> {
  const listed = isRecord(answer) && Array.isArray(answer.data) ? answer.data.filter(isRecord) : [];
  return new Map(
    listed.map((model) => [
      model.id,
      model.type === 'embeddings'
        ? 'embeddings'
        : {
            ...window(model.loaded_context_length ?? model.max_context_length),
            ...(typeof model.type === 'string' && { images: model.type === 'vlm' }),
            ...(Array.isArray(model.capabilities) && { tools: model.capabilities.includes('tool_use') }),
          },
    ]),
  );
}

function llamaFacts(answer: unknown): Told {
  if (!isRecord(answer)) return {};
  const { default_generation_settings: settings, modalities } = answer;
  return {
    ...window(isRecord(settings) ? settings.n_ctx : undefined),
    ...(isRecord(modalities) && typeof modalities.vision === 'boolean' && { images: modalities.vision }),
  };
}

function window(value: unknown): Pick<ModelFacts, 'contextWindow'> {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? { contextWindow: value } : {};
}
