/** Ids of calls as a server takes them: the same one for a call and for its result, every time. */
import { alias } from '../alias.ts';
import type { Compat } from './compat.ts';

export function toolIds({ requiresMistralToolIds, toolIdLength }: Compat): (id: string) => string {
  return requiresMistralToolIds ? mistralId : (id) => alias(id, toolIdLength);
}

/** Nine letters and digits. What is not so gets a hash: two halves, because 32 bits are soon used up by a long talk. */
function mistralId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
  const high = hash(id, 0x811c9dc5) % 36 ** 4;
  const low = hash(id, 0x9dc5811c) % 36 ** 5;
  return high.toString(36).padStart(4, '0') + low.toString(36).padStart(5, '0');
}

/** FNV-1a, from a seed of ours. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
