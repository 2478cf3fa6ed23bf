/** `edit`: replacements in one file, all of them or none. */
import { type JsonSchema, TauError, type Tool, textResult } from '@tau/core';
import type { Host } from '@tau/host';
import { beforeWriting } from '../abort.ts';
import { changeBetween, shortDiff } from '../change.ts';
import { text } from '../input.ts';
import { judgedFiles } from '../judged.ts';
import { decoded, readOriginal, toBytes } from '../original.ts';
import { noteWritten, refuseUnseen, type SeenFiles } from '../seen.ts';
import { applyEdits } from './replace.ts';
import { wantedEdits } from './wanted.ts';

const one: Record<string, JsonSchema> = {
  old_string: { type: 'string' },
  new_string: { type: 'string' },
  replace_all: { type: 'boolean' },
};

export function editTool(host: Host, seen: SeenFiles): Tool {
  return {
    name: 'edit',
    description:
      'Replace exact text in a file you have read. old_string must occur once, unless replace_all. For several places use edits, all matched against the original.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        ...one,
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: one,
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
      filePath: 'path',
      filename: 'path',
      oldText: 'old_string',
      old_str: 'old_string',
      search: 'old_string',
      newText: 'new_string',
      new_str: 'new_string',
      replace: 'new_string',
    },
    effects(input) {
      const path = text(input, 'path');
      return [
        { kind: 'read', path },
        { kind: 'write', path },
      ];
    },
    async run(input, { signal, judged }) {
      const files = judgedFiles(host, judged);
      const path = text(input, 'path');
      const edits = wantedEdits(input);
      const original = await readOriginal(files, path);
      const place = await files.resolve(path);
      refuseUnseen(seen.state(place, original.stat, original.bytes), path, 'repeat the edit');
      const before = decoded(path, original.bytes);
      const replaced = await applyEdits(path, before.text, edits);
      const content = toBytes(path, { ...before, text: replaced.text });
      const change = await changeBetween(path, before.text, replaced.text);
      // Last, so that as little as possible can happen between the look and the write.
      if (!original.bytes.equals(await files.read(path))) {
        const remedy = 'Nothing was written. Read the file again and repeat the edit.';
        throw new TauError('file', `${path} was changed by someone else during the edit`, { remedy });
      }
      beforeWriting(signal);
      await files.write(path, content);
      await noteWritten(files, seen, path, content);
      const { replacements, firstLine, tolerances } = replaced;
      const tolerance = tolerances.join(', ');
      const lines = change ? ` (${counted(change.linesChanged, 'line')} changed)` : '';
      const done = `Replaced ${counted(replacements, 'occurrence')} in ${path}${lines}`;
      const how = tolerance
        ? `${done}, matched after ignoring ${tolerance}${change ? `:\n${shortDiff(change)}` : ''}`
        : done;
      return textResult(how, {
        path,
        replacements,
        firstLine,
        ...(tolerance && { tolerance }),
        ...(change && { diff: change.diff }),
      });
    },
  };
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
