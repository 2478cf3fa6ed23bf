/** A machine to act on: its files, its processes, and the web as it sees it. */
export { calmGitSettings, withCalmGit } from './git-calm.ts';
export type { FileStat, Files, Host, OpenFile, ProcessResult, Running } from './host.ts';
export { localHost } from './local/host.ts';
export { privateFolder } from './local/private-folder.ts';
export { findShell, isProgram, meaningOtherwise } from './local/shell.ts';
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
export { hostOf, readTarget } from './web/target.ts';
export type { WebResponse } from './web/web.ts';
