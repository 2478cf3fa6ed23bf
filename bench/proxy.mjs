/** Rows about the network of contained commands: what a download through the proxy costs, and a new connection by it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const megabytes = 256;
const connections = 50;
const programs = { bwrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' };

/** In a process of its own, as servers are: `/big` is many bytes, everything else is a word. */
const server = `
const chunk = Buffer.alloc(1024 * 1024);
require('node:http').createServer((request, response) => {
  if (request.url !== '/big') return response.end('ok');
  response.writeHead(200, { 'content-length': ${megabytes} * chunk.length });
  let left = ${megabytes};
  const more = () => {
    while (left-- > 0) if (!response.write(chunk)) return response.once('drain', more);
    response.end();
  };
  more();
}).listen(0, '127.0.0.1', function () { process.send(this.address().port); });
`;

export const proxy = {
  rows: [
    { key: 'download', name: `${megabytes} MB by curl, straight`, unit: 'ms' },
    { key: 'proxied', name: `${megabytes} MB by curl, in the sandbox`, unit: 'ms', yardstick: 'download', times: 3 },
    { key: 'connected', name: 'a connection by the proxy', unit: 'ms', atMost: 5 },
  ],

  async prepare({ root }) {
    const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.unref();
    child.channel.unref();
    const port = await new Promise((resolve) => child.once('message', resolve));
    const { openNetwork } = await networkOf(root);
    const network = openNetwork({
      way: { kind: 'namespace', programs },
      ...{ env: {}, hosts: ['bench.test'], onRefused() {} },
      ...{ lookup: async () => ['127.0.0.1'], allowPrivate: () => true },
    });
    const joined = await network.join({ id: 'bench', hosts: [] });
    process.once('exit', () => child.kill());
    return { port, joined };
  },

  async sample(_workplace, _binary, { port, joined }) {
    const inside = { prefix: joined.prefix, env: joined.env };
    const straight = { prefix: [], env: {} };
    const download = await curl(straight, [`http://127.0.0.1:${port}/big`]);
    const proxied = await curl(inside, ['--proxytunnel', `http://bench.test:${port}/big`]);
    // The proxy takes one request by a connection.
    const many = Array.from({ length: connections }, () => [`http://bench.test:${port}/`, '-o', '/dev/null', '--next']);
    const one = await curl(inside, ['--proxytunnel', `http://bench.test:${port}/`]);
    const all = await curl(inside, many.flat().slice(0, -1));
    return { download, proxied, connected: (all - one) / (connections - 1) };
  },
};

async function curl({ prefix, env }, args) {
  const started = performance.now();
  const [program, ...rest] = [...prefix, 'curl', '-sf', '-o', '/dev/null', ...args];
  const child = spawn(program, rest, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${program} ${rest.join(' ')} ended with ${code}`);
  return performance.now() - started;
}

/** It is TypeScript, so it is bundled first. */
async function networkOf(root) {
  const outfile = join(root, 'network.mjs');
  const entry = fileURLToPath(new URL('../packages/host/src/sandbox/network/network.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}
