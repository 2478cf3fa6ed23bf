/** The network of contained commands for real: a namespace, bubblewrap in it, and the tools that people use. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '@tau/testkit';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JoinedNetwork, NetworkOptions } from '../src/sandbox/network/network.ts';
import { joinAs, openPlace, serveWeb } from './proxy-place.ts';

const programs = { bwrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' };
const contained = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--cap-drop', 'ALL', '--die-with-parent'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
];

function openReal(options: Partial<NetworkOptions> = {}) {
  return openPlace({ way: { kind: 'namespace', programs }, ...options });
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tau-network-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Starts a shell command in the network. */
function start({ prefix, env }: Pick<JoinedNetwork, 'prefix' | 'env'>, command: string, binds: readonly string[] = []) {
  const [program = '', ...args] = prefix;
  const writable = binds.flatMap((path) => ['--bind', path, path]);
  const child = spawn(program, [...args, programs.bwrap, ...contained, ...writable, '--', 'bash', '-c', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', HOME: '/tmp', LC_ALL: 'C', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<Outcome>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  return { child, ended, out: () => out };
}

function run(...args: Parameters<typeof start>): Promise<Outcome> {
  return start(...args).ended;
}

describe('inside', () => {
  test('there is no way out but the proxy: no address, no name, no socket of the machine', async () => {
    const outside = await serveWeb();
    const abstract = createServer((socket) => socket.end('reached'));
    const name = `tau-test-${process.pid}`;
    await new Promise<void>((resolve) => abstract.listen(`\0${name}`, resolve));
    onTestFinished(() => void abstract.close());
    const { network, refusals } = openReal();
    const joined = await joinAs(network, 'one', '*');
    const probe = `
      import errno, socket
      def attempt(label, act):
          try: act(); print(label, "reached")
          except socket.gaierror: print(label, "no name")
          except OSError as e: print(label, errno.errorcode[e.errno])
      tcp = lambda to: lambda: socket.create_connection(to, 5)
      attempt("public", tcp(("93.184.216.34", 80)))
      attempt("metadata", tcp(("169.254.169.254", 80)))
      attempt("machine", tcp(("127.0.0.1", ${outside.port})))
      attempt("name", tcp(("example.org", 80)))
      attempt("datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("8.8.8.8", 53)))
      attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
      attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\\0${name}"))
    `;
    const { out } = await run(joined, `python3 - <<'END'\n${probe.replaceAll(/^ {6}/gm, '')}\nEND`);
    expect(out.trim().split('\n')).toEqual([
      'public ENETUNREACH',
      'metadata ENETUNREACH',
      'machine ECONNREFUSED',
      'name no name',
      'datagram ENETUNREACH',
      'raw EPERM',
      'abstract ECONNREFUSED',
    ]);
    expect(outside.seen).toEqual([]);
    expect(refusals).toEqual([]);
  });

  test('a server that one command started is reached by the next; outside, its port is something else', async () => {
    const { port } = await serveWeb();
    const { network } = openReal();
    const serving = await joinAs(network, 'server');
    const server = start(serving, `cd /etc && exec python3 -u -m http.server ${port} --bind 127.0.0.1`);
    await expect.poll(server.out).toContain('Serving');
    const url = `http://127.0.0.1:${port}/hostname`;
    const inside = await run(await joinAs(network, 'client'), `curl -s ${url}`);
    expect(inside.out).toBe(readFileSync('/etc/hostname', 'utf8'));
    expect(await (await fetch(url)).text()).toBe('hello from outside');
    server.child.kill('SIGKILL');
    await server.ended;
  });

  test('descriptors of the namespaces do not leak in, and nothing but loopback is there', async () => {
    const { network } = openReal();
    const { out } = await run(await joinAs(network, 'one'), 'ls -l /proc/self/fd; tail -n +3 /proc/net/dev');
    expect(out).not.toMatch(/-> (net|user):/);
    expect(out.match(/^ *\S+:/gm)?.map((name) => name.trim())).toEqual(['lo:']);
  });

  test('the only command needs no token; of two, each does', async () => {
    const web = await serveWeb();
    const { network } = openReal();
    const one = await joinAs(network, 'one', 'shop.public');
    const plain = `curl -s -o /dev/null -w '%{http_code}' -x http://127.0.0.1:${one.port} http://shop.public:${web.port}/`;
    expect((await run(one, plain)).out).toBe('200');
    const two = await joinAs(network, 'two');
    expect((await run(two, plain)).out).toBe('407');
    one.close();
    expect((await run(two, plain)).out).toBe('403');
  });
});

describe('tools', () => {
  test('curl and python get there, plain and secure, by the environment alone; what is refused says so', async () => {
    const web = await serveWeb();
    const secure = createSecureServer(await makeCertificate(), (_, response) => response.end('hello in secret'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      secure.closeAllConnections();
      secure.close();
    });
    const { port } = secure.address() as AddressInfo;
    const { network, refusals } = openReal();
    const joined = await joinAs(network, 'one', 'shop.public');
    // A second command, so that the tokens count.
    await joinAs(network, 'two');
    const { out } = await run(
      joined,
      `curl -s http://shop.public:${web.port}/curl; echo
       curl -sk https://shop.public:${port}/; echo
       curl -s -x "$SOCKS_PROXY" http://shop.public:${web.port}/socks; echo
       python3 -c 'import urllib.request as u; print(u.urlopen("http://shop.public:${web.port}/py").read().decode())'
       curl -s https://evil.public/ 2>&1; echo "curl $?"
       curl -s http://evil.public/`,
    );
    expect(out.trim().split('\n')).toEqual([
      'hello from outside',
      'hello in secret',
      'hello from outside',
      'hello from outside',
      'curl 56',
      'The sandbox refused evil.public:80: it is not among the allowed hosts.',
    ]);
    expect(web.seen.map(({ url }) => url)).toEqual(['/curl', '/socks', '/py']);
    expect(refusals).toMatchObject([
      { command: 'one', host: 'evil.public', port: 443 },
      { command: 'one', host: 'evil.public', port: 80 },
    ]);
  });

  test('git clones over http, although its own configuration names another proxy', async () => {
    const folder = temporaryFolder();
    const repository = join(folder, 'served.git');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, stdio: 'pipe' });
    git('init', '-q', 'work');
    git('-C', 'work', 'commit', '-q', '--allow-empty', '-m', 'first');
    git('clone', '-q', '--bare', 'work', repository);
    git('-C', repository, 'update-server-info');
    writeFileSync(join(folder, '.gitconfig'), '[http]\n\tproxy = http://127.0.0.1:9\n');
    const web = await serveWeb((incoming, response) => {
      try {
        response.end(readFileSync(join(folder, (incoming.url ?? '').split('?')[0] ?? '')));
      } catch {
        response.writeHead(404).end();
      }
    });
    const { network } = openReal();
    const joined = await joinAs(network, 'one', 'code.public');
    await joinAs(network, 'two');
    const into = join(folder, 'into');
    mkdirSync(into);
    const { out, err } = await run(
      { ...joined, env: { ...joined.env, HOME: folder } },
      `git clone -q http://code.public:${web.port}/served.git ${into}/copy && git -C ${into}/copy log --format=%s`,
      [folder],
    );
    expect(`${out}${err}`).toBe('first\n');
  });

  test('npm installs from a registry that is listed', async () => {
    const folder = temporaryFolder();
    const project = join(folder, 'project');
    mkdirSync(join(folder, 'package'));
    mkdirSync(project);
    writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0' }));
    execFileSync('tar', ['czf', 'tiny.tgz', 'package'], { cwd: folder });
    writeFileSync(join(project, 'package.json'), '{}');
    const web = await serveWeb((incoming, response) => {
      if (incoming.url?.endsWith('.tgz')) return void response.end(readFileSync(join(folder, 'tiny.tgz')));
      const dist = { tarball: `http://registry.public:${web.port}/tiny.tgz` };
      const versions = { '1.0.0': { name: 'tiny', version: '1.0.0', dist } };
      return void response.end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions }));
    });
    const { network } = openReal({ hosts: ['registry.public'] });
    const joined = await joinAs(network, 'one');
    await joinAs(network, 'two');
    const options = `--registry=http://registry.public:${web.port} --cache=/tmp/npm --no-audit --no-fund --loglevel=error`;
    const { code, err } = await run(joined, `cd ${project} && npm install tiny ${options}`, [folder]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(readFileSync(join(project, 'node_modules/tiny/package.json'), 'utf8'))).toMatchObject({
      version: '1.0.0',
    });
  });
});

