/** `curl` and `wget`: whom they talk to, which files they send and which they leave. */
import type { Effect } from '@tau/core';
import type { Finding, Invocation, Judge, ShellFacts, Word } from '../invocation.ts';
import { anywhere, risky } from './danger.ts';
import { defined, does, notKnown, pours, reads, writes } from './findings.ts';
import { connects, readAddress } from './hosts.ts';
import { gives } from './loose.ts';
import { has, isMisread, type OptionTable, type Reading, readInvocation, valuesOf } from './options.ts';

export const fetchers: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['curl', curl],
  ['wget', wget],
]);

/** Not in here: `-K` (more options from a file), proxies, other ways to a host, `-J` (the server names the file). */
const curlTable: OptionTable = {
  flags: 'sSfLkIGigv#NOjZaR460',
  numbers: 'm',
  values: 'XHdFTouUAebcDwrC',
  long:
    'silent show-error fail fail-with-body fail-early location insecure head get include globoff verbose progress-bar ' +
    'no-buffer remote-name remote-name-all junk-session-cookies parallel compressed http1.0 http1.1 http2 http3 ipv4 ipv6 ' +
    'tlsv1 tlsv1.2 tlsv1.3 no-progress-meter create-dirs no-keepalive path-as-is post301 post302 post303 retry-connrefused ' +
    'retry-all-errors basic digest raw tcp-nodelay append remote-time styled-output no-styled-output',
  longNumbers:
    'max-time connect-timeout retry retry-delay retry-max-time max-redirs limit-rate max-filesize speed-time speed-limit',
  longValues:
    'request header data data-raw data-binary data-ascii data-urlencode json form form-string upload-file output user ' +
    'user-agent referer cookie cookie-jar dump-header write-out cacert output-dir url range continue-at oauth2-bearer',
};

function curl(invocation: Invocation): Finding {
  const reading = readInvocation(invocation, curlTable);
  if (isMisread(reading)) return unreadFetch(invocation, reading.why);
  const addresses = [...reading.operands, ...valuesOf(reading, 'url')].map((word) =>
    word?.startsWith('@') ? undefined : word,
  );
  const read = addresses.map((word) => (word === undefined ? undefined : readAddress(withScheme(word))));
  const effects = [...connects(read.map((address) => address?.host)), ...curlFiles(reading)];
  if (has(reading, 'L', 'location')) effects.push(anywhere);
  const plain = read.every((address) => address?.scheme === 'http' || address?.scheme === 'https');
  if (!plain || addresses.length === 0)
    return notKnown('network', 'where it leads is not understood', defined(effects));
  if (hasStrangeFile(reading)) return notKnown('network', 'which files it sends is not understood', defined(effects));
  const names = remoteNames(reading, addresses);
  if (names === undefined) return notKnown('network', 'the file it leaves is not understood', defined(effects));
  return does('network', [...effects, ...pours(names)]);
}

/** Without one, curl guesses; it never guesses a file. */
function withScheme(word: string): string {
  return word.includes('://') ? word : `http://${word}`;
}

function curlFiles(reading: Reading): (Effect | undefined)[] {
  const at = (value: Word) => (value === undefined ? [undefined] : value.startsWith('@') ? [value.slice(1)] : []);
  const within = (value: Word) =>
    value === undefined ? [undefined] : (value.match(/[@<][^;,]+/g) ?? []).map((file) => file.slice(1));
  const data = ['d', 'data', 'data-binary', 'data-ascii', 'json', 'H', 'header', 'w', 'write-out'];
  const read = [
    ...valuesOf(reading, ...data).flatMap(at),
    ...valuesOf(reading, 'data-urlencode', 'F', 'form').flatMap(within),
    ...valuesOf(reading, 'T', 'upload-file', 'cacert'),
    ...valuesOf(reading, 'b', 'cookie').filter(
      (value) => value === undefined || (value !== '' && !value.includes('=')),
    ),
  ];
  const written = valuesOf(reading, 'c', 'cookie-jar', 'D', 'dump-header').filter((file) => file !== '-');
  return [...reads(read), ...pours(written)];
}

