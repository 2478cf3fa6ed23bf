/** A machine to act on: its files and its processes. */
export type { FileStat, Files, Host, Processes, ProcessRequest, ProcessResult } from './host.ts';
export { localHost } from './local/host.ts';
