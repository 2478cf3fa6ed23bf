/** Writes what a patch comes to: all of it, or what was done is undone. */
import { dirname, join } from 'node:path';
import { describeError, TauError } from '@tau/core';
import type { Files } from '@tau/host';
import { beforeWriting } from '../abort.ts';
import type { PlannedFile } from './plan.ts';

interface Step {
  deed(): Promise<unknown>;
  undo(): Promise<unknown>;
  /** What is left to do when every step is done. */
  finish?(): Promise<unknown>;
}

export async function commit(files: Files, planned: readonly PlannedFile[], signal: AbortSignal): Promise<void> {
  for (const file of planned) await refuseChanged(files, file);
  beforeWriting(signal);
  const done: Step[] = [];
  for (const step of stepsOf(files, planned)) {
    try {
      await step.deed();
      done.push(step);
    } catch (error) {
      const left = await undo(done);
      const remedy =
        left.length === 0
          ? 'Nothing was changed: what had been written was taken back.'
          : `Some of it could not be taken back; look at the files before going on: ${left.join('; ')}.`;
      throw new TauError('file', describeError(error).replace(/\.$/, ''), { remedy, cause: error });
    }
  }
  const still: string[] = [];
  for (const { finish } of done) await finish?.().catch((error) => still.push(describeError(error)));
  if (still.length > 0) {
    throw new TauError('file', `The patch is applied, but a file it deletes is still there: ${still.join('; ')}`);
  }
}

/** As late as possible: what the plan was made from is still there. */
async function refuseChanged(files: Files, { path, before }: PlannedFile): Promise<void> {
  const now = await files.stat(path);
  const same = before ? now && before.bytes.equals(await files.read(path)) : !now;
  if (same) return;
  const remedy = 'Nothing was written. Read it again and send the patch again.';
  throw new TauError('file', `${path} was changed by someone else during the patch`, { remedy });
}

/** Moves first, because they free and take names; deletions last. */
function stepsOf(files: Files, planned: readonly PlannedFile[]): Step[] {
  const moves: Step[] = [];
  const writes: Step[] = [];
  const deletions: Step[] = [];
  for (const { path, place, before, after, from, to } of planned) {
    if (after) {
      if (from) moves.push({ deed: () => files.move(from.path, path), undo: () => files.move(path, from.path) });
      const there = from ? from.before?.bytes : to ? undefined : before?.bytes;
      if (there?.equals(after)) continue;
      writes.push({
        deed: () => files.write(path, after),
        undo: () => (there ? files.write(path, there) : files.remove(path)),
      });
    } else if (!to) {
      // Set aside until all is done, so that taking it back brings back the very same file.
      const aside = join(dirname(place), `.tau-${crypto.randomUUID()}.tmp`);
      const both = files.pinned(
        new Map([
          [path, place],
          [aside, aside],
        ]),
      );
      deletions.push({
        deed: () => both.move(path, aside),
        undo: () => both.move(aside, path),
        finish: () => both.remove(aside),
      });
    }
  }
  return [...moves, ...writes, ...deletions];
}

/** What could not be undone, and why. */
async function undo(done: readonly Step[]): Promise<string[]> {
  const left: string[] = [];
  for (const step of [...done].reverse()) await step.undo().catch((error) => left.push(describeError(error)));
  return left;
}
