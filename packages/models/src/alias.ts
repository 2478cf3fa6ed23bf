/**
 * Names and ids as vendors accept them: letters, digits, `_` and `-`, up to a length. What fits stays as it is; what does
 * not gets a readable stand-in with a hash of the whole, so that two never become one, and the same one comes every turn.
 */

export function alias(name: string, maxLength = 64): string {
  if (/^[a-zA-Z0-9_-]+$/.test(name) && name.length <= maxLength) return name;
  const hash = hashOf(name);
  return `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxLength - hash.length - 1)}_${hash}`;
}

/** From the stand-in back to the name, for those that were sent. */
export function originals(names: Iterable<string>, aliasOf: (name: string) => string): (wire: string) => string {
  const known = new Map<string, string>();
  for (const name of names) known.set(aliasOf(name), name);
  return (wire) => known.get(wire) ?? wire;
}

/** FNV-1a, 32 bits: nothing secret, only different. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
