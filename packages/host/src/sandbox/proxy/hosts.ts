/**
 * Lists of hosts: `example.org` is that host, `*.example.org` everything below it, `*` every host; `:443` after it means
 * that port alone.
 */
import { type Destination, readHost } from './destination.ts';

interface HostPattern {
  /** `*`: every host. */
  host: string;
  below: boolean;
  port?: number;
}

/** Undefined when it names no host: what cannot be read allows nothing. */
export function readHostPattern(written: string): HostPattern | undefined {
  const text = written.trim();
  const [, name = text, digits] = /^(\[.*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const withPort = port === undefined ? {} : { port };
  if (name === '*') return { host: '*', below: false, ...withPort };
  const below = name.startsWith('*.');
  const host = readHost(below ? name.slice(2) : name);
  return host === undefined ? undefined : { host, below, ...withPort };
}

export function readHostPatterns(written: readonly string[]): HostPattern[] {
  return written.map(readHostPattern).filter((pattern) => pattern !== undefined);
}

export function isListed(to: Destination, patterns: readonly HostPattern[]): boolean {
  return patterns.some(({ host, below, port }) => {
    if (port !== undefined && port !== to.port) return false;
    if (host === '*') return true;
    return below ? to.host.endsWith(`.${host}`) : to.host === host;
  });
}
