/** What a call that changes files would come to, for whoever decides about it. Nothing is written. */
import { TauError, type ToolInput } from '@tau/core';
import type { Files } from '@tau/host';
import { applyEdits } from './edit/replace.ts';
import { wantedEdits } from './edit/wanted.ts';
import { text } from './input.ts';
import { decoded, readOriginal } from './original.ts';
import { parsePatch } from './patch/parse.ts';
import { planPatch } from './patch/plan.ts';
import type { SeenFiles } from './seen.ts';
import { detectEncoding } from './text/detect.ts';
import { decode } from './text/encoding.ts';

export interface PreviewedFile {
  path: string;
  /** It was there under this name. */
  from?: string;
  /** Absent: there is no such file yet. */
  before?: string;
  /** Absent: it will be gone. */
  after?: string;
  /** Why there is no text to compare. */
  note?: string;
}

/** More is not compared: nobody reads it, and it takes its time. */
const maxBytes = 2 * 1024 * 1024;

/** Undefined for a tool that changes no file. Throws what the call would fail with. */
export async function previewChange(
  files: Files,
  tool: string,
  input: ToolInput,
): Promise<PreviewedFile[] | undefined> {
  switch (tool) {
    case 'edit':
      return [await previewEdit(files, input)];
    case 'write':
      return [await previewWrite(files, input)];
    case 'apply_patch':
      return previewPatch(files, input);
    default:
      return undefined;
  }
}

async function previewEdit(files: Files, input: ToolInput): Promise<PreviewedFile> {
  const path = text(input, 'path');
  const edits = wantedEdits(input);
  const found = await files.stat(path);
  if (found && found.size > maxBytes) return { path, note: tooLarge(found.size) };
  const original = await readOriginal(files, path);
  const before = decoded(path, original.bytes).text;
  return { path, before, after: (await applyEdits(path, before, edits)).text };
}

async function previewWrite(files: Files, input: ToolInput): Promise<PreviewedFile> {
  const path = text(input, 'path');
  const after = text(input, 'content');
  const found = await files.stat(path);
  if (found === undefined) return { path, after };
  if (found.kind !== 'file') throw new TauError('file', `${path} is there already, and is not a file`);
  if (found.size > maxBytes) return { path, after, note: tooLarge(found.size) };
  return { path, after, ...textOf(await files.read(path), 'before') };
}

async function previewPatch(files: Files, input: ToolInput): Promise<PreviewedFile[]> {
  const { files: planned } = await planPatch(files, allSeen, parsePatch(text(input, 'input')));
  return planned
    .filter(({ to, after }) => after || !to)
    .map(({ path, before, after, from }) => ({
      path,
      ...(from && { from: from.path }),
      ...textOf((from?.before ?? before)?.bytes, 'before'),
      ...textOf(after, 'after'),
    }));
}

/** Whether the model knows the file is told by the call itself. */
const allSeen: SeenFiles = { note() {}, state: () => 'same' };

function textOf(bytes: Buffer | undefined, side: 'before' | 'after'): Partial<PreviewedFile> {
  if (bytes === undefined) return {};
  if (bytes.length > maxBytes) return { note: tooLarge(bytes.length) };
  const encoding = detectEncoding(bytes);
  return encoding ? { [side]: decode(bytes, encoding) } : { note: 'The file is binary.' };
}

function tooLarge(size: number): string {
  return `The file is too large to compare (${size} bytes).`;
}
