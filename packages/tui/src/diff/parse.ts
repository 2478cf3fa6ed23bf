/** Reads diffs in the unified form, as git and diff write them. Whatever is not understood is left out. */
import { type DiffLine, diffLimits, type FileDiff, type Hunk } from './model.ts';

interface Draft {
  change: FileDiff['change'];
  oldPath?: string;
  newPath?: string;
  hunks: Hunk[];
  isBinary?: boolean;
}

interface OpenHunk {
  hunk: Hunk & { lines: DiffLine[] };
  oldLeft: number;
  newLeft: number;
  oldNumber: number;
  newNumber: number;
}

export function parseUnified(text: string): FileDiff[] {
  const all = text.split('\n');
  const lines = all.slice(0, diffLimits.lines);
  const files: Draft[] = [];
  let open: OpenHunk | undefined;
  let file: Draft | undefined;
  lines.forEach((line, index) => {
    if (open !== undefined && takes(open, line)) return;
    if (line.startsWith('\\')) {
      const last = open?.hunk.lines.at(-1);
      if (last !== undefined) last.isUnended = true;
      return;
    }
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line);
    if (head !== null) {
      file ??= begin(files);
      open = openHunk(head);
      file.hunks.push(open.hunk);
      return;
    }
    const isHeader = line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true;
    if (line.startsWith('diff --git ') || (isHeader && (file === undefined || file.hunks.length > 0))) {
      file = begin(files);
      open = undefined;
    }
    if (file !== undefined) readHeader(file, line);
  });
  const cut = all.length - lines.length;
  return files.map((draft, index) => finished(draft, index === files.length - 1 ? cut : 0));
}

function begin(files: Draft[]): Draft {
  const made: Draft = { change: 'modified', hunks: [] };
  files.push(made);
  return made;
}

function openHunk([, oldStart = '0', oldCount = '1', newStart = '0', newCount = '1', title = '']: string[]): OpenHunk {
  const hunk = {
    oldStart: Number(oldStart),
    newStart: Number(newStart),
    lines: [],
    ...(title === '' ? {} : { title }),
  };
  return {
    hunk,
    oldLeft: Number(oldCount),
    newLeft: Number(newCount),
    oldNumber: hunk.oldStart,
    newNumber: hunk.newStart,
  };
}

/** Whether the line is one of the hunk's. Its header says how many it has. */
function takes(open: OpenHunk, line: string): boolean {
  const sign = line.charAt(0);
  const text = line.slice(1);
  if (sign === '-' && open.oldLeft > 0) {
    open.hunk.lines.push({ kind: 'removed', text, number: open.oldNumber });
    open.oldNumber += 1;
    open.oldLeft -= 1;
    return true;
  }
  if (sign === '+' && open.newLeft > 0) {
    open.hunk.lines.push({ kind: 'added', text, number: open.newNumber });
    open.newNumber += 1;
    open.newLeft -= 1;
    return true;
  }
  // Some tools take the space from a blank line.
  if ((sign === ' ' || line === '' || line === '\r') && open.oldLeft > 0 && open.newLeft > 0) {
    open.hunk.lines.push({ kind: 'context', text, number: open.newNumber, oldNumber: open.oldNumber });
    open.oldNumber += 1;
    open.newNumber += 1;
    open.oldLeft -= 1;
    open.newLeft -= 1;
    return true;
  }
  return false;
}

function readHeader(file: Draft, line: string): void {
  const [, key = '', value = ''] =
    /^(--- |\+\+\+ |rename from |rename to |copy from |copy to |new file|deleted file|old mode|Binary files |GIT binary|diff --git )(.*)$/.exec(
      line,
    ) ?? [];
  switch (key) {
    case 'diff --git ': {
      const [, from, to] = /^"?a\/(.*?)"? "?b\/(.*?)"?$/.exec(value) ?? [];
      file.oldPath = from;
      file.newPath = to;
      return;
    }
    case '--- ':
      if (value.startsWith('/dev/null')) file.change = 'added';
      else file.oldPath = pathOf(value);
      return;
    case '+++ ':
      if (value.startsWith('/dev/null')) file.change = 'removed';
      else file.newPath = pathOf(value);
      return;
    case 'rename from ':
    case 'copy from ':
      file.change = key === 'copy from ' ? 'copied' : 'renamed';
      file.oldPath = value;
      return;
    case 'rename to ':
    case 'copy to ':
      file.newPath = value;
      return;
    case 'new file':
      file.change = 'added';
      return;
    case 'deleted file':
      file.change = 'removed';
      return;
    case 'old mode':
      file.change = 'mode';
      return;
    case 'Binary files ':
    case 'GIT binary':
      file.isBinary = true;
  }
}

/** Without the prefix of git, the time of diff, and quotes. */
function pathOf(value: string): string {
  const path = (value.split('\t')[0] ?? '').replace(/\r$/, '').replace(/^"(.*)"$/, '$1');
  return path.replace(/^[abciow]\//, '');
}

function finished(draft: Draft, cut: number): FileDiff {
  const count = (kind: DiffLine['kind']) =>
    draft.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  const { change, oldPath, newPath, hunks, isBinary } = draft;
  return {
    change: change === 'mode' && hunks.length > 0 ? 'modified' : change,
    ...(oldPath === undefined || change === 'added' ? {} : { oldPath }),
    ...(newPath === undefined || change === 'removed' ? {} : { newPath }),
    hunks,
    added: count('added'),
    removed: count('removed'),
    ...(isBinary ? { isBinary } : {}),
    ...(cut > 0 ? { note: `${cut} more lines of this diff are not shown` } : {}),
  };
}
