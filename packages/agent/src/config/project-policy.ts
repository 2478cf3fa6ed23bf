/**
 * What a project says counts only where it cannot hurt: nothing in it runs code, raises permissions, redirects an endpoint
 * or reads a secret until the project is trusted. Pure.
 */
import { isRecord } from '@tau/core';
import { isStyle } from '../prompt/styles.ts';
import { keys } from './keys.ts';
import type { SettingName } from './types.ts';

/** Why a project's value does not count, or nothing when it does. `below` is what counts without it. */
export function projectRefusal(name: SettingName, given: unknown, below: unknown): string | undefined {
  const { project, default: standard } = keys[name];
  const base = below ?? standard;
  switch (project) {
    case 'yes':
      return undefined;
    case 'no':
      return 'it is not taken from a project that is not trusted';
    case 'off':
      return given === false || base === true ? undefined : 'a project that is not trusted can only turn it off';
    case 'on':
      return given === true || base === false ? undefined : 'a project that is not trusted can only turn it on';
    case 'less':
      return isLess(given, base) ? undefined : 'a project that is not trusted can only make it stricter';
    case 'fewer':
      return isFewer(given, base) ? undefined : 'a project that is not trusted can only take away from it';
    case 'new': {
      const taken = takenName(given, base);
      return taken === undefined ? undefined : `a project that is not trusted cannot say what "${taken}" means`;
    }
    case 'known':
      return typeof given === 'string' && isStyle(given)
        ? undefined
        : 'a project that is not trusted can only choose one that tau knows';
  }
}

/** One that the user has for something else, or that is the full name of a model. */
function takenName(given: unknown, base: unknown): string | undefined {
  if (!isRecord(given)) return undefined;
  return Object.keys(given).find(
    (name) => name.includes('/') || (isRecord(base) && Object.hasOwn(base, name) && base[name] !== given[name]),
  );
}

/** The rest allow more than these, each something else: none of them is less than another. */
const strictness: Readonly<Record<string, number>> = { plan: 0, dontAsk: 1, default: 2 };
const others = 3;

function isLess(given: unknown, base: unknown): boolean {
  if (typeof given === 'number') return typeof base !== 'number' || given <= base;
  return given === base || (strictness[String(given)] ?? others) < (strictness[String(base)] ?? others);
}

/** `default` is no list to take away from; what is in `minimal` is not known here. */
function isFewer(given: unknown, base: unknown): boolean {
  if (given === base || base === undefined || base === 'default') return true;
  return Array.isArray(given) && Array.isArray(base) && given.every((one) => base.includes(one));
}
