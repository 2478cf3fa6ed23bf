/**
 * The models tau knows of, written by scripts/catalogue.mjs. The providers are always at hand; each one's list is a part
 * of the bundle of its own, read when somebody asks for it.
 */
import { changesOf, type ModelEntry } from '../registry/model-entry.ts';
import type { ModelFacts, Provider } from '../registry/provider.ts';
import index from './index.json';

/** Where the facts come from, and of which day they are. */
export const catalogueSource: Readonly<Record<'package' | 'version' | 'licence' | 'published', string>> = index.source;

/** Short names and the `provider/id` each stands for. */
export const shippedAliases: Readonly<Record<string, string>> = index.aliases;

export const catalogueProviders: readonly Provider[] = index.providers.map(({ models: _, ...provider }) => ({
  ...provider,
  catalogued: true,
  models: [],
  open: true,
}));

/** Sorted by id; none for a provider that is not in the catalogue. */
export async function catalogueModels(provider: string): Promise<readonly ModelFacts[]> {
  const entries = await lists.get(provider)?.();
  // The source leaves out what cannot call tools.
  return entries?.map((entry) => ({ id: entry.id, ...changesOf(entry), tools: true })) ?? [];
}

type List = () => Promise<readonly ModelEntry[]>;

/** Spelled out, because the bundler makes a part of what it can read. */
const lists: ReadonlyMap<string, List> = new Map<string, List>([
  ['anthropic', async () => entriesOf(await import('./anthropic.json'))],
  ['openai', async () => entriesOf(await import('./openai.json'))],
  ['google', async () => entriesOf(await import('./google.json'))],
  ['deepseek', async () => entriesOf(await import('./deepseek.json'))],
  ['xai', async () => entriesOf(await import('./xai.json'))],
  ['mistral', async () => entriesOf(await import('./mistral.json'))],
  ['moonshot', async () => entriesOf(await import('./moonshot.json'))],
  ['zai', async () => entriesOf(await import('./zai.json'))],
  ['zai-coding-plan', async () => entriesOf(await import('./zai-coding-plan.json'))],
  ['groq', async () => entriesOf(await import('./groq.json'))],
  ['cerebras', async () => entriesOf(await import('./cerebras.json'))],
  ['together', async () => entriesOf(await import('./together.json'))],
  ['fireworks', async () => entriesOf(await import('./fireworks.json'))],
  ['openrouter', async () => entriesOf(await import('./openrouter.json'))],
  ['opencode', async () => entriesOf(await import('./opencode.json'))],
  ['opencode-go', async () => entriesOf(await import('./opencode-go.json'))],
  ['azure', async () => entriesOf(await import('./azure.json'))],
]);

/** The file was made in this shape, and a test holds it to that. */
function entriesOf(file: { default: unknown }): readonly ModelEntry[] {
  return isList(file.default) ? file.default : [];
}

function isList(value: unknown): value is readonly ModelEntry[] {
  return Array.isArray(value);
}
