import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAuthority, readHost } from '../src/sandbox/proxy/destination.ts';
import { isListed, readHostPattern, readHostPatterns } from '../src/sandbox/proxy/hosts.ts';
import { readHttpHead, writeAnswer, writeRequest } from '../src/sandbox/proxy/http-head.ts';
import { hostsOfRegistries, isRegistryName, registries } from '../src/sandbox/proxy/registries.ts';
import { readGreeting, readLogin, readWish } from '../src/sandbox/proxy/socks.ts';

const runs = { seed: 11, numRuns: 300 };

function head(text: string) {
  return readHttpHead(Buffer.from(text, 'latin1'), 4096);
}

function headOf(text: string) {
  const read = head(text);
  if (read.kind !== 'head') throw new Error(read.kind);
  return read.head;
}

describe('destinations', () => {
  test.each([
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['EXAMPLE.org.', 'example.org'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('%s is %s, whatever way it is written', (written, plain) => {
    expect(readHost(written)).toBe(plain);
  });

  test.each([
    '',
    'a b',
    'a\0b',
    'a/b',
    'user@host',
    'a..b',
    'a%2eb',
    '*',
    'fe80::1%eth0',
    'ex\u{e4}mple.org',
    'a'.repeat(255),
    '1.2.3.4.5.256',
  ])('%j is no host', (written) => {
    expect(readHost(written)).toBeUndefined();
  });

  test.each([
    'example.org',
    'example.org:',
    'example.org:0',
    'example.org:65536',
    ':443',
    '::1:443',
    'a:b:443',
    '[::1:443',
  ])('%j is no host and port', (written) => {
    expect(readAuthority(written)).toBeUndefined();
  });

  test('what was read once is read the same again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.string()), (written) => {
        const host = readHost(written);
        if (host !== undefined) expect(readHost(host)).toBe(host);
      }),
      runs,
    );
  });
});

describe('lists of hosts', () => {
  const listed = (host: string, port: number, ...patterns: string[]) =>
    isListed({ host, port }, readHostPatterns(patterns));

  test('a name is that host alone, a star before it all below it, a port that port alone', () => {
    expect(listed('example.org', 443, 'Example.ORG.')).toBe(true);
    expect(listed('www.example.org', 443, 'example.org')).toBe(false);
    expect(listed('a.b.example.org', 22, '*.example.org')).toBe(true);
    expect(listed('example.org', 443, '*.example.org')).toBe(false);
    expect(listed('badexample.org', 443, '*.example.org')).toBe(false);
    expect(listed('example.org', 443, 'example.org:443')).toBe(true);
    expect(listed('example.org', 80, 'example.org:443')).toBe(false);
    expect(listed('anything.example', 80, '*')).toBe(true);
    expect(listed('anything.example', 80, '*:443')).toBe(false);
    expect(listed('2001:db8::1', 443, '[2001:db8::1]:443')).toBe(true);
  });

  test.each(['', '**', 'a.*', '*.*.org', 'https://example.org', 'example.org/path', 'example.org:99999', '*.'])(
    '%j allows nothing',
    (written) => {
      expect(readHostPattern(written)).toBeUndefined();
    },
  );

  test('every registry is a list of hosts, each by its plain name', () => {
    for (const hosts of Object.values(registries)) {
      for (const host of hosts) expect(readHostPattern(host)).toEqual({ host, below: false });
    }
    expect(isRegistryName('npm')).toBe(true);
    expect(isRegistryName('toString')).toBe(false);
    expect(hostsOfRegistries(['go', 'maven']).filter((host) => host === 'dl.google.com')).toHaveLength(1);
  });
});

