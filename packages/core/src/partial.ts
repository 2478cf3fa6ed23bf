/** The arguments of a call while they still arrive. */
import { Allow, parse } from 'partial-json';
import { isRecord } from './record.ts';

/**
 * What is there so far, as an object. Strings, lists and objects may be half; a number or a word is there only when it is
 * whole, because half of it would be another one. Nothing yet, or not an object: an empty one.
 */
export function partialArguments(json: string): Record<string, unknown> {
  try {
    const value: unknown = parse(json, Allow.STR | Allow.OBJ | Allow.ARR);
    if (/__proto__|\\u005f/i.test(json) && inherits(value)) return {};
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The parser takes a key that is called so for the prototype, and then things seem to be there that nobody said. */
function inherits(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return true;
  return Object.values(value).some(inherits);
}
