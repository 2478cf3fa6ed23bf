/** The repository in words for the model. Names and subjects in it are other people's. */
import { harmless } from '../prompt/wrap.ts';
import type { Excerpt, GitContext } from './context.ts';

export function gitText({ branch, commit, status, commits, diff }: GitContext): string {
  const where = branch === undefined ? `none, at commit ${commit?.slice(0, 12)}` : branch;
  if (!status) return `Git branch when the session began: ${harmless(where)}`;
  const lines = [
    'As it was when the session began; it is not updated.',
    `Branch: ${where}`,
    ...(status.lines.length === 0 ? ['Status: clean'] : ['Status:', ...shown(status)]),
    ...(commits && commits.lines.length > 0 ? ['Last commits:', ...commits.lines] : []),
    ...(diff && diff.lines.length > 0 ? ['Uncommitted changes:', ...shown(diff)] : []),
  ];
  return `<git_status>\n${harmless(lines.join('\n'))}\n</git_status>`;
}

function shown({ lines, cut }: Excerpt): string[] {
  return cut ? [...lines, '[cut: there is more]'] : [...lines];
}
