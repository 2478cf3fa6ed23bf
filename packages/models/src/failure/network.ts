/** What the system and TLS threw, in words: why a host could not be talked to, and what to do about it. */

export interface Trouble {
  why: string;
  remedy?: string;
}

const online = 'Check the network and the address';

const troubles: ReadonlyMap<string, Trouble> = new Map<string, Trouble>([
  ['ECONNREFUSED', { why: 'nothing listens there', remedy: 'Check the address, and that the server is running' }],
  ['ENOTFOUND', { why: 'there is no such host', remedy: online }],
  ['EAI_AGAIN', { why: 'its name could not be looked up', remedy: online }],
  ['ETIMEDOUT', { why: 'it did not answer in time', remedy: online }],
  ['EHOSTUNREACH', { why: 'there is no way to it', remedy: online }],
  ['ENETUNREACH', { why: 'there is no way to its network', remedy: online }],
  ['ECONNRESET', { why: 'the connection was closed before an answer came' }],
  ['EPIPE', { why: 'the connection was closed before an answer came' }],
  ['EPROTO', { why: 'it does not speak TLS', remedy: 'Check whether the address should begin with http://' }],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    { why: 'it does not speak TLS', remedy: 'Check whether the address should begin with http://' },
  ],
  [
    'CERT_HAS_EXPIRED',
    { why: 'its certificate has expired', remedy: 'Check the clock of this machine, or tell whoever runs it' },
  ],
  ['CERT_NOT_YET_VALID', { why: 'its certificate is not valid yet', remedy: 'Check the clock of this machine' }],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    {
      why: 'its certificate is for another name',
      remedy: 'Check the address, and what stands between tau and the provider',
    },
  ],
]);

/** Certificates signed by somebody this machine does not know: a company's proxy, or a server of one's own. */
const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]);

export function troubleOf(code: string | undefined, words: string): Trouble {
  if (code === undefined) return { why: words };
  if (untrusted.has(code)) {
    return {
      why: `its certificate is not trusted here (${code})`,
      remedy: 'If you trust whoever signed it, name their certificate in the setting caFile or in NODE_EXTRA_CA_CERTS',
    };
  }
  if (code.startsWith('HPE_')) return { why: `it does not speak HTTP (${code})`, remedy: 'Check the address' };
  const known = troubles.get(code);
  if (known) return { ...known, why: `${known.why} (${code})` };
  return { why: words.includes(code) ? words : `${words} (${code})` };
}

/** Errors of the system have a code; so has the bundle of errors when a name led to several addresses. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
