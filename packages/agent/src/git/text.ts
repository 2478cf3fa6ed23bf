/** The repository in words for the model. Names and subjects in it are other people's. */
import { harmless } from '../prompt/wrap.ts';
import type { Excerpt, GitContext, PullRequest } from './context.ts';

export function gitText({ branch, commit, status, commits, diff, pullRequest }: GitContext): string {
  const where = branch === undefined ? `none, at commit ${commit?.slice(0, 12)}` : branch;
  const request = pullRequest ? [`Pull request: ${requestText(pullRequest)}`] : [];
  if (!status) return [`Git branch when the session began: ${harmless(where)}`, ...request.map(harmless)].join('\n');
  const lines = [
    'As it was when the session began; it is not updated.',
    `Branch: ${where}`,
    ...request,
    ...(status.lines.length === 0 ? ['Status: clean'] : ['Status:', ...shown(status)]),
    ...(commits && commits.lines.length > 0 ? ['Last commits:', ...commits.lines] : []),
    ...(diff && diff.lines.length > 0 ? ['Uncommitted changes:', ...shown(diff)] : []),
  ];
  return `<git_status>\n${harmless(lines.join('\n'))}\n</git_status>`;
}

/** `#12 "Mend it" (open, draft) into main, https://…`. */
function requestText({ number, title, url, state, draft, base }: PullRequest): string {
  const how = [...(state === '' ? [] : [state]), ...(draft ? ['draft'] : [])].join(', ');
  const into = base === '' ? '' : ` into ${base}`;
  return `#${number} ${JSON.stringify(title)}${how === '' ? '' : ` (${how})`}${into}${url === '' ? '' : `, ${url}`}`;
}

function shown({ lines, cut }: Excerpt): string[] {
  return cut ? [...lines, '[cut: there is more]'] : [...lines];
}
