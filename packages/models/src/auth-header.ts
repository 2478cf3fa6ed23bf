/** Headers that carry a key: how one is sent, and how one is known among others. */

/** `bearer`, or a header by its own name. */
export function authHeaders(key: string | undefined, authHeader: string): Record<string, string> {
  if (key === undefined) return {};
  return authHeader === 'bearer' ? { authorization: `Bearer ${key}` } : { [authHeader.toLowerCase()]: key };
}

/** The secret in a header whose name promises one, without the word that says of which kind it is. */
export function secretIn(name: string, value: string): string | undefined {
  if (!/auth|key|token|secret|cookie|credential|password|signature/i.test(name)) return undefined;
  return value.replace(/^(bearer|basic|token)\s+/i, '');
}
