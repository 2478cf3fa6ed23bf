/** The models to choose from, with what a person wants to know of each, and those that a key goes through. */
import { type Agent, type ListedModel, listModels } from '@tau/agent';
import type { SelectItem } from '@tau/tui';
import { labelOf } from '../../commands/talking.ts';

export async function listReady(scope?: readonly string[]): Promise<ListedModel[]> {
  const { models } = await listModels({ env: process.env, cwd: process.cwd(), ...(scope && { scope }) });
  return models;
}

export function modelItems(models: readonly ListedModel[]): SelectItem<string>[] {
  return models.map((model) => ({ value: labelOf(model), label: labelOf(model), description: aboutModel(model) }));
}

/** `1M · $3 in, $15 out · thinks · images`; what nobody published is left out. */
export function aboutModel({ contextWindow, cost, reasoning, images, local }: ListedModel): string {
  return [
    ...(contextWindow === undefined ? [] : [tokens(contextWindow)]),
    ...(cost ? [`$${cost.input} in, $${cost.output} out`] : local ? ['local'] : []),
    ...(reasoning ? ['thinks'] : []),
    ...(images ? ['images'] : []),
  ].join(' · ');
}

function tokens(count: number): string {
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(1))}M`;
  return count >= 1000 ? `${Math.round(count / 1000)}K` : String(count);
}

export interface ModelCycle {
  /** The next of them answers from now on. Presses that come quickly go on from each other. */
  step(by: 1 | -1): Promise<string>;
}

/** How long what is ready is believed to be so: asking costs a look at every local server. */
const freshMs = 30_000;

export function createModelCycle(
  agent: Pick<Agent, 'model' | 'setModel'>,
  scope: () => readonly string[] | undefined,
  list: (scope: readonly string[] | undefined) => Promise<readonly Pick<ListedModel, 'provider' | 'id'>[]> = listReady,
  now: () => number = Date.now,
): ModelCycle {
  let known: { models: readonly string[]; wanted: string; at: number } | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function ready(): Promise<readonly string[]> {
    const patterns = scope();
    const wanted = JSON.stringify(patterns ?? null);
    if (known?.wanted !== wanted || now() - known.at > freshMs) {
      known = { models: (await list(patterns)).map(labelOf), wanted, at: now() };
    }
    return known.models;
  }

  async function go(by: 1 | -1): Promise<string> {
    const models = await ready();
    const at = models.indexOf(labelOf(agent.model));
    const next = models[at < 0 ? (by > 0 ? 0 : models.length - 1) : (at + by + models.length) % models.length];
    if (next === undefined) return 'No model is ready: /model says more';
    if (next === labelOf(agent.model)) return `${next} is the only one; /scoped-models chooses more`;
    await agent.setModel(next);
    return `Now ${next}`;
  }

  return {
    step(by) {
      const mine = turn.then(() => go(by));
      turn = mine.catch(() => {});
      return mine;
    },
  };
}
