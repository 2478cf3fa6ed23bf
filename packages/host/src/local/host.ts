/** The machine tau runs on. */
import { resolve } from 'node:path';
import type { Host } from '../host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { lateSearch } from '../search/late.ts';
import type { LocalSearchOptions } from '../search/local-search.ts';
import { localWeb } from '../web/local.ts';
import { localFiles } from './files.ts';
import { localProcesses } from './processes.ts';
import type { ShellOptions } from './shell.ts';

export interface LocalOptions extends ShellOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** What may be fetched although it is on a private address: `localhost:8080`. */
  privateHosts?: readonly string[];
  /** Asked by the first command that is to be contained, and closed when the processes end. */
  sandbox?: () => Promise<Sandbox>;
  searchEngine?: LocalSearchOptions['engine'];
  searchTimeoutMs?: number;
}

export function localHost(options: LocalOptions): Host {
  const cwd = resolve(options.cwd);
  const env = options.env ?? process.env;
  const { searchEngine, searchTimeoutMs, project = cwd } = options;
  return {
    files: localFiles({ cwd, home: env.HOME }),
    processes: localProcesses(cwd, env, options, options.sandbox),
    search: lateSearch(
      { cwd, home: env.HOME },
      {
        ...{ env, project },
        ...(searchEngine && { engine: searchEngine }),
        ...(searchTimeoutMs !== undefined && { timeoutMs: searchTimeoutMs }),
      },
    ),
    web: localWeb(env, options.privateHosts),
  };
}
