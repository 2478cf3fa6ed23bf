/** How much a folder holds. Links are not followed, and of an endless folder only the beginning is looked at. */
import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';

export interface Usage {
  bytes: number;
  files: number;
  /** There was more than was looked at. */
  more: boolean;
}

const mostNames = 20_000;

export function usageOf(folder: string, from: { only?: RegExp; owner?: number | undefined } = {}): Usage {
  const usage: Usage = { bytes: 0, files: 0, more: false };
  const waiting = [folder];
  let seen = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const name of namesIn(at, mostNames - seen)) {
      seen += 1;
      if (seen >= mostNames) return { ...usage, more: true };
      if (at === folder && from.only !== undefined && !from.only.test(name)) continue;
      const found = look(join(at, name));
      if (found === undefined || (from.owner !== undefined && found.uid !== from.owner)) continue;
      if (found.isDirectory()) waiting.push(join(at, name));
      else {
        usage.files += 1;
        usage.bytes += found.size;
      }
    }
  }
  return usage;
}

/** What is gone meanwhile, or not ours to look at, does not count. */
function look(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string, most: number): string[] {
  const names: string[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let next = open.readSync(); next && names.length < most; next = open.readSync()) names.push(next.name);
    } finally {
      open.closeSync();
    }
  } catch {
    // One that cannot be opened holds nothing that could be counted.
  }
  return names;
}
