/**
 * The pull request of the branch, as GitHub's own `gh` knows it. The program and its login are the user's; the repository
 * only says which project it belongs to, and one whose configuration could run something is not gone into.
 */
import { clipped, describeError, isRecord } from '@tau/core';
import { withCalmGit } from '@tau/host';
import type { PullRequest } from './context.ts';
import type { Repository } from './repository.ts';
import { createTameGit } from './tame.ts';

const waitMs = 3000;
const maxOutput = 64 * 1024;
const titleChars = 200;
const fields = ['number', 'title', 'url', 'state', 'isDraft', 'baseRefName'];

/** Undefined when the branch has none, or there is no branch. */
export type AskedPullRequest = { pullRequest?: PullRequest } | { problem: string };

export async function askPullRequest({ root, head }: Repository, env: NodeJS.ProcessEnv): Promise<AskedPullRequest> {
  if (!('branch' in head)) return {};
  if (!createTameGit(env)(root)) return left('the configuration of the repository may run programs');
  try {
    const output = await runGh(root, env);
    const pullRequest = output === undefined ? undefined : parsed(output);
    return pullRequest ? { pullRequest } : {};
  } catch (error) {
    return left(describeError(error));
  }
}

function left(why: string): { problem: string } {
  return { problem: `the pull request is left out of the prompt: ${why}` };
}

/** Undefined when there is no pull request. Without a branch as an argument it is that of the one checked out. */
async function runGh(root: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { execFile } = await import('node:child_process');
  const limits = { timeout: waitMs, killSignal: 'SIGKILL', maxBuffer: maxOutput } as const;
  return new Promise((done, failed) => {
    const args = ['pr', 'view', '--json', fields.join(',')];
    const child = execFile('gh', args, { cwd: root, env: given(env), ...limits }, (error, stdout, stderr) => {
      if (!error) return done(stdout);
      if (/no (?:open )?pull requests? found/i.test(stderr)) return done(undefined);
      failed(new Error(whyNot(error, stderr)));
    });
    child.stdin?.end();
  });
}

function whyNot(error: { code?: unknown; killed?: boolean; message: string }, stderr: string): string {
  if (error.code === 'ENOENT') return 'there is no gh on PATH (https://cli.github.com)';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'gh says too much';
  if (error.killed) return `gh took longer than ${waitMs} ms`;
  return clipped(stderr, titleChars) || clipped(error.message, titleChars);
}

/** What its login and the way to the network need. A token for other hosts goes along only where the user named one. */
const passed =
  /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|XDG_(?:CONFIG|STATE|DATA|CACHE)_HOME|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|GH_TOKEN|GITHUB_TOKEN|GH_HOST|GH_CONFIG_DIR|https?_proxy|all_proxy|no_proxy|SSL_CERT_FILE|SSL_CERT_DIR)$/i;

function given(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)));
  const { GH_HOST, GH_ENTERPRISE_TOKEN, GITHUB_ENTERPRISE_TOKEN } = env;
  return withCalmGit({
    ...kept,
    ...(GH_HOST && GH_ENTERPRISE_TOKEN && { GH_ENTERPRISE_TOKEN }),
    ...(GH_HOST && GITHUB_ENTERPRISE_TOKEN && { GITHUB_ENTERPRISE_TOKEN }),
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
    GH_PAGER: 'cat',
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    GH_NO_EXTENSION_UPDATE_NOTIFIER: '1',
  });
}

function parsed(output: string): PullRequest {
  const found: unknown = JSON.parse(output);
  const { number, title, url, state, isDraft, baseRefName } = isRecord(found) ? found : {};
  if (typeof number !== 'number' || typeof title !== 'string') throw new Error('gh did not say which one it is');
  const word = (value: unknown) => (typeof value === 'string' ? clipped(value, titleChars) : '');
  return {
    number,
    title: clipped(title, titleChars),
    url: word(url),
    state: word(state).toLowerCase(),
    draft: isDraft === true,
    base: word(baseRefName),
  };
}
