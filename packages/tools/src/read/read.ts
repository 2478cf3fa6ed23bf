/** `read`: the lines of a text file, numbered, a bounded piece at a time. */
import { TauError, type Tool, textResult } from '@tau/core';
import type { Host } from '@tau/host';
import { optionalNumber, text } from '../input.ts';
import { missingFile } from '../missing.ts';
import type { SeenFiles } from '../seen.ts';
import { type LineWindow, lineWindow } from './window.ts';

const defaultLines = 2000;
const maxLines = 5000;
const maxBytes = 50 * 1024;
const maxFileBytes = 100 * 1024 * 1024;
/** A NUL byte this near to the start means the file is not text. */
const probeBytes = 8 * 1024;

export function readTool(host: Host, _seen: SeenFiles): Tool {
  return {
    name: 'read',
    description: `Read a text file as numbered lines (N<tab>text), at most ${defaultLines} lines or 50 KB.`,
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        offset: { type: 'integer', description: 'first line, from 1' },
        limit: { type: 'integer', description: `lines, at most ${maxLines}` },
      },
      required: ['path'],
      additionalProperties: false,
    },
    aliases: { file_path: 'path' },
    effects: (input) => [{ kind: 'read', path: text(input, 'path') }],
    async run(input) {
      const path = text(input, 'path');
      const first = Math.max(1, optionalNumber(input, 'offset') ?? 1);
      const lines = Math.min(Math.max(1, optionalNumber(input, 'limit') ?? defaultLines), maxLines);
      const content = await readText(host, path);
      const window = lineWindow(content, first, { lines, bytes: maxBytes });
      const { firstLine, lastLine, totalLines, cutLine } = window;
      if (totalLines > 0 && firstLine === 0) {
        const remedy = `Use an offset from 1 to ${totalLines}.`;
        throw new TauError('file', `offset ${first} is beyond the end of ${path}, which has ${lineCount(totalLines)}`, {
          remedy,
        });
      }
      const truncated = lastLine < totalLines || cutLine !== undefined;
      const details = { path, totalLines, firstLine, lastLine, truncated };
      if (totalLines === 0) return textResult(`${path} is empty.`, details);
      return textResult([...warnings(path, window), window.numbered].join('\n'), details);
    },
  };
}

async function readText(host: Host, path: string): Promise<Buffer> {
  const found = await host.files.stat(path);
  if (!found) throw await missingFile(host.files, path);
  if (found.kind === 'directory') {
    throw new TauError('file', `${path} is a folder`, { remedy: `List it with ls ${path} through bash.` });
  }
  if (found.size > maxFileBytes) {
    const megabytes = Math.round(found.size / (1024 * 1024));
    const remedy = 'Look at a part of it with head, tail, sed -n or grep through bash.';
    throw new TauError('file', `${path} has ${megabytes} MB, too much for read`, { remedy });
  }
  const content = await host.files.read(path);
  if (content.subarray(0, probeBytes).includes(0)) {
    const remedy = `Try file ${path}, or xxd ${path} | head, through bash.`;
    throw new TauError('file', `${path} is a binary file, not text`, { remedy });
  }
  return content;
}

function warnings(path: string, window: LineWindow): string[] {
  const { firstLine, lastLine, totalLines, cutLine } = window;
  const found: string[] = [];
  if (lastLine < totalLines) {
    const shown = `${firstLine}-${lastLine}`;
    found.push(`WARNING: ${path} has ${lineCount(totalLines)}, showing ${shown}. Use offset and limit to read more.`);
  }
  if (cutLine) {
    const { bytes, shown } = cutLine;
    found.push(
      `WARNING: line ${firstLine} has ${bytes} bytes, showing the first ${shown}. Use cut -b through bash for the rest.`,
    );
  }
  return found;
}

function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}
