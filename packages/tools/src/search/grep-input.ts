/** What other agents' models write for `grep`, as ours takes it. */
import { TauError, type ToolInput } from '@tau/core';

export const grepAliases: Readonly<Record<string, string>> = {
  query: 'pattern',
  regex: 'pattern',
  search_path: 'path',
  dir_path: 'path',
  directory: 'path',
  file_path: 'path',
  include: 'glob',
  include_pattern: 'glob',
  file_pattern: 'glob',
  '-i': 'ignore_case',
  ignoreCase: 'ignore_case',
  case_insensitive: 'ignore_case',
  fixed_strings: 'literal',
  head_limit: 'limit',
  max_results: 'limit',
};

const outputs: Readonly<Record<string, string>> = {
  files_with_matches: 'files',
  count_matches: 'count',
};

/** Extensions of the types that are not simply named after theirs. */
const typeGlobs: Readonly<Record<string, string>> = {
  js: '*.{js,jsx,mjs,cjs}',
  ts: '*.{ts,tsx,mts,cts}',
  typescript: '*.{ts,tsx,mts,cts}',
  javascript: '*.{js,jsx,mjs,cjs}',
  py: '*.{py,pyi}',
  python: '*.{py,pyi}',
  rust: '*.rs',
  ruby: '*.rb',
  md: '*.{md,markdown,mdx}',
  markdown: '*.{md,markdown,mdx}',
  yaml: '*.{yaml,yml}',
  html: '*.{html,htm}',
  c: '*.{c,h}',
  cpp: '*.{cpp,cc,cxx,hpp,hh,hxx,h}',
  kotlin: '*.{kt,kts}',
  csharp: '*.cs',
  sh: '*.{sh,bash,zsh}',
};

/** How lines are shown is not a choice here, and a file's whole text is never one line. */
export function prepareGrep(input: ToolInput): ToolInput {
  const { '-n': _numbers, '-A': after, '-B': before, '-C': around, type, multiline, output_mode, ...rest } = input;
  const { case_sensitive, description: _aside, ...given } = rest;
  if (multiline === true || multiline === 'true') {
    throw new TauError('usage', 'grep tries the pattern on one line at a time', {
      remedy: 'Search for one of the lines, with context to see those around it.',
    });
  }
  const context = Math.max(0, ...[after, before, around].map(Number).filter(Number.isFinite));
  const glob = typeof type === 'string' && /^\w+$/.test(type) ? (typeGlobs[type] ?? `*.${type}`) : undefined;
  const sensitive = case_sensitive === undefined ? undefined : String(case_sensitive) !== 'false';
  const output = typeof output_mode === 'string' ? (outputs[output_mode] ?? output_mode) : undefined;
  return {
    ...(context > 0 && { context }),
    ...(glob !== undefined && { glob }),
    ...(sensitive !== undefined && { ignore_case: !sensitive }),
    ...(output !== undefined && { output }),
    ...given,
  };
}
