/** Which files the model has seen, and as what: a file is changed only by who knows what is in it. */
import type { FileStat } from '@tau/host';

export interface SeenFiles {
  /** The model was shown the file, or wrote it. `path` is where it really is (`files.resolve`). */
  note(path: string, stat: FileStat): void;
  /** How the file, as it is now, relates to what the model knows. */
  state(path: string, stat: FileStat): 'never' | 'changed' | 'same';
}

export function createSeenFiles(): SeenFiles {
  const seen = new Map<string, string>();
  return {
    note(path, stat) {
      seen.set(path, versionOf(stat));
    },
    state(path, stat) {
      const known = seen.get(path);
      if (known === undefined) return 'never';
      return known === versionOf(stat) ? 'same' : 'changed';
    },
  };
}

function versionOf({ size, mtimeMs }: FileStat): string {
  return `${size} ${mtimeMs}`;
}
