/** The difference between two contents of a file, for a UI. The diff library is loaded when a first file changes. */
import { isUtf8 } from 'node:buffer';

/** Above either limit there is no diff: it would be slow to make and no use to read. */
export const maxDiffBytes = 1024 * 1024;
const maxChangedLines = 5000;

export interface Change {
  /** Unified diff. */
  diff: string;
  linesChanged: number;
}

export async function changeBetween(path: string, before: Buffer, after: Buffer): Promise<Change | undefined> {
  if (before.length > maxDiffBytes || after.length > maxDiffBytes || !isText(before) || !isText(after))
    return undefined;
  const { formatPatch, structuredPatch } = await import('diff');
  const options = { context: 3, maxEditLength: maxChangedLines };
  const patch = structuredPatch(path, path, before.toString(), after.toString(), undefined, undefined, options);
  if (!patch) return undefined;
  let linesChanged = 0;
  for (const { lines } of patch.hunks) {
    const added = lines.filter((line) => line.startsWith('+')).length;
    const removed = lines.filter((line) => line.startsWith('-')).length;
    linesChanged += Math.max(added, removed);
  }
  return { diff: formatPatch(patch), linesChanged };
}

function isText(content: Buffer): boolean {
  return isUtf8(content) && !content.includes(0);
}
