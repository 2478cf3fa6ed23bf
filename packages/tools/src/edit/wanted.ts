/** What an `edit` call wants, in the several shapes that models give it. */
import { TauError, type ToolInput } from '@tau/core';
import { flag, optionalObjects, optionalText, text } from '../input.ts';
import type { Edit } from './place.ts';

/** The list, and the pair beside it if there is one that says something new. */
export function wantedEdits(input: ToolInput): Edit[] {
  const all = flag(input, 'replace_all');
  const edits: Edit[] = (optionalObjects(input, 'edits') ?? []).map((edit) => ({
    oldText: text(edit, 'old_string'),
    newText: text(edit, 'new_string'),
    replaceAll: all || flag(edit, 'replace_all'),
  }));
  const oldText = optionalText(input, 'old_string');
  const newText = optionalText(input, 'new_string');
  const repeated = edits.some((edit) => edit.oldText === oldText && edit.newText === newText);
  // Models that use the list sometimes fill the pair with nothing.
  const idle = edits.length > 0 && !oldText && !newText;
  if (repeated || idle) return edits;
  if (oldText === undefined || newText === undefined) {
    const remedy = 'Give old_string and new_string, or edits.';
    throw new TauError('usage', 'There is nothing to replace', { remedy });
  }
  return [...edits, { oldText, newText, replaceAll: all }];
}
