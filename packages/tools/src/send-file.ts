/** `send_file`: hands a file to the user, who is told where it is by whatever shows the run. Nothing is copied or sent away. */
import { TauError, type Tool, textResult } from '@tau/core';
import type { Host } from '@tau/host';
import { optionalText, text } from './input.ts';
import { judgedFiles } from './judged.ts';
import { missingFile } from './missing.ts';

export function sendFileTool(host: Host): Tool {
  return {
    name: 'send_file',
    description: 'Hand a file to the user, as a result they should see or keep.',
    snippet: 'hand a file to the user',
    deferred: true,
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, description: { type: 'string', maxLength: 500 } },
      required: ['path'],
      additionalProperties: false,
    },
    aliases: { file_path: 'path', filePath: 'path', file: 'path', caption: 'description', message: 'description' },
    effects: (input) => [{ kind: 'read', path: text(input, 'path') }],
    async run(input, { judged }) {
      const files = judgedFiles(host, judged);
      const path = text(input, 'path');
      const description = optionalText(input, 'description');
      const found = await files.stat(path);
      if (!found) throw await missingFile(files, path);
      if (found.kind !== 'file') {
        const what = found.kind === 'directory' ? 'a folder' : 'a device, pipe or socket';
        throw new TauError('file', `${path} is ${what}`, { remedy: 'Hand over regular files, one call for each.' });
      }
      const bytes = found.size;
      const details = { path: await files.resolve(path), bytes, ...(description && { description }) };
      return textResult(`Delivered ${path} (${bytes} bytes) to the user.`, details);
    },
  };
}
