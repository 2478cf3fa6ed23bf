/** A machine to act on: its files and its processes. */
export type { FileStat, Files, Host, ProcessResult } from './host.ts';
export { localHost } from './local/host.ts';
export { privateFolder } from './local/private-folder.ts';
