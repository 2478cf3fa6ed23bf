/** Names and ids of calls, as Gemini takes them. */
import { alias } from '../alias.ts';

const maxName = 64;

/** A name must begin with a letter or an underscore. */
export function wireName(name: string): string {
  const short = alias(name, maxName);
  return /^[a-zA-Z_]/.test(short) ? short : `_${alias(name, maxName - 1)}`;
}

/** Marks the ids that are ours: to the API they mean nothing, so they are never sent. */
const ownPrefix = 'tau-call-';

export function newCallId(): string {
  return `${ownPrefix}${crypto.randomUUID()}`;
}

export function isNewCallId(id: string): boolean {
  return id.startsWith(ownPrefix);
}
