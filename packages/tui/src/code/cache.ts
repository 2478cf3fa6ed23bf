/** The most recently used results, as many as fit into a number of characters. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, size: number): void;
}

export function createCache<Value>(room: number): Cache<Value> {
  const kept = new Map<string, { value: Value; size: number }>();
  let used = 0;
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    set(key, value, size) {
      used += size - (kept.get(key)?.size ?? 0);
      kept.delete(key);
      kept.set(key, { value, size });
      for (const [oldest, { size: freed }] of kept) {
        if (used <= room || oldest === key) break;
        kept.delete(oldest);
        used -= freed;
      }
    },
  };
}
