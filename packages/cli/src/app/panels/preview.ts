/**
 * What a call would do, as it is shown to who decides: the exact command in colours, the real diff against the files on
 * the disk, or all that the tool was given. Nothing in it can hide, whatever it is padded with.
 */
import { type Ask, describeError, type PreviewedFile, previewChange } from '@tau/agent';
import { type Component, createDiffView, type Differ, type Highlighter, loadDiffer, type Theme } from '@tau/tui';
import { exactly, exactlyInLine } from '../../render/exactly.ts';
import { previewLines } from '../../repl/approval.ts';
import { bounded, exactDiff } from './exact-diff.ts';
import { exactRows } from './exact-rows.ts';
import { styleOf } from './style.ts';

export interface PreviewWorld {
  theme: Theme;
  highlighter: Highlighter;
  cwd: string;
  onChange(): void;
}

export interface Preview {
  lines(width: number): readonly string[];
  /** The same with every line of a diff. */
  all(width: number): readonly string[];
}

const maxCommandChars = 20_000;
const maxPathChars = 4000;
const maxReasonChars = 2000;
/** Lines of a diff beside the answers. The viewer has them all. */
const maxDiffLines = 400;
const maxFiles = 20;

export const changing: readonly string[] = ['edit', 'write', 'apply_patch'];

export function createPreview(ask: Ask, world: PreviewWorld): Preview {
  if (changing.includes(ask.toolName)) return changePreview(ask, world);
  const { highlighter, theme } = world;
  const draw = (width: number) => (ask.toolName === 'bash' ? commandRows : plainRows)(ask, world, width);
  const lines = remembered(draw, () => `${highlighter.isReady('bash')} ${theme.name}`);
  return { lines, all: lines };
}

function commandRows({ toolName, input }: Ask, { highlighter, theme }: PreviewWorld, width: number): string[] {
  const { command, ...rest } = input;
  if (typeof command !== 'string') return plainRows({ toolName, input }, { theme }, width);
  // The colours are those of what is shown, in which nothing is invisible any more.
  const lines = highlighter.lines(exactly(command, maxCommandChars), 'bash', theme);
  return [...exactRows(lines, width, theme), ...plainRows({ toolName, input: rest }, { theme }, width)];
}

function plainRows(
  { toolName, input }: Pick<Ask, 'toolName' | 'input'>,
  { theme }: Pick<PreviewWorld, 'theme'>,
  width: number,
): string[] {
  const lines = previewLines(toolName, input, styleOf(theme)).map((line) => line.replace(/^ {2,4}/, ''));
  return exactRows(lines, width, theme);
}

type Found = { kind: 'reading' } | { kind: 'diff'; files: readonly ShownFile[] } | { kind: 'failed'; why: string };

interface ShownFile {
  title: string;
  few: Component;
  all: Component;
  note: string | undefined;
}

function changePreview(ask: Ask, world: PreviewWorld): Preview {
  const { theme, cwd, onChange } = world;
  let found: Found = { kind: 'reading' };
  const settle = (next: Found) => {
    found = next;
    onChange();
  };
  compare(ask, cwd).then(
    ({ files, differ }) => settle({ kind: 'diff', files: files.map((file) => shownFile(file, differ, world)) }),
    (error: unknown) => settle({ kind: 'failed', why: describeError(error) }),
  );

  function draw(width: number, whole: boolean): readonly string[] {
    switch (found.kind) {
      case 'reading':
        return given(width);
      case 'failed': {
        const why = exactly(`As things are it would fail: ${found.why}`, maxReasonChars).split('\n');
        const warned = why.map((line) => theme.paint('warning', line));
        return [...exactRows(warned, width, theme), ...given(width)];
      }
      case 'diff': {
        const { files } = found;
        const shown = whole ? files : files.slice(0, maxFiles);
        const more = files.length - shown.length;
        return [
          ...shown.flatMap((file) => fileRows(file, theme, width, whole)),
          // Where something cannot be compared, what was asked for is there to be read.
          ...(shown.some(({ note }) => note !== undefined) ? given(width) : []),
          ...(more > 0 ? exactRows([theme.paint('warning', `… and ${more} more files`)], width, theme) : []),
        ];
      }
    }
  }

  const given = remembered(
    (width) => plainRows(ask, world, width),
    () => theme.name,
  );
  return { lines: (width) => draw(width, false), all: (width) => draw(width, true) };
}

async function compare({ toolName, input }: Ask, cwd: string): Promise<{ files: PreviewedFile[]; differ: Differ }> {
  const [files, differ] = await Promise.all([previewChange({ cwd, env: process.env }, toolName, input), loadDiffer()]);
  return { files: files ?? [], differ };
}

function shownFile(file: PreviewedFile, differ: Differ, { theme, highlighter }: PreviewWorld): ShownFile {
  const { path, from, before, after, note } = file;
  const name = exactlyInLine(from === undefined ? path : `${from} → ${path}`, maxPathChars);
  const compared = differ.compare(before, after, { oldPath: from ?? path, newPath: path });
  const diff = exactDiff(note === undefined ? compared : { ...compared, hunks: [], note });
  const view = (most: number) =>
    createDiffView({
      ...{ theme, highlighter, header: false, layout: 'unified', maxLines: Number.MAX_SAFE_INTEGER },
      diff: bounded(diff, most),
    });
  const kind = { modified: '', added: ' (new file)', removed: ' (will be deleted)', renamed: '', copied: '', mode: '' };
  const counts = note === undefined ? ` +${diff.added} -${diff.removed}` : '';
  return {
    title: `${name}${kind[diff.change]}${counts}`,
    few: view(maxDiffLines),
    all: view(Number.MAX_SAFE_INTEGER),
    note: diff.note,
  };
}

function fileRows({ title, few, all }: ShownFile, theme: Theme, width: number, whole: boolean): string[] {
  return [...exactRows([theme.paint('diffFile', title)], width, theme), ...(whole ? all : few).render(width)];
}

/** Drawn again only for another width, or when something else has changed. */
function remembered(draw: (width: number) => string[], state: () => string): (width: number) => readonly string[] {
  let known: { key: string; lines: readonly string[] } | undefined;
  return (width) => {
    const key = `${width} ${state()}`;
    if (known?.key !== key) known = { key, lines: draw(width) };
    return known.lines;
  };
}
