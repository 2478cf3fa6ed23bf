import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startProxy } from '@tau/testkit';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPublicAddress } from '../src/web/address.ts';
import { localWeb, webIn } from '../src/web/local.ts';
import { closedPort } from './closed-port.ts';

type Answer = (incoming: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback, and how many requests came. */
async function serve(answer: Answer) {
  let requests = 0;
  const server = createServer((incoming, response) => {
    requests += 1;
    answer(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, requests: () => requests };
}

function ask(options: { signal?: AbortSignal; maxBytes?: number; timeoutMs?: number } = {}) {
  return { signal: new AbortController().signal, maxBytes: 1024 * 1024, timeoutMs: 20_000, ...options };
}

const closed = localWeb({});
const openTo = (...hosts: string[]) => localWeb({}, hosts);

async function bodyOf(web: ReturnType<typeof localWeb>, url: string, options = ask()): Promise<string> {
  const response = await web.get(url, options);
  if (response.kind !== 'document') throw new Error(`redirected to ${response.location}`);
  return response.body.toString();
}

describe('private addresses', () => {
  test.each([
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2001:0:808:808:0:0:80ff:fffe',
    '2001:db8::1',
    '2606:4700::5efe:a00:1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '256.1.1.1',
    'nonsense',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2001:0:808:808:0:0:f7f7:f7f7',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('an IPv6 address that carries an IPv4 address is as public as that one', () => {
    const part = fc.constantFrom(0, 1, 10, 64, 100, 127, 168, 169, 172, 192, 198, 203, 224, 254, 255, 8, 31);
    fc.assert(
      fc.property(fc.tuple(part, part, part, part), ([a, b, c, d]) => {
        const hex = (high: number, low: number) => (high * 256 + low).toString(16);
        const [high, low] = [hex(a, b), hex(c, d)];
        const turned = `${hex(255 - a, 255 - b)}:${hex(255 - c, 255 - d)}`;
        const plain = isPublicAddress(`${a}.${b}.${c}.${d}`);
        for (const address of [
          `::ffff:${a}.${b}.${c}.${d}`,
          `0:0:0:0:0:FFFF:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `2001:0:808:808::${turned}`,
          `2606:4700::5efe:${high}:${low}`,
        ]) {
          expect([address, isPublicAddress(address)]).toEqual([address, plain]);
        }
      }),
      { seed: 7, numRuns: 1000 },
    );
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '0',
    '169.254.169.254',
    'localhost',
    'LOCALHOST',
  ])('http://%s is refused before anything is sent', async (host) => {
    const { port, requests } = await serve((_, response) => response.end('secret'));
    await expect(closed.get(`http://${host}:${port}/`, ask())).rejects.toThrow(/not a public address/);
    expect(requests()).toBe(0);
  });

  test('a name is refused when any of its addresses is private', async () => {
    const lookup = async () => ['8.8.8.8', '10.0.0.7'];
    const web = webIn({ env: {}, lookup, allowPrivate: () => false });
    await expect(web.get('http://mixed.test/', ask())).rejects.toThrow('mixed.test leads to 10.0.0.7, which is not');
  });

  test('a name is looked up once for a connection, which goes to the address that was checked', async () => {
    const { port } = await serve((incoming, response) => response.end(incoming.headers.host));
    let lookups = 0;
    const web = webIn({
      env: {},
      async lookup() {
        lookups += 1;
        return [lookups === 1 ? '127.0.0.1' : '127.0.0.2'];
      },
      allowPrivate: ({ address }) => address === '127.0.0.1',
    });
    expect(await bodyOf(web, `http://rebind.test:${port}/`)).toBe(`rebind.test:${port}`);
    expect(lookups).toBe(1);
  });

  test('a name that means something else after a redirect is checked again', async () => {
    const { port, requests } = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());
    let lookups = 0;
    const web = webIn({
      env: {},
      async lookup() {
        lookups += 1;
        return [lookups === 1 ? '127.0.0.1' : '127.0.0.2'];
      },
      allowPrivate: ({ address }) => address === '127.0.0.1',
    });
    await expect(web.get(`http://rebind.test:${port}/`, ask())).rejects.toThrow('leads to 127.0.0.2');
    expect(requests()).toBe(1);
  });

  test('a host that the user named may be private, on the port they named', async () => {
    const { port, url } = await serve((_, response) => response.end('docs'));
    expect(await bodyOf(openTo(`127.0.0.1:${port}`), url)).toBe('docs');
    expect(await bodyOf(openTo('127.0.0.1'), url)).toBe('docs');
    await expect(openTo(`127.0.0.1:${port + 1}`).get(url, ask())).rejects.toThrow(/not a public address/);
  });

  test.each(['LOCALHOST', 'localhost.', '[::1]', '::1', '0x7f.1', 'LocalHost:4'])(
    'a private host may be named as %s',
    async (name) => {
      const host = name.startsWith('::') ? `[${name}]` : name.replace(/:4$/, '');
      // It gets as far as the connection, where nobody is.
      await expect(openTo(name).get(`http://${host}:4/`, ask())).rejects.toThrow(
        /nobody answers|no way to|EADDRNOTAVAIL/,
      );
      await expect(openTo(name).get('http://10.0.0.1:4/', ask())).rejects.toThrow(/not a public address/);
    },
  );
});

describe('redirects', () => {
  test('on the same host they are followed, to where they lead', async () => {
    const { port, url } = await serve((incoming, response) =>
      incoming.url === '/a' ? response.writeHead(301, { location: 'b' }).end() : response.end('here'),
    );
    const response = await openTo(`127.0.0.1:${port}`).get(`${url}/a`, ask());
    expect(response).toMatchObject({ kind: 'document', url: `${url}/b`, status: 200 });
  });

  test('to a private port they are refused', async () => {
    const hidden = await serve((_, response) => response.end('secret'));
    const { port, url } = await serve((_, response) => response.writeHead(302, { location: hidden.url }).end());
    await expect(openTo(`127.0.0.1:${port}`).get(url, ask())).rejects.toThrow(/not a public address/);
    expect(hidden.requests()).toBe(0);
  });

  test('to another host they are not followed but told, unless the caller agrees', async () => {
    const other = await serve((_, response) => response.end('other'));
    const location = `http://localhost:${other.port}/x`;
    const { url } = await serve((_, response) => response.writeHead(307, { location }).end());
    const web = openTo('127.0.0.1', 'localhost');
    expect(await web.get(url, ask())).toEqual({ kind: 'elsewhere', url: `${url}/`, status: 307, location });
    expect(other.requests()).toBe(0);
    const asked: string[] = [];
    const mayConnect = (host: string) => asked.push(host) > 0;
    expect(await web.get(url, { ...ask(), mayConnect })).toMatchObject({ kind: 'document', url: location });
    expect(asked).toEqual(['localhost']);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'http://user:pass@example.org/',
    'http://[bad',
    'http://a:22/',
  ])('to %s they are refused', async (location) => {
    const { port, url } = await serve((_, response) => response.writeHead(302, { location }).end());
    await expect(openTo(`127.0.0.1:${port}`).get(url, ask())).rejects.toThrow(/^Cannot fetch/);
  });

  test('their address may be in plain UTF-8, as many servers send it', async () => {
    const { port, url } = await serve((incoming, response) => {
      if (incoming.url !== '/') return response.end('here');
      return response.writeHead(302, { location: Buffer.from('/ü').toString('latin1') }).end();
    });
    const response = await openTo(`127.0.0.1:${port}`).get(url, ask());
    expect(response).toMatchObject({ kind: 'document', url: `${url}/%C3%BC` });
  });

  test('in a circle they end after five', async () => {
    const { port, url, requests } = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    await expect(openTo(`127.0.0.1:${port}`).get(url, ask())).rejects.toThrow('redirects more than 5 times');
    expect(requests()).toBe(6);
  });
});

describe('addresses that no document has', () => {
  test.each([
    ['not an address', 'it is not an address'],
    ['file:///etc/passwd', 'only http and https'],
    ['javascript:alert(1)', 'only http and https'],
    ['http://me:secret@example.org/', 'a user name or password'],
    ['http://example.org:25/', 'port 25'],
    [`http://example.org/${'a'.repeat(5000)}`, 'more than 4000 characters'],
  ])('%s is refused', async (url, why) => {
    const refusal = closed.get(url, ask());
    await expect(refusal).rejects.toThrow(why);
    await expect(refusal).rejects.not.toThrow('secret');
  });
});

describe('the body', () => {
  test('comes without its compression', async () => {
    const { port, url } = await serve((incoming, response) => {
      expect(incoming.headers['accept-encoding']).toContain('gzip');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
    });
    expect(await bodyOf(openTo(`127.0.0.1:${port}`), url)).toBe('plain');
  });

  test('sends no cookies and no credentials', async () => {
    const { port, url } = await serve((incoming, response) =>
      response.end(Object.keys(incoming.headers).sort().join()),
    );
    expect(await bodyOf(openTo(`127.0.0.1:${port}`), url)).toBe(
      'accept,accept-encoding,accept-language,connection,host,user-agent',
    );
  });

  test('that unfolds without end is cut where the limit is', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const { port, url } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const response = await openTo(`127.0.0.1:${port}`).get(url, ask({ maxBytes: 1000 }));
    expect(response).toMatchObject({ kind: 'document', cut: true, body: { length: 1000 } });
  });

  test('that never ends is cut where the limit is, and the connection closed', async () => {
    let gone = () => {};
    const closedByClient = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const { port, url } = await serve((incoming, response) => {
      incoming.socket.once('close', gone);
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(more));
      };
      more();
    });
    const response = await openTo(`127.0.0.1:${port}`).get(url, ask({ maxBytes: 25_000 }));
    expect(response).toMatchObject({ cut: true, body: { length: 25_000 } });
    await closedByClient;
  });

  test('that is exactly as long as the limit is whole', async () => {
    const { port, url } = await serve((_, response) => response.end('x'.repeat(1000)));
    const response = await openTo(`127.0.0.1:${port}`).get(url, ask({ maxBytes: 1000 }));
    expect(response).toMatchObject({ cut: false, body: { length: 1000 } });
  });

  test('that breaks off is an error', async () => {
    const { port, url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    });
    await expect(openTo(`127.0.0.1:${port}`).get(url, ask())).rejects.toThrow(/^Cannot fetch/);
  });

  test.each([
    ['zstd', 'compressed as "zstd"'],
    ['gzip', 'Cannot fetch'],
    ['gzip, gzip, gzip', 'cannot undo'],
  ])('whose %s compression cannot be undone is an error', async (encoding, why) => {
    const { port, url } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end('not compressed at all'),
    );
    await expect(openTo(`127.0.0.1:${port}`).get(url, ask())).rejects.toThrow(why);
  });
});

describe('waiting', () => {
  test.each([
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhello'],
    ['no word at all', ''],
    ['half a header', 'HTTP/1.1 200 OK\r\nX-'],
  ])('ends when the server answers with %s', async (_what, answer) => {
    const { port, url } = await serve((incoming) => incoming.socket.end(answer));
    await expect(openTo(`127.0.0.1:${port}`).get(url, ask())).rejects.toThrow(/^Cannot fetch/);
  });

  test('ends when the user interrupts, and the connection closes', async () => {
    const stop = new AbortController();
    let gone = () => {};
    const closedByClient = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const { port, url } = await serve((incoming) => {
      incoming.socket.once('close', gone);
      stop.abort();
    });
    const waiting = openTo(`127.0.0.1:${port}`).get(url, ask({ signal: stop.signal }));
    await expect(waiting).rejects.toThrow('the user interrupted');
    await closedByClient;
  });

  test('ends in the middle of a body too', async () => {
    const stop = new AbortController();
    const { port, url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.write(gzipSync('some').subarray(0, 12), () => setTimeout(() => stop.abort(), 20));
    });
    const waiting = openTo(`127.0.0.1:${port}`).get(url, ask({ signal: stop.signal }));
    await expect(waiting).rejects.toThrow('the user interrupted');
  });

  test('ends when the time is over', async () => {
    const { port, url } = await serve(() => {});
    const waiting = openTo(`127.0.0.1:${port}`).get(url, ask({ timeoutMs: 50 }));
    await expect(waiting).rejects.toThrow('it took longer than 0.05 s');
  });

  test('ends while a name is looked up', async () => {
    const web = webIn({ env: {}, lookup: () => new Promise(() => {}), allowPrivate: () => false });
    await expect(web.get('http://slow.test/', ask({ timeoutMs: 50 }))).rejects.toThrow('longer than 0.05 s');
    await expect(web.get('http://slow.test/', ask({ signal: AbortSignal.abort() }))).rejects.toThrow('interrupted');
  });

  test('is not needed when nobody is there', async () => {
    const port = await closedPort();
    await expect(openTo('127.0.0.1').get(`http://127.0.0.1:${port}/`, ask())).rejects.toThrow('nobody answers there');
  });
});

describe('through a proxy', () => {
  async function proxied(options: { refuse?: number; credentials?: string } = {}) {
    const { url: target } = await serve((incoming, response) => response.end(`at ${incoming.url}`));
    const proxy = await startProxy({ target, ...options });
    onTestFinished(() => proxy.close());
    return proxy;
  }

  test('a page is asked for by its whole address', async () => {
    const proxy = await proxied({ credentials: 'me:pass' });
    const web = localWeb({ HTTP_PROXY: proxy.url.replace('://', '://me:pass@') });
    await web.get('http://docs.test/page?q=1', ask());
    expect(proxy.passed).toEqual(['GET http://docs.test/page?q=1']);
  });

  test('a page that is encrypted is asked for in a tunnel', async () => {
    const proxy = await proxied({ refuse: 403 });
    const web = localWeb({ https_proxy: proxy.url });
    await expect(web.get('https://docs.test/page', ask())).rejects.toThrow('refused a tunnel to docs.test:443');
    expect(proxy.passed).toEqual(['CONNECT docs.test:443']);
  });

  test.each(
    ['http://127.0.0.1/', 'http://2130706433/', 'http://[::1]/', 'http://localhost/', 'http://router/'].concat([
      'http://metadata.google.internal/',
      'http://metadata.google.internal../',
      'http://localhost.localdomain/',
      'https://169.254.169.254/',
    ]),
  )('%s is refused and the proxy hears nothing', async (url) => {
    const proxy = await proxied();
    await expect(localWeb({ ALL_PROXY: proxy.url }).get(url, ask())).rejects.toThrow(/not a public address/);
    expect(proxy.passed).toEqual([]);
  });

  test('what NO_PROXY excepts, and private hosts the user named, go straight there', async () => {
    const proxy = await proxied();
    const { port, url } = await serve((_, response) => response.end('straight'));
    expect(await bodyOf(localWeb({ HTTP_PROXY: proxy.url }, [`127.0.0.1:${port}`]), url)).toBe('straight');
    const web = webIn({
      env: { HTTP_PROXY: proxy.url, NO_PROXY: '.docs.test' },
      lookup: async () => ['127.0.0.1'],
      allowPrivate: ({ address }) => address === '127.0.0.1',
    });
    expect(await bodyOf(web, `http://a.docs.test:${port}/`)).toBe('straight');
    expect(proxy.passed).toEqual([]);
  });

  test('of a kind tau does not speak is an error that does not tell the password', async () => {
    const refusal = localWeb({ HTTPS_PROXY: 'socks5://me:secret@127.0.0.1:1' }).get('https://docs.test/', ask());
    await expect(refusal).rejects.toThrow('HTTPS_PROXY names no http:// or https:// proxy');
    await expect(refusal).rejects.not.toThrow('secret');
  });
});
