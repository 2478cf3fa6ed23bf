/** `edit`: exact replacements in one file, all of them or none. */
import { isUtf8 } from 'node:buffer';
import { type JsonSchema, TauError, type Tool, type ToolInput, textResult } from '@tau/core';
import type { Host } from '@tau/host';
import { beforeWriting } from '../abort.ts';
import { changeBetween } from '../change.ts';
import { flag, optionalObjects, optionalText, text } from '../input.ts';
import { missingFile } from '../missing.ts';
import type { SeenFiles } from '../seen.ts';
import { applyEdits, type Edit } from './replace.ts';

const pair: Record<string, JsonSchema> = { old_string: { type: 'string' }, new_string: { type: 'string' } };

export function editTool(host: Host, _seen: SeenFiles): Tool {
  return {
    name: 'edit',
    description:
      'Replace exact text in a file. old_string must occur once, unless replace_all. For several places use edits, all matched against the original.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        ...pair,
        replace_all: { type: 'boolean' },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: pair,
            required: ['old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
      required: ['path'],
      additionalProperties: false,
    },
    aliases: {
      file_path: 'path',
      oldText: 'old_string',
      newText: 'new_string',
      search: 'old_string',
      replace: 'new_string',
    },
    effects(input) {
      const path = text(input, 'path');
      return [
        { kind: 'read', path },
        { kind: 'write', path },
      ];
    },
    async run(input, { signal }) {
      const path = text(input, 'path');
      const edits = wantedEdits(input);
      const original = await readOriginal(host, path);
      const { content, replacements } = applyEdits(path, original, edits, flag(input, 'replace_all'));
      const change = await changeBetween(path, original, content);
      // Last, so that as little as possible can happen between the look and the write.
      if (!original.equals(await host.files.read(path))) {
        const remedy = 'Nothing was written. Read the file again and repeat the edit.';
        throw new TauError('file', `${path} was changed by someone else during the edit`, { remedy });
      }
      beforeWriting(signal);
      await host.files.write(path, content);
      const lines = change ? ` (${counted(change.linesChanged, 'line')} changed)` : '';
      return textResult(`Replaced ${counted(replacements, 'occurrence')} in ${path}${lines}`, {
        path,
        replacements,
        ...(change && { diff: change.diff }),
      });
    },
  };
}

function wantedEdits(input: ToolInput): Edit[] {
  const oldText = optionalText(input, 'old_string');
  const newText = optionalText(input, 'new_string');
  const list = optionalObjects(input, 'edits') ?? [];
  const edits = list.map((edit) => ({ oldText: text(edit, 'old_string'), newText: text(edit, 'new_string') }));
  const paired = oldText !== undefined || newText !== undefined;
  if (paired && edits.length > 0) {
    const remedy = 'Give either the pair or edits.';
    throw new TauError('usage', 'Both edits and old_string with new_string were given', { remedy });
  }
  if (edits.length > 0) return edits;
  if (oldText === undefined || newText === undefined) {
    const remedy = 'Give old_string and new_string, or edits.';
    throw new TauError('usage', 'There is nothing to replace', { remedy });
  }
  return [{ oldText, newText }];
}

async function readOriginal(host: Host, path: string): Promise<Buffer> {
  if (!(await host.files.stat(path))) throw await missingFile(host.files, path);
  const original = await host.files.read(path);
  if (isUtf8(original)) return original;
  const remedy = 'Convert it first, or change it with a command through bash.';
  throw new TauError('file', `${path} is not UTF-8 text, so an edit could damage it`, { remedy });
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
