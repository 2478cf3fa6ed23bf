/** `write`: the whole content of a file, new or replaced. */
import { type Tool, textResult } from '@tau/core';
import type { Files, Host } from '@tau/host';
import { beforeWriting } from './abort.ts';
import { changeBetween, maxDiffBytes } from './change.ts';
import { text } from './input.ts';
import type { SeenFiles } from './seen.ts';

export function writeTool(host: Host, _seen: SeenFiles): Tool {
  return {
    name: 'write',
    description: 'Create a file, or replace its whole content. Makes parent folders. To change a part, use edit.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    aliases: { file_path: 'path' },
    effects: (input) => [{ kind: 'write', path: text(input, 'path') }],
    async run(input, { signal }) {
      const path = text(input, 'path');
      const content = text(input, 'content');
      const before = await oldContent(host.files, path);
      beforeWriting(signal);
      const { created, bytes } = await host.files.write(path, content);
      const change = before && (await changeBetween(path, before, Buffer.from(content)));
      const details = { path, bytes, created, ...(change && { diff: change.diff }) };
      return textResult(`${created ? 'Created' : 'Wrote'} ${path} (${bytes} bytes)`, details);
    },
  };
}

/** Only for the diff: what cannot be read can still be replaced, and what is large gets no diff. */
async function oldContent(files: Files, path: string): Promise<Buffer | undefined> {
  const found = await files.stat(path);
  if (found?.kind !== 'file' || found.size > maxDiffBytes) return undefined;
  return files.read(path).catch(() => undefined);
}