describe('request heads', () => {
  test('CONNECT names its destination, and says who asks', () => {
    const said =
      'CONNECT Example.org:443 HTTP/1.1\r\nHost: other.example\r\nProxy-Authorization: Basic dGF1OmFiYw==\r\n\r\n';
    expect(headOf(said)).toMatchObject({
      kind: 'tunnel',
      to: { host: 'example.org', port: 443 },
      credentials: 'tau:abc',
    });
  });

  test('a request goes on to the judged host, whatever Host it wrote, without what is between it and the proxy', () => {
    const written = [
      'POST http://example.org:8080/a?b HTTP/1.1',
      'Host: 169.254.169.254',
      'Proxy-Authorization: Basic dGF1OmFiYw==',
      'Proxy-Connection: keep-alive',
      'Connection: X-Hop, keep-alive, content-length',
      'X-Hop: 1',
      'X-Kept: 2',
      'Content-Length: 3',
    ];
    const request = headOf(`${written.join('\r\n')}\r\n\r\n`);
    expect(request).toMatchObject({ kind: 'request', to: { host: 'example.org', port: 8080 }, body: 3 });
    expect(writeRequest(request, { origin: true })).toBe(
      'POST /a?b HTTP/1.1\r\nHost: example.org:8080\r\nX-Kept: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n',
    );
    expect(writeRequest(request, { origin: false })).toMatch(/^POST http:\/\/example\.org:8080\/a\?b HTTP/);
  });

  test.each([
    ['a bare line feed', 'GET http://a.example/ HTTP/1.1\nHost: b\r\n\r\n'],
    ['a bare carriage return', 'GET http://a.example/ HTTP/1.1\r\nX: a\rHost: b\r\n\r\n'],
    ['a folded header', 'GET http://a.example/ HTTP/1.1\r\nX: a\r\n b\r\n\r\n'],
    ['a space before the colon', 'GET http://a.example/ HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['a NUL', 'GET http://a.example/ HTTP/1.1\r\nX: a\0b\r\n\r\n'],
    ['two hosts', 'GET http://a.example/ HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n'],
    ['two lengths', 'POST http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and a coding',
      'POST http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['an unknown coding', 'POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n'],
    ['a negative length', 'POST http://a.example/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n'],
    ['a user in the address', 'GET http://b.example@a.example/ HTTP/1.1\r\n\r\n'],
    ['a backslash', 'GET http://a.example\\@b.example/ HTTP/1.1\r\n\r\n'],
    ['a path only', 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n'],
    ['another scheme', 'GET ftp://a.example/ HTTP/1.1\r\n\r\n'],
    ['CONNECT without a port', 'CONNECT a.example HTTP/1.1\r\n\r\n'],
    ['CONNECT with a path', 'CONNECT a.example:443/x HTTP/1.1\r\n\r\n'],
    ['CONNECT with two targets', 'CONNECT a.example:443 b.example:443 HTTP/1.1\r\n\r\n'],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\n'],
  ])('%s is refused', (_, text) => {
    expect(head(text)).toMatchObject({ kind: 'bad', status: 400 });
  });

  test('a head that is too long is refused, ended or not', () => {
    expect(head(`GET http://a.example/${'x'.repeat(5000)}`)).toMatchObject({ kind: 'bad', status: 431 });
    expect(head(`GET http://a.example/${'x'.repeat(5000)} HTTP/1.1\r\n\r\n`)).toMatchObject({
      kind: 'bad',
      status: 431,
    });
    expect(head(`GET http://a.example/ HTTP/1.1\r\n${'a: b\r\n'.repeat(101)}\r\n`)).toMatchObject({ kind: 'bad' });
    expect(head('GET http://a.example/ HTTP/1.1\r\n')).toEqual({ kind: 'more' });
  });

  test('whatever bytes come, what goes on names one host, the judged one, and is read as the same request', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'Host: b.example',
        'Connection: x, upgrade',
        'Upgrade: websocket',
        'Content-Length: 4',
        'X-A: \xff',
      ),
      fc.string(),
    );
    const target = fc.oneof(
      fc.tuple(fc.ipV4(), fc.nat(70_000)).map(([host, port]) => `http://${host}:${port}/a?b=c`),
      fc.constantFrom('a.example:80', 'http://a.example'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'POST', 'CONNECT'),
        target,
        fc.array(line, { maxLength: 5 }),
        (method, to, lines) => {
          const read = head(`${method} ${to} HTTP/1.1\r\n${lines.map((one) => `${one}\r\n`).join('')}\r\n`);
          if (read.kind !== 'head' || read.head.kind === 'tunnel') return;
          const again = headOf(writeRequest(read.head, { origin: false }));
          expect(again).toMatchObject({ to: read.head.to, method, path: read.head.path, body: read.head.body });
          expect(again.headers.filter(({ name }) => name.toLowerCase() === 'host')).toHaveLength(1);
        },
      ),
      runs,
    );
  });

  test('an answer says its sentence as its reason and its body, and nothing can be put between', () => {
    const text = writeAnswer(403, 'Refused: no\r\nX-Bad: 1\u{2028}.');
    expect(text).toMatch(/^HTTP\/1\.1 403 Refused: no X-Bad: 1 \.\r\n/);
    expect(text.split('\r\n\r\n')[1]).toBe('Refused: no X-Bad: 1 .\n');
  });
});

describe('SOCKS5', () => {
  const wish = (...bytes: number[]) => readWish(Buffer.from(bytes));
  const named = (name: string) => [5, 1, 0, 3, name.length, ...Buffer.from(name, 'latin1'), 1, 187];

  test('a wish names a host or an address', () => {
    expect(wish(...named('Example.org'))).toMatchObject({
      value: { command: 'connect', to: { host: 'example.org', port: 443 } },
    });
    expect(wish(5, 1, 0, 1, 127, 0, 0, 1, 0, 80)).toMatchObject({ value: { to: { host: '127.0.0.1', port: 80 } } });
    const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1];
    expect(wish(5, 1, 0, 4, ...mapped, 0, 80)).toMatchObject({ value: { to: { host: '::ffff:7f00:1', port: 80 } } });
  });

  test.each(['good.example\0.evil.example', 'a b', '', 'x'.repeat(255), 'a\r\nb'])('%j is no host to it', (name) => {
    expect(wish(...named(name))).toMatchObject({ kind: 'read', value: { to: undefined } });
  });

  test('waiting for connections and datagrams are other wishes', () => {
    for (const command of [0, 2, 3, 255]) {
      expect(wish(5, command, 0, 1, 1, 1, 1, 1, 0, 80)).toMatchObject({ value: { command: 'other' } });
    }
  });

  test('other versions and kinds of addresses are refused', () => {
    expect(readGreeting(Buffer.from([4, 1]))).toEqual({ kind: 'bad' });
    expect(readLogin(Buffer.from([2]))).toEqual({ kind: 'bad' });
    expect(wish(4)).toEqual({ kind: 'bad' });
    expect(wish(5, 1, 9)).toEqual({ kind: 'bad' });
    expect(wish(5, 1, 0, 2)).toEqual({ kind: 'bad' });
  });

  test('cut anywhere, each waits for more; whole, it stops where it ends', () => {
    const words = [
      { read: readGreeting, bytes: Buffer.from([5, 2, 0, 2]) },
      { read: readLogin, bytes: Buffer.from([1, 3, 116, 97, 117, 2, 97, 98]) },
      { read: readWish, bytes: Buffer.from(named('example.org')) },
    ];
    for (const { read, bytes } of words) {
      for (let cut = 0; cut < bytes.length; cut++) expect(read(bytes.subarray(0, cut))).toEqual({ kind: 'more' });
      expect(read(Buffer.concat([bytes, Buffer.from('rest')]))).toMatchObject({ kind: 'read', rest: bytes.length });
    }
  });
});
