/** Reads the address of a document, and refuses those no document has. */
import { TauError } from '@tau/core';

const maxLength = 4000;

/** Ports of services that could be talked to in the words of a request. Browsers refuse the same ones. */
const refusedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
]);

export function readTarget(written: string): URL {
  if (written.length > maxLength) throw refused('The address', `it has more than ${maxLength} characters`);
  if (!URL.canParse(written)) throw refused(written, 'it is not an address', 'Write it as https://host/path.');
  const url = new URL(written);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(written, `only http and https are fetched, not ${url.protocol.slice(0, -1)}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(url.host, 'a user name or password in an address is never sent', 'Leave them out.');
  }
  if (refusedPorts.has(portOf(url))) throw refused(url.host, `port ${portOf(url)} belongs to another kind of service`);
  url.hash = '';
  return url;
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

/** The name or address alone: no brackets, no dots at the end. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function refused(what: string, why: string, remedy?: string): TauError {
  return new TauError('network', `Cannot fetch ${what}: ${why}`, remedy === undefined ? {} : { remedy });
}
