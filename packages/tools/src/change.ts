/** The difference between two texts of a file. The diff library is loaded when a first file changes. */
import { firstChars } from './text/clip.ts';
import { detectEncoding } from './text/detect.ts';
import { decode } from './text/encoding.ts';

/** Above any of these limits there is no diff: it would be slow to make and no use to read. */
const maxDiffChars = 1024 * 1024;
const maxChangedLines = 5000;
const maxDiffMs = 500;
const maxShortLines = 40;
const maxShortChars = 200;

export interface Change {
  /** Unified diff. */
  diff: string;
  linesChanged: number;
}

export async function changeBetween(path: string, before: string, after: string): Promise<Change | undefined> {
  if (before.length > maxDiffChars || after.length > maxDiffChars) return undefined;
  const { formatPatch, structuredPatch } = await import('diff');
  const options = { context: 3, maxEditLength: maxChangedLines, timeout: maxDiffMs };
  // A byte order mark that stays is not worth showing.
  const marked = before.startsWith('\uFEFF') && after.startsWith('\uFEFF');
  const [old, now] = marked ? [before.slice(1), after.slice(1)] : [before, after];
  const patch = structuredPatch(path, path, old, now, undefined, undefined, options);
  if (!patch) return undefined;
  let linesChanged = 0;
  for (const { lines } of patch.hunks) {
    const added = lines.filter((line) => line.startsWith('+')).length;
    const removed = lines.filter((line) => line.startsWith('-')).length;
    linesChanged += Math.max(added, removed);
  }
  return { diff: formatPatch(patch), linesChanged };
}

/** The same for contents, if they are text. Absent: there is no file. */
export async function changeOfBytes(
  path: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
): Promise<Change | undefined> {
  const texts = [before, after].map((bytes) => {
    if (!bytes || bytes.length > 2 * maxDiffChars) return bytes ? undefined : '';
    const encoding = detectEncoding(bytes);
    return encoding && decode(bytes, encoding);
  });
  const [old, now] = texts;
  return old === undefined || now === undefined ? undefined : changeBetween(path, old, now);
}

/** The hunks alone, for a model that has to see what became of its words; cut where they get long. */
export function shortDiff({ diff }: Change): string {
  const lines = diff.split('\n');
  const hunks = lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith('@@')),
    ),
  );
  if (hunks.at(-1) === '') hunks.pop();
  const shown = hunks.slice(0, maxShortLines).map((line) => firstChars(line, maxShortChars));
  const more = hunks.length - shown.length;
  return [...shown, ...(more > 0 ? [`... and ${more} more lines of the diff; read the file to see them`] : [])].join(
    '\n',
  );
}
