/** Incident 25, CVE-2026-24052: an address that only begins like an allowed one, or that leads somewhere else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call } from './conversation.ts';
import { attempt, attemptRefused, modes } from './incidents.ts';

const fetching = (url: string) => call('web_fetch', { url });

/** A site that counts its visitors; on all addresses of the machine's loopback that there are. */
async function canarySite(answer?: (incoming: IncomingMessage, response: ServerResponse) => void) {
  let came = 0;
  const server = createServer((incoming, response) => {
    came += 1;
    if (answer) answer(incoming, response);
    else response.end('the secret of the inside');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, came: () => came };
}

describe.each(modes)('incident 25 in %s mode', (mode) => {
  test('a host that begins, ends or is dressed up like an allowed one is asked about by its own name', async () => {
    const urls = [
      'http://docs.python.org.evil.test/',
      'http://docs.python.org.evil.test:80/docs.python.org',
      'http://docs.python.org@evil.test/',
      'http://docs.python.org:80@evil.test/',
      'http://docs.python.org%2f@evil.test/',
      'http://evil.test/http://docs.python.org/',
      'http://evil.test/?docs.python.org',
      'http://evil.test/#docs.python.org',
      'http://evil.test\\.docs.python.org/',
      'http://evil.test%23.docs.python.org/',
      'http://xdocs.python.org/',
      'http://docs-python.org/',
      'http://docs.python.orgevil.test/',
      'http://docs.pythоn.org/',
      'http://docs。python。org。evil.test/',
      'http://sub.docs.python.org/',
      'http://python.org/',
    ];
    const { told } = await attempt({
      mode,
      calls: urls.map(fetching),
      args: ['--allow', 'web_fetch(domain:docs.python.org)'],
    });
    // Refused before anything was looked up: by the gate, or because it is no address at all.
    const passed = urls.filter(
      (_, at) =>
        !/^(Not allowed: |Invalid|The call could not be checked|.*(no address|not an? (valid )?(URL|address)))/i.test(
          told[at] ?? '',
        ),
    );
    expect(passed.map((url) => `${url}: ${told[urls.indexOf(url)]}`)).toEqual([]);
  });

  test('no spelling of a private address is fetched, even where every page is allowed', async () => {
    const { port, came } = await canarySite();
    const hosts = [
      ...['127.0.0.1', '127.1', '127.0.0.2', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
      ...['0.0.0.0', '0', 'localhost', 'LOCALHOST', 'localhost.', 'x.localhost', '127.0.0.1.', '①②⑦.⓪.⓪.①'],
      ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]'],
      ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fd00::1]', '[fc00::1]', '[ff02::1]'],
      ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '192.0.0.1'],
      ...['198.18.0.1', '224.0.0.1', '255.255.255.255', 'user:secret@127.0.0.1'],
    ];
    const { told } = await attempt({
      mode,
      calls: hosts.map((host) => fetching(`http://${host}:${port}/`)),
      args: ['--allow', 'web_fetch'],
    });
    expect(came()).toBe(0);
    expect(told.join('\n')).not.toContain('the secret of the inside');
    const passed = hosts.filter(
      (_, at) => !/not a public address|private|user name|password|not allowed|cannot/i.test(told[at] ?? ''),
    );
    expect(passed.map((host) => `${host}: ${told[hosts.indexOf(host)]}`)).toEqual([]);
  });

  test('a redirect leaves neither the allowed host nor the public network', async () => {
    const inside = await canarySite();
    const targets: Record<string, string> = {
      '/other-name': `http://localhost:${inside.port}/`,
      '/other-port': `http://127.0.0.1:${inside.port}/`,
      '/metadata': 'http://169.254.169.254/latest/meta-data/',
      '/userinfo': `http://127.0.0.1@evil.test:${inside.port}/`,
      '/beginning': 'http://127.0.0.1.evil.test/',
      '/file': 'file:///etc/passwd',
      '/scheme': `//localhost:${inside.port}/`,
      '/data': 'data:text/html,hello',
      '/loop': '/loop',
    };
    const site = await canarySite((incoming, response) =>
      response.writeHead(302, { location: targets[incoming.url ?? ''] ?? '/' }).end(),
    );
    const { told } = await attempt({
      mode,
      calls: Object.keys(targets).map((path) => fetching(`http://127.0.0.1:${site.port}${path}`)),
      args: ['--allow', 'web_fetch(domain:127.0.0.1)'],
      settings: { webFetch: { privateHosts: [`127.0.0.1:${site.port}`] } },
    });
    expect(inside.came()).toBe(0);
    expect(told.join('\n')).not.toMatch(/the secret of the inside|root:/);
    expect(site.came()).toBeGreaterThan(0);
  });

  test('other schemes are no pages', async () => {
    const urls = ['file:///etc/passwd', 'ftp://x.test/', 'data:text/plain,x', 'javascript:1', 'gopher://x.test/'];
    const { told } = await attempt({ mode, calls: urls.map(fetching), args: ['--allow', 'web_fetch'] });
    for (const text of told) expect(text).toMatch(/http/);
    expect(told.join('\n')).not.toContain('root:');
  });

  test('without a rule every page asks, and the question names the host that would be reached', async () => {
    const { told } = await attemptRefused({
      mode,
      calls: [fetching('http://evil.test/docs.python.org'), fetching('http://docs.python.org.evil.test/')],
    });
    expect(told[0]).toContain('it connects to evil.test');
    expect(told[1]).toContain('it connects to docs.python.org.evil.test');
  });
});
