/** `glob`: the files whose paths match a pattern, the newest first. */
import { type Tool, type ToolContext, type ToolInput, textResult } from '@tau/core';
import type { Host } from '@tau/host';
import { text } from '../input.ts';
import { judgedHost } from '../judged.ts';
import {
  files,
  limitOf,
  notes,
  pathFrom,
  readingFrom,
  rootKind,
  rootOf,
  type SearchOptions,
  shownPath,
  unlessAborted,
} from './root.ts';

const limits = { fallback: 200, most: 1000 };
const maxBytes = 50 * 1024;

export function globTool(host: Host, options: SearchOptions): Tool {
  return {
    name: 'glob',
    description: 'Find files by glob (*.ts, src/**/*.test.ts), newest first. Skips ignored files.',
    snippet: 'Find files by name',
    parameters: {
      type: 'object',
      properties: { pattern: { type: 'string' }, path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['pattern'],
      additionalProperties: false,
    },
    aliases: { glob: 'pattern', dir_path: 'path', directory: 'path', head_limit: 'limit', max_results: 'limit' },
    effects: (input) => [{ kind: 'read', path: placeOf(input).root }],
    run: (input, context) =>
      unlessAborted(context.signal, find(judgedHost(host, context.judged), options, input, context)),
  };
}

async function find(host: Host, options: SearchOptions, input: ToolInput, { signal }: ToolContext) {
  const { root, glob } = placeOf(input);
  const { respectGitignore = true } = options;
  if ((await rootKind(host, root)) === 'file') return textResult(shownPath(root), { files: 1, truncated: false });
  const limit = limitOf(input, limits);
  const found = await host.search.files({
    root,
    glob,
    limit,
    signal,
    gitIgnored: !respectGitignore,
    ...(await readingFrom(host, options, root)),
  });
  const lines: string[] = [];
  let bytes = 0;
  for (const { path } of found.files) {
    const line = shownPath(pathFrom(root, path));
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    lines.push(line);
  }
  const truncated = lines.length < found.total || !found.complete;
  if (found.files.length === 0) {
    lines.push(
      `No file matches ${text(input, 'pattern')}${root === '.' ? '' : ` in ${root}`}. Ignored files are left out.`,
    );
  } else if (truncated) {
    const raise = limit < limits.most ? `, or raise limit (at most ${limits.most})` : '';
    const total = `${found.complete ? '' : 'at least '}${files(found.total)}`;
    lines.push(`[${lines.length} of ${total}, the newest. Narrow the pattern or path${raise}.]`);
  }
  return textResult([...lines, ...notes(found)].join('\n'), { files: found.total, truncated });
}

/** A pattern that begins outside the folder begins at the last folder that it names outright. */
function placeOf(input: ToolInput): { root: string; glob: string } {
  const pattern = text(input, 'pattern');
  const root = rootOf(input);
  if (!/^(?:\/|~\/|\.\.\/)/.test(pattern)) return { root, glob: pattern };
  const parts = pattern.split('/');
  const magic = parts.findIndex((part) => /[*?[{]/.test(part));
  const end = magic < 0 ? parts.length - 1 : magic;
  const folder = parts.slice(0, end).join('/') || '/';
  return { root: folder.startsWith('..') ? pathFrom(root, folder) : folder, glob: `/${parts.slice(end).join('/')}` };
}
