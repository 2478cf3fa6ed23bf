/** Which proxy stands before an address, as the environment tells it. Lower case wins, as it does in curl. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { TauError } from '@tau/core';

/** Undefined: straight there. This machine is never asked for through a proxy. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  const host = bare(url.hostname);
  if (isLoopback(host) || isExcepted(host, portOf(url), variable(env, 'no_proxy')?.value ?? '')) return undefined;
  const found = variable(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? variable(env, 'all_proxy');
  return found && proxyUrl(found.name, found.value);
}

function variable(env: NodeJS.ProcessEnv, lower: string): { name: string; value: string } | undefined {
  for (const name of [lower, lower.toUpperCase()]) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

/** The value may hold a password, so a message names the variable only. */
function proxyUrl(name: string, value: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  if (url?.protocol.startsWith('socks')) {
    throw new TauError('configuration', `${name} names a SOCKS proxy, which tau does not speak yet`, {
      remedy: 'Use an http:// or https:// proxy, or except the host with NO_PROXY',
    });
  }
  throw new TauError('configuration', `${name} is not the address of a proxy`, {
    remedy: 'Write it as http://host:port or https://host:port',
  });
}

function bare(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isIP(host) !== 0 && inRanges(host, ['127.0.0.0/8', '::1/128']);
}

/** NO_PROXY: names and their subdomains, with or without a leading dot, `*`, `name:port`, addresses and ranges. */
function isExcepted(host: string, port: number, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((item) => item !== '' && excepts(item, host, port));
}

function excepts(item: string, host: string, port: number): boolean {
  if (item === '*') return true;
  const { name, only } = splitPort(item);
  if (only !== undefined && only !== port) return false;
  if (isIP(host)) return bare(name) === host || inRanges(host, [name]);
  const suffix = bare(name.replace(/^\*?\./, ''));
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** An IPv6 address has colons of its own; with a port it stands in brackets. */
function splitPort(item: string): { name: string; only?: number } {
  if (isIPv6(item) || item.includes('/')) return { name: item };
  const match = /^(.+):(\d+)$/.exec(item);
  return match?.[1] === undefined ? { name: item } : { name: match[1], only: Number(match[2]) };
}

function inRanges(address: string, ranges: readonly string[]): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return ranges.some((range) => {
    const [base = '', bits = '', ...rest] = range.split('/');
    const length = Number(bits);
    if (rest.length > 0 || !/^\d+$/.test(bits) || length > (isIPv6(base) ? 128 : 32) || isIP(base) === 0) return false;
    const block = new BlockList();
    block.addSubnet(base, length, isIPv6(base) ? 'ipv6' : 'ipv4');
    return block.check(address, family);
  });
}
