/** `grep`: the lines of many files that match a pattern, or which files have them. */
import { type Tool, type ToolContext, type ToolInput, textResult } from '@tau/core';
import type { CountFound, GrepFound, Host } from '@tau/host';
import { flag, optionalNumber, optionalText, text } from '../input.ts';
import { judgedHost } from '../judged.ts';
import { grepAliases, prepareGrep } from './grep-input.ts';
import {
  deniedFiles,
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

const limits = { fallback: 100, most: 1000 };
const maxContext = 20;
const maxBytes = 50 * 1024;

export function grepTool(host: Host, options: SearchOptions): Tool {
  return {
    name: 'grep',
    description: 'Search files by ripgrep regex. Skips ignored and binary files.',
    snippet: 'Search file contents by regex',
    parameters: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        path: { type: 'string' },
        glob: { type: 'string' },
        ignore_case: { type: 'boolean' },
        literal: { type: 'boolean' },
        context: { type: 'integer' },
        output: { type: 'string', enum: ['content', 'files', 'count'] },
        limit: { type: 'integer' },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    aliases: grepAliases,
    prepare: prepareGrep,
    effects: (input) => [{ kind: 'read', path: rootOf(input) }],
    run: (input, context) =>
      unlessAborted(context.signal, search(judgedHost(host, context.judged), options, input, context)),
  };
}

async function search(host: Host, options: SearchOptions, input: ToolInput, { signal }: ToolContext) {
  const root = rootOf(input);
  const isFile = (await rootKind(host, root)) === 'file';
  const glob = optionalText(input, 'glob');
  const { respectGitignore = true } = options;
  const place = { root, signal, ...(glob && { glob }) };
  const request = {
    ...place,
    ...(await readingFrom(host, options, root)),
    gitIgnored: !respectGitignore,
    pattern: text(input, 'pattern'),
    literal: flag(input, 'literal'),
    ignoreCase: flag(input, 'ignore_case'),
    limit: limitOf(input, limits),
  };
  const shown = (below: string) => shownPath(isFile ? root : pathFrom(root, below));
  const output = optionalText(input, 'output') ?? 'content';
  const context = Math.min(Math.max(0, optionalNumber(input, 'context') ?? 0), maxContext);
  // At once: the files that are denied are counted whatever the search finds.
  const [denied, found] = await Promise.all([
    isFile ? 0 : deniedFiles(host, options, place),
    output === 'content' ? host.search.grep({ ...request, context }) : host.search.count(request),
  ]);
  const { unreadable } = found;
  const extra = notes({ denied, unreadable });
  if (found.files.length === 0) return textResult([nothing(request.pattern, root), ...extra].join('\n'), { files: 0 });
  const report = 'matches' in found ? showLines(found, shown) : showFiles(found, shown, output === 'count');
  return textResult([...report.lines, ...report.notes, ...extra].join('\n'), report.details);
}

interface Report {
  lines: string[];
  notes: string[];
  details: { files: number; matches: number; truncated: boolean };
}

function showLines(found: GrepFound, shown: (path: string) => string): Report {
  const lines: string[] = [];
  let bytes = 0;
  let matches = 0;
  let isCut = false;
  let isFull = false;
  const isGrouped = found.files.some((file) => file.lines.some(({ isMatch }) => !isMatch));
  for (const file of found.files) {
    const path = shown(file.path);
    let last: number | undefined;
    for (const { number, text: content, isMatch, isCut: lineCut } of file.lines) {
      const mark = isMatch ? ':' : '-';
      const line = `${path}${mark}${number}${mark}${content}`;
      bytes += Buffer.byteLength(line) + 1;
      isFull ||= bytes > maxBytes;
      if (isFull) break;
      if (isGrouped && lines.length > 0 && number - 1 !== last) lines.push('--');
      lines.push(line);
      last = number;
      matches += isMatch ? 1 : 0;
      isCut ||= lineCut;
    }
    if (isFull) break;
  }
  const truncated = isFull || !found.complete;
  const more = `[The first ${matches} matches; there are more. Narrow path, glob or pattern${
    isFull ? '' : `, or raise limit (at most ${limits.most})`
  }.]`;
  return {
    lines,
    notes: [...(truncated ? [more] : []), ...(isCut ? ['[… marks where a long line was cut.]'] : [])],
    details: { files: found.files.length, matches, truncated },
  };
}

function showFiles(found: CountFound, shown: (path: string) => string, withCounts: boolean): Report {
  const lines: string[] = [];
  let bytes = 0;
  for (const { path, count } of found.files) {
    const line = withCounts ? `${shown(path)}:${count}` : shown(path);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    lines.push(line);
  }
  const truncated = lines.length < found.totalFiles || !found.complete;
  const atLeast = found.complete ? '' : 'at least ';
  const more = `[${lines.length} of ${atLeast}${files(found.totalFiles)}, the newest first. Narrow path, glob or pattern.]`;
  const sum = `[${atLeast}${found.totalLines} lines in ${files(found.totalFiles)}]`;
  return {
    lines,
    notes: [...(truncated ? [more] : []), ...(withCounts ? [sum] : [])],
    details: { files: found.totalFiles, matches: found.totalLines, truncated },
  };
}

function nothing(pattern: string, root: string): string {
  const where = root === '.' ? '' : ` in ${shownPath(root)}`;
  return `No line matches ${pattern}${where}. Ignored files, binary files and .git were not searched.`;
}