/** curl takes lists and quotes apart in the names of files that it sends. */
function hasStrangeFile(reading: Reading): boolean {
  const sent = valuesOf(reading, 'T', 'upload-file').some((file) => file !== undefined && /[{}[\]]/.test(file));
  return sent || valuesOf(reading, 'F', 'form').some((part) => part !== undefined && /["\\]/.test(part));
}

/** The files that the answers go to; undefined where only the program or the server knows. */
function remoteNames(reading: Reading, addresses: readonly Word[]): Word[] | undefined {
  if (valuesOf(reading, 'w', 'write-out').some((format) => format?.includes('%output'))) return undefined;
  const folder = valuesOf(reading, 'output-dir').at(-1);
  if (has(reading, 'output-dir') && folder === undefined) return undefined;
  const given = valuesOf(reading, 'o', 'output').filter((file) => file !== '-');
  if (given.some((file) => file === undefined || file.includes('#'))) return undefined;
  const remote = has(reading, 'O', 'remote-name', 'remote-name-all') ? addresses.map(lastSegment) : [];
  if (remote.includes(undefined)) return undefined;
  return [...given, ...remote].map((file) => (folder === undefined ? file : `${folder}/${file}`));
}

/** The name a file gets from its address, if that is plain. */
function lastSegment(address: Word): string | undefined {
  return /^(?:[a-z]+:\/\/)?[^/?#]+\/(?:[^?#]*\/)?([A-Za-z0-9_][A-Za-z0-9._+-]*)$/i.exec(address ?? '')?.[1];
}

/** Not in here: `-e` and `-i` (more options and addresses from elsewhere), `-r` and `-m` (whole trees), `--use-askpass`. */
const wgetTable: OptionTable = {
  flags: 'qvcS46',
  numbers: 'Ttw',
  values: 'OPUo',
  old: /^-nv$/,
  long:
    'quiet verbose no-verbose continue server-response spider no-check-certificate no-hsts show-progress https-only ' +
    'inet4-only inet6-only no-cookies no-cache',
  longNumbers: 'timeout tries wait connect-timeout read-timeout max-redirect',
  longValues:
    'output-document directory-prefix header user-agent method post-data body-data post-file body-file output-file',
  longAttached: 'progress',
};

function wget(invocation: Invocation, facts: ShellFacts): Finding {
  const reading = readInvocation(invocation, wgetTable);
  if (isMisread(reading)) return unreadFetch(invocation, reading.why);
  const read = reading.operands.map((word) => (word === undefined ? undefined : readAddress(withScheme(word))));
  const secure = !has(reading, 'no-hsts') && read.some((address) => address?.scheme !== 'http');
  const effects = [
    ...connects(read.map((address) => address?.host)),
    anywhere,
    ...reads(valuesOf(reading, 'post-file', 'body-file')),
    ...pours(valuesOf(reading, 'o', 'output-file')),
    ...writes(secure ? [`${facts.home}/.wget-hsts`] : []),
  ];
  const plain = read.every((address) => address?.scheme === 'http' || address?.scheme === 'https');
  const names = wgetNames(reading);
  if (!plain || read.length === 0 || names === undefined) {
    return notKnown('network', 'where it leads or what it leaves is not understood', defined(effects));
  }
  return does('network', [...effects, ...pours(names)]);
}

function wgetNames(reading: Reading): Word[] | undefined {
  if (has(reading, 'spider')) return [];
  const given = valuesOf(reading, 'O', 'output-document');
  if (given.length > 0) return given.filter((file) => file !== '-');
  const folder = valuesOf(reading, 'P', 'directory-prefix').at(-1);
  if (has(reading, 'P', 'directory-prefix') && folder === undefined) return undefined;
  const names = reading.operands.map(lastSegment);
  return names.includes(undefined)
    ? undefined
    : names.map((name) => (folder === undefined ? name : `${folder}/${name}`));
}

/** Options that name a program or lead around what the words say. */
function unreadFetch({ words: [, ...words] }: Invocation, why: string): Finding {
  const danger = gives(words, 'use-askpass') ? 'it runs a program that an option names' : undefined;
  const hosts = words.flatMap((word) => (word?.includes('://') ? [readAddress(word)?.host] : []));
  return risky('network', why, danger, connects([...hosts, undefined]));
}
