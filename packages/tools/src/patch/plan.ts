/**
 * What a patch comes to: for each file, what it was and what it will be. The sections are applied one after the other
 * to files held in memory, so that two sections about one file build on each other. Nothing is written here.
 */
import { TauError } from '@tau/core';
import type { Files } from '@tau/host';
import { missingFile } from '../missing.ts';
import { decoded, type Original, readOriginal, toBytes } from '../original.ts';
import { refuseUnseen, type SeenFiles } from '../seen.ts';
import { applyHunks } from './hunks.ts';
import type { Section } from './parse.ts';

export interface PlannedFile {
  /** As the patch names it. */
  path: string;
  /** Where it really is. */
  place: string;
  before?: Original;
  /** Absent: the file will not be there. */
  after?: Buffer;
  /** The file that becomes this one. */
  from?: PlannedFile;
  /** The file that this one becomes. */
  to?: PlannedFile;
}

export interface Plan {
  files: PlannedFile[];
  tolerances: string[];
}

const utf8 = { name: 'utf-8', bom: false };

export async function planPatch(files: Files, seen: SeenFiles, sections: readonly Section[]): Promise<Plan> {
  const planned = new Map<string, PlannedFile>();
  const tolerances = new Set<string>();

  /** The file as the sections so far leave it. */
  const open = async (path: string): Promise<PlannedFile> => {
    const place = await files.resolve(path);
    const known = planned.get(place);
    if (known) return known;
    const before = (await files.stat(path)) && (await readOriginal(files, path));
    const file: PlannedFile = { path, place, ...(before && { before, after: before.bytes }) };
    planned.set(place, file);
    return file;
  };

  const existing = async (path: string): Promise<{ file: PlannedFile; after: Buffer }> => {
    const file = await open(path);
    const { after, before } = file;
    if (!after) throw before ? gone(path) : await missingFile(files, path);
    return { file, after };
  };

  const vacant = async (path: string): Promise<PlannedFile> => {
    const file = await open(path);
    if (!file.after) return file;
    const remedy = 'Nothing was changed. Use *** Update File: for a file that is there.';
    throw new TauError('file', `${path} exists already`, { remedy });
  };

  for (const section of sections) {
    const { path } = section;
    switch (section.kind) {
      case 'add': {
        const file = await vacant(path);
        const text = section.lines.map((line) => `${line}\n`).join('');
        file.after = toBytes(path, { text, encoding: utf8 });
        break;
      }
      case 'delete': {
        const { file } = await existing(path);
        // Nothing in the patch shows that the model knows what it throws away, under whatever name.
        const { place, before } = file.from ?? file;
        if (before) refuseUnseen(seen.state(place, before.stat, before.bytes), path, 'delete it');
        leave(file);
        break;
      }
      case 'update': {
        const { file, after } = await existing(path);
        // The lines of a patch prove that the model knows the file, wherever it saw it; what it read must be current.
        const state = file.before && seen.state(file.place, file.before.stat, file.before.bytes);
        if (state === 'changed') refuseUnseen(state, path, 'send the patch again');
        const { text, encoding } = decoded(path, after);
        const patched = applyHunks(path, text, section.hunks);
        for (const tolerance of patched.tolerances) tolerances.add(tolerance);
        const changed = toBytes(path, { text: patched.text, encoding });
        if (section.moveTo === undefined) file.after = changed;
        else moveTo(await vacant(section.moveTo), file, changed);
        break;
      }
    }
  }
  return { files: [...planned.values()].filter(differs), tolerances: [...tolerances] };
}

/** The file becomes another, which keeps its mode. Where a file was before, that one's place is taken and its mode kept. */
function moveTo(target: PlannedFile, file: PlannedFile, content: Buffer): void {
  // What was moved here already comes from where it was in the beginning.
  const source = file.from ?? file;
  leave(file);
  target.after = content;
  if (source.before && !target.before) {
    target.from = source;
    source.to = target;
  }
}

/** Nothing is left under this name, and what was moved here is not moved any more. */
function leave(file: PlannedFile): void {
  delete file.from?.to;
  delete file.from;
  delete file.after;
}

function differs({ before, after }: PlannedFile): boolean {
  return before && after ? !before.bytes.equals(after) : before !== after;
}

function gone(path: string): TauError {
  const remedy = 'Nothing was changed. Mend the patch.';
  return new TauError('file', `${path} was deleted or moved earlier in the patch`, { remedy });
}
