/** A few words of each extension on how it stands, for whoever shows a status: the newest of each key, and not too many. */
import { type RunEvent, TauError } from '@tau/core';

export interface ExtensionStatus {
  /** Without words it is taken away. Throws when too many want to be seen. */
  set(key: string, text: string | undefined): void;
  /** In the order in which they came. */
  all(): readonly { key: string; text: string }[];
}

const maxKeys = 20;
const maxChars = 200;

export function createExtensionStatus(emit: (event: RunEvent) => void): ExtensionStatus {
  const known = new Map<string, string>();
  return {
    set(key, text) {
      if (text === undefined || text.trim() === '') {
        if (known.delete(key)) emit({ type: 'extension_status', key });
        return;
      }
      if (!known.has(key) && known.size === maxKeys) {
        throw new TauError('usage', `${maxKeys} extensions show a status already`);
      }
      const words = text.trim().slice(0, maxChars);
      if (known.get(key) === words) return;
      known.set(key, words);
      emit({ type: 'extension_status', key, text: words });
    },
    all: () => [...known].map(([key, text]) => ({ key, text })),
  };
}
