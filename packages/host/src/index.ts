/** A machine to act on: its files, its processes, and the web as it sees it. */
export { calmGitSettings, withCalmGit } from './git-calm.ts';
export type { FileStat, Files, Host, OpenFile, ProcessResult, Running } from './host.ts';
export { localHost } from './local/host.ts';
export { privateFolder } from './local/private-folder.ts';
export { findProgram, findShell, isProgram, meaningOtherwise } from './local/shell.ts';
export { type Watching, watchFiles } from './local/watch.ts';
export type { JoinedNetwork, NetworkOptions, SandboxNetwork } from './sandbox/network/network.ts';
export type { SandboxFacts, SandboxFinding } from './sandbox/open.ts';
export type { MayConnect } from './sandbox/proxy/judge.ts';
export type { RegistryName } from './sandbox/proxy/registries.ts';
export type { NetworkPlace, Sandbox, SandboxPolicy, Violation } from './sandbox/sandbox.ts';
export { findRipgrep } from './search/program.ts';
export type {
  CountFound,
  FilesFound,
  FolderEntry,
  FoundLine,
  GrepFound,
  Search,
  SearchRequest,
} from './search/search.ts';
export { allowsPrivate, isPrivateHost, isThisMachine } from './web/local.ts';
export { hostOf, readTarget } from './web/target.ts';
export type { WebResponse } from './web/web.ts';

/** Containing commands is no part of a start: most runs need it late, or never. */
export function loadSandbox() {
  return import('./sandbox/door.ts');
}
