/** `ls`: what is in one folder. */
import { TauError, type Tool, type ToolInput, textResult } from '@tau/core';
import type { FolderEntry, Host } from '@tau/host';
import { judgedHost } from '../judged.ts';
import { limitOf, rootKind, rootOf, shownPath } from './root.ts';

const limits = { fallback: 500, most: 5000 };
const maxBytes = 50 * 1024;

export function lsTool(host: Host): Tool {
  return {
    name: 'ls',
    description: 'List one folder, hidden and ignored names too. Folders end in /.',
    snippet: 'List a folder',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      additionalProperties: false,
    },
    aliases: { dir_path: 'path', directory: 'path', file_path: 'path', head_limit: 'limit' },
    effects: (input) => [{ kind: 'read', path: rootOf(input) }],
    run: (input, { judged }) => list(judgedHost(host, judged), input),
  };
}

async function list(host: Host, input: ToolInput) {
  const path = rootOf(input);
  if ((await rootKind(host, path)) === 'file') {
    throw new TauError('file', `${path} is a file, not a folder`, { remedy: 'Use read to see what is in it.' });
  }
  const { text, ...details } = await listFolder(host, path, limitOf(input, limits));
  return textResult(text, details);
}

/** A folder as the model is shown it. */
export async function listFolder(
  host: Pick<Host, 'search'>,
  path: string,
  limit = limits.fallback,
): Promise<{ text: string; entries: number; truncated: boolean }> {
  const entries = await host.search.entries(path);
  const lines: string[] = [];
  let bytes = 0;
  for (const entry of entries.slice(0, limit)) {
    const line = shownEntry(entry);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    lines.push(line);
  }
  const truncated = lines.length < entries.length;
  const details = { entries: entries.length, truncated };
  if (entries.length === 0) return { text: `${path} is empty.`, ...details };
  const more = `[${lines.length} of ${entries.length} entries. Use glob with a pattern for the rest.]`;
  return { text: [...lines, ...(truncated ? [more] : [])].join('\n'), ...details };
}

function shownEntry({ name, kind, target }: FolderEntry): string {
  const shown = shownPath(name);
  if (kind === 'directory') return `${shown}/`;
  if (kind !== 'link') return shown;
  return target === undefined ? `${shown}@` : `${shown}@ -> ${shownPath(target)}`;
}
