/** The header that carries the key: `bearer`, or a header by its own name. */
export function authHeaders(key: string | undefined, authHeader: string): Record<string, string> {
  if (key === undefined) return {};
  return authHeader === 'bearer' ? { authorization: `Bearer ${key}` } : { [authHeader.toLowerCase()]: key };
}
