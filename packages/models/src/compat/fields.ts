/** Reads the open `compat` record of a model: what has the right type counts, the rest is named and left out. */
import { isRecord } from '@tau/core';

/** What a field may hold. A list names the words it takes. A field of other programs that says nothing here says why. */
export type Kind = 'flag' | 'count' | 'text' | 'texts' | 'levels' | 'record' | readonly string[] | { idle: string };

export type Given = Readonly<Record<string, unknown>>;

/** One sentence for each field that is unknown or of the wrong type. */
export function fieldProblems(compat: unknown, kinds: Readonly<Record<string, Kind>>): string[] {
  if (compat === undefined) return [];
  if (!isRecord(compat)) return ['compat is not an object'];
  return Object.entries(compat).flatMap(([name, value]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) return [`compat.${name} is not known`];
    if (isIdle(kind)) return [`compat.${name} has no effect: ${kind.idle}`];
    return fits(value, kind) ? [] : [`compat.${name} is not ${describe(kind)}`];
  });
}

export function flag(given: Given, name: string, otherwise: boolean): boolean {
  const value = given[name];
  return typeof value === 'boolean' ? value : otherwise;
}

export function count(given: Given, name: string, otherwise: number): number {
  const value = given[name];
  return isCount(value) ? value : otherwise;
}

export function word(given: Given, name: string, otherwise: string): string {
  const value = given[name];
  return isText(value) ? value : otherwise;
}

export function wordFrom<Word extends string>(given: Given, name: string, words: readonly Word[]): Word | undefined {
  return words.find((known) => known === given[name]);
}

export function words(given: Given, name: string): readonly string[] {
  const value = given[name];
  return Array.isArray(value) ? value.filter(isText) : [];
}

export function record(given: Given, name: string): Given | undefined {
  const value = given[name];
  return isRecord(value) ? value : undefined;
}

type Typed = Exclude<Kind, { idle: string }>;

function isIdle(kind: Kind): kind is { idle: string } {
  return typeof kind === 'object' && 'idle' in kind;
}

function fits(value: unknown, kind: Typed): boolean {
  switch (kind) {
    case 'flag':
      return typeof value === 'boolean';
    case 'count':
      return isCount(value);
    case 'text':
      return isText(value);
    case 'texts':
      return Array.isArray(value) && value.every(isText);
    case 'levels':
      return isRecord(value) && Object.values(value).every((effort) => effort === null || isText(effort));
    case 'record':
      return isRecord(value);
    default:
      return kind.some((known) => known === value);
  }
}

function describe(kind: Typed): string {
  switch (kind) {
    case 'flag':
      return 'true or false';
    case 'count':
      return 'a whole number above zero';
    case 'text':
      return 'a text';
    case 'texts':
      return 'a list of texts';
    case 'levels':
      return 'an object from thinking levels to texts';
    case 'record':
      return 'an object';
    default:
      return `one of ${kind.join(', ')}`;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
