/** Private addresses that commands in the sandbox want: no yes opens one, unless the settings name it. */
import { allowsPrivate, isPrivateHost, isThisMachine, loadSandbox } from '@tau/host';
import type { Settings } from '../config/types.ts';

const opener = 'only webFetch.privateHosts in the settings opens it to commands in the sandbox';

/** Why the proxy leads to no such place, whatever was allowed. */
export function whyPrivate(to: { host: string; port: number }, { webFetch }: Settings): string | undefined {
  if (!isPrivateHost(to.host) || allowsPrivate(to, webFetch?.privateHosts)) return undefined;
  if (!isThisMachine(to.host)) return `it is not a public address; ${opener}`;
  const own = 'servers of the session are reached without the proxy, by a name that is in NO_PROXY';
  return `it is not a public address; ${opener}, and ${own}`;
}

/** The same of a host in the words of a command. There loopback means the servers of the session. */
export function whyUnreachable(host: string, { webFetch }: Settings): string | undefined {
  const allowed = isThisMachine(host) || !isPrivateHost(host) || allowsPrivate({ host }, webFetch?.privateHosts);
  return allowed ? undefined : `${host} is not a public address; ${opener}`;
}

/**
 * Names of loopback under which commands reach the machine, because the settings open it to them by that very name. Most
 * programs take no ports into account, so under this name they no longer find the servers of the session.
 */
export async function machineNames({ webFetch, sandbox }: Settings): Promise<string[]> {
  const { readHostPatterns } = await loadSandbox();
  const names = readHostPatterns(sandbox?.hosts ?? []).map(({ host }) => host);
  return names.filter((host) => isThisMachine(host) && allowsPrivate({ host }, webFetch?.privateHosts));
}
