/** Pages that were fetched a moment ago: bounded in age, number and size. */

export interface PageCache<Page> {
  get(url: string): Page | undefined;
  set(url: string, page: Page, bytes: number): void;
}

export interface CacheLimits {
  ttlMs: number;
  entries: number;
  bytes: number;
}

interface Kept<Page> {
  page: Page;
  bytes: number;
  since: number;
}

export function createPageCache<Page>(limits: CacheLimits, now: () => number): PageCache<Page> {
  /** The oldest is first, which is the order a map keeps. */
  const kept = new Map<string, Kept<Page>>();
  let total = 0;
  const drop = (url: string) => {
    total -= kept.get(url)?.bytes ?? 0;
    kept.delete(url);
  };
  return {
    get(url) {
      const found = kept.get(url);
      if (found && now() - found.since < limits.ttlMs) return found.page;
      drop(url);
      return undefined;
    },
    set(url, page, bytes) {
      drop(url);
      if (bytes > limits.bytes) return;
      kept.set(url, { page, bytes, since: now() });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.entries && total <= limits.bytes) return;
        drop(oldest);
      }
    },
  };
}
