/**
 * From what the user wrote to a model: an alias, `provider/id`, an id, a pattern, a few words. Never a silent other one:
 * what was only guessed says so, and what could be several is an error that lists them.
 */
import { type Model, nearestAll, TauError, type ThinkingLevel, thinkingLevels } from '@tau/core';
import { shippedAliases } from '../catalogue/catalogue.ts';
import { fullName, isGlob, matchGlob, rankFuzzy, withoutOldEditions } from './match.ts';
import { modelOf, modelsOf } from './models-of.ts';
import type { ModelFacts, Provider } from './provider.ts';

export interface FindOptions {
  /** Whether it has what it takes to be asked. */
  ready: (provider: Provider) => boolean;
  /** The user's own short names. */
  aliases?: Readonly<Record<string, string>>;
  /** Look at this one only. */
  provider?: string;
}

export interface FoundModel {
  provider: Provider;
  model: Model;
  /** The level that was written behind the name. */
  thinking?: ThinkingLevel;
  /** The name was completed: whoever asked is to be told which model it is. */
  matched?: 'glob' | 'fuzzy';
  /** The model is used as it was written, but it may be a mistake. */
  warning?: string;
}

/** `undefined`: nothing was asked for, and nothing is ready. */
export async function findModel(
  wish: string | undefined,
  providers: readonly Provider[],
  options: FindOptions,
): Promise<FoundModel | undefined> {
  const among = options.provider === undefined ? providers : [providerNamed(options.provider, providers)];
  if (wish === undefined) return firstReady(among, options);
  const search: Search = { providers: among, ready: options.ready };
  const named = options.provider !== undefined && wish.startsWith(`${options.provider}/`);
  const text = (named ? wish.slice(wish.indexOf('/') + 1) : wish).trim();
  if (text === '') throw unknown(wish, 'It is empty', 'Write it as provider/id; tau models lists what there is');
  const target = aliased(text, search, options.aliases ?? {});
  return (await exactly(target, search)) ?? (await nearly(target, search));
}

interface Search {
  providers: readonly Provider[];
  ready: (provider: Provider) => boolean;
}

/** A model in the list of its provider. */
interface Candidate {
  provider: string;
  id: string;
  owner: Provider;
  facts: ModelFacts;
}

/** The name that is meant. An alias may carry a level of its own; one that is written behind the alias counts more. */
function aliased(text: string, { providers }: Search, aliases: Readonly<Record<string, string>>): string {
  const { text: stem, thinking } = splitThinking(text);
  const shipped = (name: string): string => {
    // A model that the user described has its name for itself.
    const described = providers.some(({ models }) => models.some(({ id }) => id === name));
    const target = Object.hasOwn(shippedAliases, name) && !described ? shippedAliases[name] : undefined;
    return target !== undefined && providerOf(target, providers) ? target : name;
  };
  const meant = (name: string): string => {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return own === undefined ? shipped(name) : joined(shipped(splitThinking(own).text), splitThinking(own).thinking);
  };
  const whole = meant(text);
  if (whole !== text || !thinking) return whole;
  return joined(splitThinking(meant(stem)).text, thinking);
}

function joined(name: string, thinking: ThinkingLevel | undefined): string {
  return thinking ? `${name}:${thinking}` : name;
}

function splitThinking(text: string): { text: string; thinking?: ThinkingLevel } {
  const colon = text.lastIndexOf(':');
  const thinking = thinkingLevels.find((level) => level === text.slice(colon + 1));
  return colon > 0 && thinking ? { text: text.slice(0, colon), thinking } : { text };
}

