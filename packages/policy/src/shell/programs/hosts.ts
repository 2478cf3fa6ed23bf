/**
 * The host that an address leads to, if that is beyond doubt. Programs disagree about strange addresses, so only plain
 * ones are read; for all others the host is one that nobody knows.
 */
import type { Effect } from '@tau/core';
import type { Word } from '../invocation.ts';
import { anywhere } from './danger.ts';

const hostName = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?';
const user = "(?:[A-Za-z0-9._~!$&'()*+,;=:%-]*@)?";
const address = new RegExp(
  `^([a-z][a-z0-9+.-]*)://${user}(${hostName}|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]+)?(?:[/?#].*)?$`,
  'i',
);
const remotePath = new RegExp(`^(?:[A-Za-z0-9._-]+@)?(${hostName}):`);

interface Address {
  scheme: string;
  host: string;
}

export function readAddress(text: string): Address | undefined {
  if (/[\s\\\p{Cc}]|#.*@/u.test(text)) return undefined;
  const [, scheme, host] = address.exec(text) ?? [];
  return scheme === undefined || host === undefined
    ? undefined
    : { scheme: scheme.toLowerCase(), host: host.toLowerCase() };
}

/** `host:path`, `me@host:path`: what scp and git take for another machine. */
export function remoteHost(text: string): string | undefined {
  return /^[A-Za-z]:\\/.test(text) ? undefined : remotePath.exec(text)?.[1]?.toLowerCase();
}

/** The host of an address in any of the two forms. */
export function hostOf(word: Word): string | undefined {
  if (word === undefined) return undefined;
  return word.includes('://') ? readAddress(word)?.host : remoteHost(word);
}

/** A connection to each host, or to somewhere when there is none. */
export function connects(hosts: readonly (string | undefined)[]): Effect[] {
  const known = new Set(hosts.map((host) => host ?? '*'));
  return known.size === 0 ? [anywhere] : [...known].map((host): Effect => ({ kind: 'net', host }));
}
