/** Files whose change fires `FileChanged`: settings and skills, looked at before each prompt. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from '../config/reload.ts';

export interface WatchedPlaces {
  files: readonly string[];
  /** Folders of skills: `skills/name/SKILL.md` and `skills/name.md`. */
  skills: readonly string[];
}

const maxFiles = 1000;

/** Says which files are others than at the last look; the first look is the one to compare with. */
export function createFileWatch(places: () => WatchedPlaces): () => string[] {
  let seen = prints(places());
  return () => {
    const before = seen;
    seen = prints(places());
    const all = new Set([...before.keys(), ...seen.keys()]);
    return [...all].filter((path) => before.get(path) !== seen.get(path));
  };
}

function prints({ files, skills }: WatchedPlaces): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of [...files, ...skills.flatMap(skillFiles)].slice(0, maxFiles)) {
    const print = fingerprint(path);
    if (print !== undefined) found.set(path, print);
  }
  return found;
}

function skillFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .slice(0, maxFiles)
      .flatMap((entry) => {
        if (entry.isDirectory()) return [join(folder, entry.name, 'SKILL.md')];
        return entry.name.endsWith('.md') ? [join(folder, entry.name)] : [];
      })
      .toSorted();
  } catch {
    // There is none, or it cannot be looked at: nothing in it is used then either.
    return [];
  }
}
