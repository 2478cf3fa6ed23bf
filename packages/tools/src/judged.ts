/** The files a call may touch, where its effects were judged to lead. */
import type { ToolContext } from '@tau/core';
import type { Files, Host } from '@tau/host';

/** Without a judgement (nobody is at the gate) a path leads where it leads. */
export function judgedFiles({ files }: Host, judged: ToolContext['judged']): Files {
  return judged ? files.pinned(judged) : files;
}

/** The same for a call that goes through many: it begins where it was judged to. */
export function judgedHost(host: Host, judged: ToolContext['judged']): Host {
  return judged ? { ...host, files: host.files.pinned(judged), search: host.search.pinned(judged) } : host;
}
