/** An entry of `auth.json`: a key, or a login with a token that runs out. */
import { isRecord } from '@tau/core';

export type AuthEntry =
  | { type: 'api_key'; key: string }
  /** `expires` in milliseconds since 1970. */
  | { type: 'oauth'; access: string; refresh?: string; expires?: number };

/** The entry, or what is wrong with it. Its values are never part of the sentence. */
export function parseEntry(value: unknown): AuthEntry | { problem: string } {
  if (!isRecord(value)) return { problem: 'it is not an object' };
  const { type, key, access, refresh, expires } = value;
  switch (type) {
    case 'api_key':
      return isText(key) ? { type, key: key.trim() } : { problem: 'its "key" is missing' };
    case 'oauth':
      if (!isText(access)) return { problem: 'its "access" is missing' };
      if (expires !== undefined && typeof expires !== 'number') return { problem: 'its "expires" is not a number' };
      return {
        type,
        access: access.trim(),
        ...(isText(refresh) && { refresh }),
        ...(expires !== undefined && { expires }),
      };
    default:
      return { problem: 'its "type" is neither "api_key" nor "oauth"' };
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

export function isExpired(entry: AuthEntry, now: number): boolean {
  return entry.type === 'oauth' && entry.expires !== undefined && entry.expires <= now;
}