/** What is written is a name: of a provider and its model, or of a model that somebody lists. */
async function exactly(text: string, search: Search): Promise<FoundModel | undefined> {
  const split = splitThinking(text);
  const readings: (typeof split)[] = [{ text }, split];
  const named = providerOf(text, search.providers);
  if (named) {
    assertUsable(named);
    const models = await modelsOf(named);
    for (const { text: name, thinking } of readings) {
      const id = name.slice(named.name.length + 1);
      const facts = models.find((one) => one.id === id);
      if (facts) return found(named, facts, thinking);
    }
    const id = split.text.slice(named.name.length + 1);
    if (isGlob(id)) return undefined;
    return unlisted(named, id, models, split.thinking);
  }
  const all = await candidates(search.providers);
  for (const { text: id, thinking } of readings) {
    const listing = all.filter((one) => one.id === id);
    const ready = listing.length > 1 ? listing.filter(({ owner }) => search.ready(owner)) : listing;
    const [only] = ready;
    if (only && ready.length === 1) return found(only.owner, only.facts, thinking);
    if (listing.length > 1) {
      throw several(`"${id}" is offered by several providers`, ready.length > 0 ? ready : listing);
    }
  }
  return undefined;
}

/** An id that its provider does not list: taken at its word where the provider is open, with a word of doubt. */
function unlisted(
  provider: Provider,
  id: string,
  models: readonly ModelFacts[],
  thinking: ThinkingLevel | undefined,
): FoundModel {
  if (id === '') {
    throw unknown(`${provider.name}/`, 'No model is named behind the slash', `tau models ${provider.name} lists them`);
  }
  const ids = models.map((model) => model.id);
  const near = nearIds(id, provider, models);
  if (!provider.open) {
    const listed = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `It lists: ${some(ids)}`;
    throw new TauError('unknownModel', `${provider.name} has no model "${id}"`, { remedy: listed });
  }
  const facts = provider.modelOverrides?.[id] ?? {};
  const taken = found(provider, { id, ...facts }, thinking);
  if (near.length === 0) return taken;
  const warning = `${provider.name} is not known to have a model "${id}"; it is asked for all the same`;
  return { ...taken, warning: `${warning}. Did you mean ${near.join(' or ')}?` };
}

/** A few letters off, or the words of it. */
function nearIds(id: string, provider: Provider, models: readonly ModelFacts[]): string[] {
  const byLetters = nearestAll(
    id,
    models.map((model) => model.id),
    3,
  );
  if (byLetters.length > 0) return byLetters;
  const named = models.map((model) => ({ provider: provider.name, id: model.id }));
  return rankFuzzy(id, withoutOldEditions(named))
    .slice(0, 3)
    .map(({ one }) => one.id);
}

/** What is written is no name: a pattern, or parts of one. */
async function nearly(written: string, search: Search): Promise<FoundModel> {
  const { text, thinking } = splitThinking(written);
  const all = await candidates(search.providers);
  if (isGlob(text)) {
    const matches = favoured(withoutOldEditions(matchGlob(text, all)), search);
    const [only] = matches;
    if (!only) throw noneLike(text, search, all, `No model fits the pattern "${text}"`);
    if (matches.length > 1) throw several(`"${text}" fits several models`, matches);
    return { ...found(only.owner, only.facts, thinking), matched: 'glob' };
  }
  const ranked = rankFuzzy(text, withoutOldEditions(all));
  const ready = ranked.filter(({ one }) => search.ready(one.owner));
  const rest = ready.length > 0 ? ready : ranked;
  const [best, next] = rest;
  // Letters alone are a guess: with several to choose from it would be a silent other model.
  if (best && (best.byWords ? best.distance !== next?.distance : next === undefined)) {
    return { ...found(best.one.owner, best.one.facts, thinking), matched: 'fuzzy' };
  }
  if (best)
    throw several(
      `"${text}" can mean several models`,
      rest.map(({ one }) => one),
    );
  const near = nearestAll(
    text,
    all.map(({ id }) => id),
    1,
  );
  const maker = near.length === 0 ? search.providers.find(({ name }) => name === makerOf(text)) : undefined;
  if (!maker) throw noneLike(text, search, all, `No provider is known for the model "${text}"`);
  assertUsable(maker);
  const warning = `No provider lists "${text}"; by its name it is asked of ${maker.name}`;
  return { ...found(maker, { id: text }, thinking), warning };
}

