/**
 * Which addresses are public. Everything else is refused: this machine, its network, the metadata services of clouds, and
 * IPv6 forms that carry such an address inside. What cannot be read is not public.
 */

/** Address and number of leading bits that count. */
const privateRanges: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carriers' own, and a metadata service
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // a cloud's wire server
  ['169.254.0.0', 16], // link-local, and most metadata services
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24], // documentation, as are two below
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

export function isPublicAddress(address: string): boolean {
  const number = numberOf(address);
  if (number !== undefined) return isPublicNumber(number);
  const groups = groupsOf(address);
  return groups !== undefined && isPublicGroups(groups);
}

function isPublicNumber(number: number): boolean {
  return !privateRanges.some(([base, bits]) => {
    const from = numberOf(base) ?? 0;
    return number >= from && number < from + 2 ** (32 - bits);
  });
}

/** An IPv4 address as a number. */
function numberOf(address: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return undefined;
  const parts = address.split('.').map(Number);
  return parts.some((part) => part > 255) ? undefined : parts.reduce((sum, part) => sum * 256 + part, 0);
}

/** An IPv6 address as its eight groups. The URL parser knows every spelling. */
function groupsOf(address: string): number[] | undefined {
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return undefined;
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const first = numbers(head);
  const last = numbers(tail ?? '');
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...new Array<number>(Math.max(0, zeros)).fill(0), ...last];
  return groups.length === 8 ? groups : undefined;
}

function isPublicGroups(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const isInner = (high: number, low: number) => isPublicNumber(high * 65536 + low);
  // IPv4 in IPv6, and IPv6 networks that reach IPv4 by translation.
  if (a + b + c + d + e === 0 && f === 0xffff) return isInner(g, h);
  if (a === 0x64 && b === 0xff9b && c + d + e + f === 0) return isInner(g, h);
  // Only these are given out; the rest is loopback, link-local, site-local, unique local, multicast or reserved.
  if ((a & 0xe000) !== 0x2000) return false;
  if (a === 0x2001 && b === 0xdb8) return false;
  if (a === 0x3fff && b < 0x1000) return false;
  if (a === 0x2002) return isInner(b, c);
  // Teredo holds its server's address as it is and its client's with the bits turned.
  if (a === 0x2001 && b === 0) return isInner(c, d) && isInner(g ^ 0xffff, h ^ 0xffff);
  if (a === 0x2001 && b < 0x200) return false;
  if ((e === 0 || e === 0x200) && f === 0x5efe) return isInner(g, h);
  return true;
}
