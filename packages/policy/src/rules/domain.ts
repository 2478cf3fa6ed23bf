/** Hosts in rules: `domain:example.org` is that host, `domain:*.example.org` everything below it. */

/** The host or `*.suffix` as the URL parser writes it, or undefined when it is neither. */
export function readDomain(source: string): string | undefined {
  const [, below = '', name = ''] = /^domain:(\*\.)?(.+)$/.exec(source.trim()) ?? [];
  const bare = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  if (/[\s/\\@?#*%]/.test(bare) || !URL.canParse(`http://${bare}/`)) return undefined;
  const { hostname, host } = new URL(`http://${bare}/`);
  return hostname === host && hostname !== '' ? below + plainHost(hostname) : undefined;
}

/** `loosely`: what restricts everything below a name restricts the name too. */
export function domainMatches(host: string, domain: string, loosely: boolean): boolean {
  const name = plainHost(host.toLowerCase());
  if (!domain.startsWith('*.')) return name === domain;
  return name.endsWith(domain.slice(1)) || (loosely && name === domain.slice(2));
}

function plainHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}
