/** The machine tau runs on. */
import { resolve } from 'node:path';
import type { Host } from '../host.ts';
import { localFiles } from './files.ts';
import { localProcesses } from './processes.ts';

export function localHost(options: { cwd: string; env?: NodeJS.ProcessEnv }): Host {
  const cwd = resolve(options.cwd);
  const env = options.env ?? process.env;
  return { files: localFiles({ cwd, home: env.HOME }), processes: localProcesses(cwd, env) };
}
