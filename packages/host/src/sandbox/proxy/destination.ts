/** Where a command wants to connect: read from what it wrote, in the one spelling that is judged, shown and connected to. */

export interface Destination {
  /** A name in lower case, or an address in its plain form; no brackets, no dot at the end. */
  host: string;
  port: number;
}

const maxNameLength = 253;

/** Undefined when no connection can mean it. The URL parser turns every odd spelling of an address into the plain one. */
export function readDestination(host: string, port: number): Destination | undefined {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  const plain = readHost(host);
  return plain === undefined ? undefined : { host: plain, port };
}

/** `host:port`, as CONNECT has it. An address of IPv6 is in brackets. */
export function readAuthority(authority: string): Destination | undefined {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^[\]:]+):(\d{1,5})$/.exec(authority) ?? [];
  return host === undefined ? undefined : readDestination(host, Number(port));
}

export function readHost(written: string): string | undefined {
  const bare = written.replace(/^\[|\]$/g, '');
  if (bare === '' || bare.length > maxNameLength + 1 || !/^[\x21-\x7e]+$/.test(bare)) return undefined;
  if (/[/\\@?#%*[\]<>^|"`{}]/.test(bare)) return undefined;
  const url = `http://${bare.includes(':') ? `[${bare}]` : bare}/`;
  if (!URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === '' || host.length > maxNameLength || host.split('.').includes('') ? undefined : host;
}

export function writeDestination({ host, port }: Destination): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
