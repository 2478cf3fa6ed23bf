/** Where the measured runs happen: the model's process, a private home that knows it, and a way to time one run. */
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { now } from './clock.mjs';
import { otherApis } from './scenarios.mjs';

const serverFile = fileURLToPath(new URL('./server.mjs', import.meta.url));
const closeOnExec = 0o2000000;
const peakFile = new URL('./peak.mjs', import.meta.url).href;

export async function openWorkplace() {
  closeInherited();
  const root = mkdtempSync(join(tmpdir(), 'tau-bench-'));
  const certificate = makeCertificate(root);
  const server = fork(serverFile, [certificate.key, certificate.cert], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port, securePort }] = await once(server, 'message');
  const home = join(root, 'home');
  const project = join(root, 'project');
  const temporary = join(root, 'tmp');
  for (const folder of [join(home, '.tau'), project, temporary]) mkdirSync(folder, { recursive: true });
  const models = [{ id: 'scripted' }];
  const provider = (api, baseUrl) => ({ baseUrl, api, apiKey: 'test-key', models });
  const providersAt = (origin) => ({
    scripted: provider('anthropic-messages', origin),
    ...Object.fromEntries(otherApis().map((api) => [api, provider(api, `${origin}/v1`)])),
  });
  const describe = (origin) => JSON.stringify({ providers: providersAt(origin) });
  writeFileSync(join(home, '.tau', 'models.json'), describe(`http://127.0.0.1:${port}`));
  writeFileSync(join(home, '.tau', 'settings.json'), JSON.stringify({ model: 'scripted/scripted' }));
  // Trusting the server of this run is for the row that needs it: reading certificates takes time.
  const trusting = join(root, 'trusting');
  mkdirSync(trusting);
  writeFileSync(join(trusting, 'models.json'), describe(`https://127.0.0.1:${securePort}`));
  writeFileSync(
    join(trusting, 'settings.json'),
    JSON.stringify({ model: 'scripted/scripted', caFile: certificate.cert }),
  );

  // Nothing else of the caller's: NODE_EXTRA_CA_CERTS or NODE_OPTIONS alone would add milliseconds to every start.
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    TMPDIR: temporary,
    TAU_SANDBOX_ENABLED: 'false',
  };

  const tell = async (message) => {
    const answer = once(server, 'message');
    server.send(message);
    return (await answer)[0];
  };

  return {
    root,
    project,
    env,
    /** The environment of a run that trusts the model's certificate and talks to it over TLS. */
    secureEnv: { ...env, TAU_HOME: trusting },
    /** Runs node with these arguments; resolves with its times, output and, if asked, peak memory in MB. */
    node: (args, options = {}) => timed(process.execPath, args, { env, cwd: project, ...options }),
    /** The same for another program; its memory is not known. */
    program: (path, args, options = {}) => timed(path, args, { env, cwd: project, ...options }),
    /** The same, while the model follows a scenario; adds the requests the model saw. */
    async scenario(name, args, options = {}) {
      await tell({ scenario: name });
      const run = await timed(process.execPath, args, { env, cwd: project, ...options });
      const { requests } = await tell({ report: true });
      return { ...run, requests };
    },
    /** From now on the model follows this one, for a program that is already running. */
    follow: (name) => tell({ scenario: name }),
    close() {
      server.disconnect();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Descriptors that the caller left open: every measured program would get them too, and tau closes each for each command. */
function closeInherited() {
  if (process.platform !== 'linux') return;
  for (const number of readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((one) => one > 2)) {
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'utf8'))?.[1] ?? '';
      if ((Number.parseInt(flags, 8) & closeOnExec) === 0) closeSync(number);
    } catch {
      // The one by which the list was read is gone.
    }
  }
}

/** A certificate for this run alone. */
function makeCertificate(folder) {
  const key = join(folder, 'key.pem');
  const cert = join(folder, 'cert.pem');
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  return { key, cert };
}

async function timed(program, args, { env, cwd, memory = false }) {
  const stdio = ['ignore', 'pipe', 'pipe', ...(memory ? ['pipe'] : [])];
  const startedAt = now();
  const child = spawn(program, [...(memory ? ['--import', peakFile] : []), ...args], { env, cwd, stdio });
  let endedAt = startedAt;
  child.once('exit', () => {
    endedAt = now();
  });
  const output = child.stdio.map((stream) => collect(stream));
  const [code, signal] = await once(child, 'close');
  const [, stdout, stderr, peak] = output.map((read) => read());
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}\n${stdout}\n${stderr}`);
  return { startedAt, endedAt, wall: endedAt - startedAt, stdout, peak: memory ? Number(peak) / 1024 : undefined };
}

function collect(stream) {
  const parts = [];
  stream?.on('data', (part) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}
