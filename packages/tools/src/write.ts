/** `write`: the whole content of a file, new or replaced. */
import { type Tool, type ToolInput, textResult } from '@tau/core';
import type { FileStat, Files, Host } from '@tau/host';
import { beforeWriting } from './abort.ts';
import { changeOfBytes } from './change.ts';
import { text } from './input.ts';
import { judgedFiles } from './judged.ts';
import { noteWritten, refuseUnseen, type SeenFiles } from './seen.ts';

/** A larger file is told apart by its size and time, and gets no diff. */
const maxCompareBytes = 4 * 1024 * 1024;

export function writeTool(host: Host, seen: SeenFiles): Tool {
  return {
    name: 'write',
    description:
      'Create a file, or replace the whole content of one you have read. Makes parent folders. To change a part, use edit.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    aliases: { file_path: 'path', filePath: 'path', filename: 'path', contents: 'content', file_text: 'content' },
    prepare: asText,
    effects: (input) => [{ kind: 'write', path: text(input, 'path') }],
    async run(input, { signal, judged }) {
      const files = judgedFiles(host, judged);
      const path = text(input, 'path');
      const content = text(input, 'content');
      const found = await files.stat(path);
      const old = found?.kind === 'file' ? found : undefined;
      const before = old && (await oldContent(files, path, old));
      // There is nothing in an empty file that could be lost.
      if (old && old.size > 0) {
        refuseUnseen(seen.state(await files.resolve(path), old, before), path, 'write it');
      }
      beforeWriting(signal);
      const { created, bytes } = await files.write(path, content);
      const after = Buffer.from(content);
      await noteWritten(files, seen, path, after);
      const change = before && (await changeOfBytes(path, before, after));
      const details = { path, bytes, created, ...(change && { diff: change.diff }) };
      return textResult(`${created ? 'Created' : 'Wrote'} ${path} (${bytes} bytes)`, details);
    },
  };
}

/** An object where text belongs is the JSON of a file. */
function asText(input: ToolInput): ToolInput {
  const name = ['content', 'contents', 'file_text'].find(
    (key) => typeof input[key] === 'object' && input[key] !== null,
  );
  return name === undefined ? input : { ...input, [name]: `${JSON.stringify(input[name], null, 2)}\n` };
}

/** What cannot be read can still be replaced by who has seen it. */
async function oldContent(files: Files, path: string, { size }: FileStat): Promise<Buffer | undefined> {
  return size > maxCompareBytes ? undefined : files.read(path).catch(() => undefined);
}
