/** Looking into parsed JSON without trusting it. */

/** What is at the end of a path of names and positions, or undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) here = typeof here === 'object' && here !== null ? Reflect.get(here, step) : undefined;
  return here;
}

export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found === 'string') return found;
  throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(value)}`);
}

export function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`not a list: ${JSON.stringify(value)}`);
}
