/** `apply_patch`: changes to several files in one patch, all of them or none. For models that were trained on it. */
import { type Effect, TauError, type Tool, textResult } from '@tau/core';
import type { Host } from '@tau/host';
import { changeOfBytes, shortDiff } from '../change.ts';
import { text } from '../input.ts';
import { judgedFiles } from '../judged.ts';
import { noteWritten, type SeenFiles } from '../seen.ts';
import { commit } from './commit.ts';
import { parsePatch, type Section } from './parse.ts';
import { type PlannedFile, planPatch } from './plan.ts';

type Kind = 'add' | 'update' | 'move' | 'delete';

const letters: Readonly<Record<Kind, string>> = { add: 'A', update: 'M', move: 'R', delete: 'D' };

export function applyPatchTool(host: Host, seen: SeenFiles): Tool {
  return {
    name: 'apply_patch',
    description: `Change files with a patch, whole or not at all:
*** Begin Patch
*** Add File: path
+each line
*** Update File: path
*** Move to: path (optional)
@@ a line before the change, to tell places apart (optional)
 context
-old
+new
*** Delete File: path
*** End Patch`,
    snippet: 'Change several files with one patch.',
    deferred: true,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'the patch' } },
      required: ['input'],
      additionalProperties: false,
    },
    aliases: { patch: 'input', patchText: 'input' },
    effects(input) {
      // A patch that cannot be read does nothing, and says why when it is run.
      const sections = sectionsIn(text(input, 'input'));
      return sections instanceof TauError ? [] : sections.flatMap(effectsOf);
    },
    async run(input, { signal, judged }) {
      const pinned = judgedFiles(host, judged);
      const sections = sectionsIn(text(input, 'input'));
      if (sections instanceof TauError) throw sections;
      const { files, tolerances } = await planPatch(pinned, seen, sections);
      if (files.length === 0) {
        const remedy = 'Read the files again to see what is left to do.';
        throw new TauError('file', 'The patch changes nothing: the files already read as it wants them', { remedy });
      }
      const shown = (await Promise.all(files.filter(({ to, after }) => after || !to).map(described))).flat();
      await commit(pinned, files, signal);
      for (const { path, after } of files) if (after) await noteWritten(pinned, seen, path, after);
      const lines = shown.map(
        ({ kind, path, from }) => `${letters[kind]} ${from === undefined ? path : `${from} -> ${path}`}`,
      );
      const notes =
        tolerances.length === 0
          ? []
          : [
              `Matched after ignoring ${tolerances.join(', ')}:`,
              ...shown.flatMap(({ change }) => (change ? [shortDiff(change)] : [])),
            ];
      const details = {
        files: shown.map(({ change, ...file }) => ({ ...file, ...(change && { diff: change.diff }) })),
      };
      return textResult(['Applied the patch:', ...lines, ...notes].join('\n'), details);
    },
  };
}

/** The sections, or why there are none. */
function sectionsIn(patch: string): Section[] | TauError {
  try {
    return parsePatch(patch);
  } catch (error) {
    if (error instanceof TauError) return error;
    throw error;
  }
}

function effectsOf(section: Section): Effect[] {
  const { path } = section;
  const write: Effect = { kind: 'write', path };
  switch (section.kind) {
    case 'add':
      return [write];
    case 'delete':
      return [{ kind: 'read', path }, write];
    case 'update': {
      const { moveTo } = section;
      const moved: Effect[] = moveTo === undefined ? [] : [{ kind: 'write', path: moveTo }];
      return [{ kind: 'read', path }, write, ...moved];
    }
  }
}

async function described({ path, before, after, from }: PlannedFile) {
  const kind: Kind = !after ? 'delete' : from ? 'move' : before ? 'update' : 'add';
  const change = await changeOfBytes(path, (from?.before ?? before)?.bytes, after);
  return { path, kind, ...(from && { from: from.path }), ...(change && { change }) };
}
