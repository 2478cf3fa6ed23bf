/**
 * The way to a document: its name is looked up once, every address it has is checked, and the connection goes to exactly
 * those, so that a name cannot mean something else a moment later.
 */
import type { LookupFunction } from 'node:net';
import { TauError } from '@tau/core';
import { isPublicAddress } from './address.ts';
import type { Way } from './exchange.ts';
import { proxyFor, throughProxy } from './proxy.ts';
import { hostOf, portOf } from './target.ts';

export interface Surroundings {
  /** Where the proxy variables are. */
  env: NodeJS.ProcessEnv;
  /** Every address of a name. */
  lookup(host: string): Promise<readonly string[]>;
  /** True where an address may be used although it is private. */
  allowPrivate(target: { host: string; port: number; address: string }): boolean;
}

export async function wayTo(url: URL, world: Surroundings, signal: AbortSignal): Promise<Way> {
  const host = hostOf(url);
  const port = portOf(url);
  const route = await routeTo(url, world);
  switch (route.kind) {
    case 'private':
      throw privateAddress(host, route.address);
    case 'proxy':
      return throughProxy(url, route.proxy, signal);
    case 'direct': {
      const secure = url.protocol === 'https:';
      const path = `${url.pathname}${url.search}`;
      return { secure, options: { host, port, path, agent: false, lookup: fixed(route.addresses) } };
    }
  }
}

/** `private`: nobody may connect to it. `direct`: to these addresses, which were checked, and to no others. */
export type Route =
  | { kind: 'private'; address: string }
  | { kind: 'proxy'; proxy: URL }
  | { kind: 'direct'; addresses: readonly string[] };

export async function routeTo(url: URL, world: Surroundings): Promise<Route> {
  const host = hostOf(url);
  const port = portOf(url);
  // No proxy leads to a private host.
  const proxy = world.allowPrivate({ host, port, address: host }) ? undefined : proxyFor(url, world.env);
  if (proxy) {
    // Whoever looks the name up is the proxy, so only what the name itself says can be judged.
    const inside = isOwnName(host) || (isAddress(host) && !isPublicAddress(host));
    return inside ? { kind: 'private', address: host } : { kind: 'proxy', proxy };
  }
  const addresses = isAddress(host) ? [host] : await world.lookup(host);
  if (addresses.length === 0) throw new TauError('network', `Cannot fetch from ${host}: the name has no address`);
  const inside = addresses.find((address) => !isPublicAddress(address) && !world.allowPrivate({ host, port, address }));
  return inside === undefined ? { kind: 'direct', addresses } : { kind: 'private', address: inside };
}

/** A lookup that knows nothing but the addresses that were checked. */
export function fixed(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_, { all }, done) => {
    const [first] = found;
    if (all) done(null, found);
    else done(null, first?.address ?? '', first?.family);
  };
}

/** The URL parser has turned every odd spelling of an IPv4 address into the plain one. */
export function isAddress(host: string): boolean {
  return host.includes(':') || /^\d+(\.\d+){3}$/.test(host);
}

function isOwnName(host: string): boolean {
  return !host.includes('.') || /\.(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/.test(host);
}

function privateAddress(host: string, address = host): TauError {
  const where = address === host ? `${host} is` : `${host} leads to ${address}, which is`;
  return new TauError('network', `Not fetched: ${where} not a public address`, {
    remedy: 'Only the user can allow it, by naming the host under webFetch.privateHosts in the settings.',
  });
}