describe('its making', () => {
  /** A program of its own that opens the network, runs a command in it and says what came, then waits. */
  async function bundleNetwork(folder: string): Promise<string> {
    const door = join(import.meta.dirname, '../src/sandbox/network/network.ts');
    const contents = `
      import { spawn } from 'node:child_process';
      import { createServer } from 'node:http';
      import { openNetwork } from ${JSON.stringify(door)};
      const network = openNetwork({
        way: { kind: 'namespace', programs: ${JSON.stringify(programs)} }, env: {}, hosts: ['shop.public'],
        onRefused() {}, lookup: async () => ['127.0.0.1'], allowPrivate: () => true,
      });
      const web = createServer((_, response) => response.end('hello from outside')).listen(0, '127.0.0.1');
      const joined = await network.join({ id: 'one', hosts: [] });
      const [program, ...args] = [...joined.prefix, ${JSON.stringify(programs.bwrap)}, ...${JSON.stringify(contained)}];
      const command = 'id -u; curl -s http://shop.public:' + web.address().port + '/; echo; readlink /proc/self/ns/net; exec sleep 600';
      spawn(program, [...args, 'sh', '-c', command], {
        stdio: ['ignore', 'inherit', 'inherit'], env: { PATH: '/usr/bin:/bin', ...joined.env },
      });
    `;
    const outfile = join(folder, 'network.mjs');
    await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      ...{ outfile, bundle: true, platform: 'node', format: 'esm' },
    });
    return outfile;
  }

  /** Who is in a network namespace, or holds it open. */
  function holders(namespace: string): string[] {
    const found: string[] = [];
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const held = readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
        if ([`/proc/${pid}/ns/net`, ...held].some((path) => linkOf(path) === namespace)) found.push(pid);
      } catch {
        // It ended meanwhile, or is not ours to look at.
      }
    }
    return found;
  }

  /** The number of a namespace that has gone is given to the next one, which may be somebody else's. */
  function stillIn(namespace: string, before: readonly string[]): string[] {
    return holders(namespace).filter((pid) => before.includes(pid));
  }

  function linkOf(path: string): string | undefined {
    try {
      return readlinkSync(path);
    } catch {
      return undefined;
    }
  }

  test('an ordinary user can, and kill -9 leaves nobody and nothing of it', async () => {
    const folder = mkdtempSync('/tmp/tau-network-');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    execFileSync('chmod', ['755', folder]);
    const script = await bundleNetwork(folder);
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const tau = spawn(process.execPath, [script], { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'inherit'], ...user });
    onTestFinished(() => void tau.kill('SIGKILL'));
    let out = '';
    tau.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    await expect.poll(() => out).toMatch(/net:\[\d+\]/);
    const [uid, said, namespace = ''] = out.trim().split('\n');
    expect({ uid, said }).toEqual({ uid: String(user.uid ?? process.getuid?.()), said: 'hello from outside' });
    // tau itself, the two processes of bubblewrap and the command: the one that made the namespace has ended.
    await expect.poll(() => holders(namespace).length).toBeLessThanOrEqual(4);
    const before = holders(namespace);
    expect(before).toContain(String(tau.pid));
    tau.kill('SIGKILL');
    await expect.poll(() => stillIn(namespace, before)).toEqual([]);
  });

  test('commands that come at the same time share one; when it is closed nobody holds it', async () => {
    const { network } = openReal();
    const joined = await Promise.all([joinAs(network, 'one'), joinAs(network, 'two'), joinAs(network, 'three')]);
    const found = await Promise.all(joined.map((one) => run(one, 'readlink /proc/self/ns/net')));
    const [namespace = '', ...others] = new Set(found.map(({ out }) => out.trim()));
    expect(namespace).toMatch(/^net:\[\d+\]$/);
    expect(others).toEqual([]);
    expect(namespace).not.toBe(readlinkSync('/proc/self/ns/net'));
    const own = [String(process.pid)];
    await expect.poll(() => holders(namespace)).toEqual(own);
    await network.close();
    await expect.poll(() => stillIn(namespace, own)).toEqual([]);
  });

  test('where it cannot be made the reason is told, and the next command tries again', async () => {
    const broken = openPlace({ way: { kind: 'namespace', programs: { ...programs, bwrap: '/bin/false' } } });
    await expect(broken.network.join({ id: 'one', hosts: [] })).rejects.toThrow(
      'The network of the sandbox cannot be made',
    );
    const missing = openPlace({ way: { kind: 'namespace', programs: { ...programs, bwrap: '/nowhere/bwrap' } } });
    await expect(missing.network.join({ id: 'one', hosts: [] })).rejects.toThrow('ENOENT');
    const closed = openPlace({ way: { kind: 'namespace', programs: { ...programs, nsenter: '/bin/false' } } });
    for (const id of ['one', 'two'])
      await expect(closed.network.join({ id, hosts: [] })).rejects.toThrow('cannot be made');
  });
});