/** Who makes models that are called so, for those too new to be listed. */
function makerOf(id: string): string | undefined {
  const makers = { anthropic: /^claude-/, openai: /^(gpt-|o\d)/, google: /^gemini-/, xai: /^grok-/ };
  return Object.entries(makers).find(([, pattern]) => pattern.test(id))?.[0];
}

/** Those of ready providers, if there are any: the others could not be asked anyway. */
function favoured(all: readonly Candidate[], { ready }: Search): readonly Candidate[] {
  const asked = all.filter(({ owner }) => ready(owner));
  return asked.length > 0 ? asked : all;
}

/** The user's own come first; a local server is never chosen silently. */
async function firstReady(providers: readonly Provider[], { ready, provider }: FindOptions) {
  for (const one of providers) {
    // Whoever names a provider has chosen it, ready or not.
    if (provider === undefined && (one.local || one.unusable !== undefined || !ready(one))) continue;
    assertUsable(one);
    const id = one.models.find((model) => model.unusable === undefined)?.id ?? one.defaultModel;
    if (id !== undefined) {
      const facts = (await modelsOf(one)).find((model) => model.id === id);
      return found(one, facts ?? { id }, undefined);
    }
    if (provider === undefined) continue;
    throw new TauError('unknownModel', `${one.name} has no model that is taken by itself`, {
      remedy: `Say which with --model; tau models ${one.name} lists what is known`,
    });
  }
  return undefined;
}

async function candidates(providers: readonly Provider[]): Promise<Candidate[]> {
  const usable = providers.filter(({ unusable }) => unusable === undefined);
  const lists = await Promise.all(usable.map(modelsOf));
  return usable.flatMap((owner, index) =>
    (lists[index] ?? []).map((facts) => ({ provider: owner.name, id: facts.id, owner, facts })),
  );
}

/** The provider a name begins with. */
function providerOf(text: string, providers: readonly Provider[]): Provider | undefined {
  const slash = text.indexOf('/');
  return slash > 0 ? providers.find(({ name }) => name === text.slice(0, slash)) : undefined;
}

function providerNamed(name: string, providers: readonly Provider[]): Provider {
  const provider = providers.find((one) => one.name === name);
  if (provider) return provider;
  const names = providers.map((one) => one.name);
  const [near] = nearestAll(name, names, 1);
  throw new TauError('unknownModel', `There is no provider "${name}"`, {
    remedy: near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}`,
  });
}

function found(provider: Provider, facts: ModelFacts, thinking: ThinkingLevel | undefined): FoundModel {
  assertUsable(facts);
  return { provider, model: modelOf(provider, facts), ...(thinking && { thinking }) };
}

function assertUsable({ unusable }: { unusable?: string }): void {
  if (unusable === undefined) return;
  throw new TauError('configuration', unusable, { remedy: 'Mend that, or choose another with --model' });
}

function several(problem: string, matches: readonly Candidate[]): TauError {
  return new TauError('unknownModel', problem, { remedy: `Say which: ${some(matches.map(fullName))}` });
}

function noneLike(text: string, { providers }: Search, all: readonly Candidate[], problem: string): TauError {
  const near = nearestAll(text, [...new Set([...all.map(({ id }) => id), ...all.map(fullName)])], 3);
  const names = providers.map(({ name }) => name).join(', ');
  return new TauError('unknownModel', problem, {
    remedy: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Write it as provider/id with one of: ${names}`,
  });
}

function unknown(wish: string, why: string, remedy: string): TauError {
  return new TauError('unknownModel', `"${wish}" names no model: ${why}`, { remedy });
}

/** A list for a sentence, of at most eight. */
function some(names: readonly string[]): string {
  const rest = names.length - 8;
  return names.slice(0, 8).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
