/** Contained commands for tests: a place with a project in it, and a program that runs lists of them as some user. */
import { execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { SandboxPolicy, Violation } from '../src/index.ts';

/** Whom nobody gave any rights. */
const nobody = 65_534;

export interface Place {
  /** Holds everything of the test. */
  root: string;
  project: string;
  /** Beside the project: nothing in it may change. */
  outside: string;
  dispose(): void;
}

/** Not in a temporary folder: those are hidden. So what protects it is what protects every other folder. */
export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(parentOfPlaces(), 'tau-place-')));
  const [project, outside] = [join(root, 'project'), join(root, 'outside')];
  for (const folder of [project, outside]) mkdirSync(folder);
  return { root, project, outside, dispose: () => rmSync(root, { recursive: true, force: true }) };
}

/** Beside what is installed; somewhere else where the checkout itself is in a temporary folder. */
function parentOfPlaces(): string {
  const own = join(import.meta.dirname, '../../../node_modules/.contained');
  mkdirSync(own, { recursive: true });
  const hidden = ['/tmp', '/var/tmp', '/dev/shm', tmpdir()].map((folder) => `${realpathSync(folder)}/`);
  const found = [own, homedir(), '/var/lib', '/srv', '/opt'].find(
    (folder) =>
      isWritable(folder) && isOpen(folder) && !hidden.some((one) => `${realpathSync(folder)}/`.startsWith(one)),
  );
  if (found === undefined) throw new Error('there is no folder for contained commands outside of the temporary ones');
  return found;
}

/** An ordinary user, whom root becomes in some tests, gets there: root's home may let nobody through. */
function isOpen(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whoever of this run is about: its command line names the place, or its environment does, as `TAU_PLACE`. */
export function processesOf(place: Place): string[] {
  return numberedProcessesOf(place).map(({ text }) => text);
}

/** The same, with their numbers. */
export function numberedProcessesOf(place: Place): { pid: string; text: string }[] {
  const isMarked = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TAU_PLACE=${place.root}\0`);
    } catch {
      // Somebody else's, or gone.
      return false;
    }
  };
  const all = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  const lines = all.map((line) => /^\s*(\d+)\s+(.*)$/.exec(line) ?? []);
  return lines.flatMap(([, pid = '', text = '']) =>
    !text.startsWith('Z') && pid !== String(process.pid) && (text.includes(place.root) || isMarked(pid))
      ? [{ pid, text }]
      : [],
  );
}

export interface Asked {
  command: string;
  policy?: Partial<SandboxPolicy>;
  timeoutMs?: number;
  background?: boolean;
  /** The next one does not wait for it. */
  beside?: boolean;
  /** Not contained: what an attack can do otherwise. */
  bare?: boolean;
}

export interface Answered {
  output: string;
  exitCode?: number | null;
  signal?: string;
  killedBy?: string;
  left?: { killed: boolean };
  /** What it was rejected with. */
  error?: string;
  violations: Violation[];
}

/** The script of `bundleRunner` for all tests of a file. */
export function useRunner(): { readonly path: string } {
  let made: Awaited<ReturnType<typeof bundleRunner>> | undefined;
  beforeAll(async () => {
    made = await bundleRunner();
  });
  afterAll(() => made?.dispose());
  return {
    get path() {
      if (!made) throw new Error('the runner is made before the first test, not earlier');
      return made.path;
    },
  };
}

/** A place for each test, gone after it. */
export function usePlace(use: (place: Place) => void): void {
  let made: Place | undefined;
  beforeEach(() => {
    made = makePlace();
    use(made);
  });
  afterEach(() => made?.dispose());
}

/** A script that runs commands one after the other in one session, and says how each ended. */
export async function bundleRunner(): Promise<{ path: string; dispose(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'tau-runner-'));
  chmodSync(folder, 0o755);
  const outfile = join(folder, 'runner.mjs');
  await build({
    stdin: { contents: runner, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return { path: outfile, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

const runner = `
import { findSandbox, openSandbox } from '../src/sandbox/open.ts';
import { localHost } from '../src/local/host.ts';

const { project, env, asked, settings = {} } = JSON.parse(process.argv[2]);
const found = await findSandbox({ env, project });
if (!found.works) throw new Error(found.reason);
const host = localHost({ cwd: project, env, ...settings, sandbox: async () => openSandbox(found.facts, { env, memoryBytes: 20_000_000 }) });
const answers = [];
// A command in the background keeps nobody alive who waits for it.
const alive = setInterval(() => {}, 1000);
async function answer({ command, policy, timeoutMs = 20000, background, bare }) {
  let output = '';
  const violations = [];
  const request = {
    command,
    timeoutMs,
    signal: new AbortController().signal,
    onOutput: (chunk) => (output += chunk),
    ...(!bare && { contain: { writable: [project], readOnly: [], unreadable: [], network: 'none', ...policy } }),
    onViolation: (violation) => violations.push(violation),
  };
  try {
    const result = background ? await (await host.processes.start(request)).ended : await host.processes.run(request);
    return { output, violations, ...result };
  } catch (error) {
    return { output, violations, error: error.message };
  }
}
for (const one of asked) {
  const answered = answer(one);
  if (!one.beside) await answered;
  answers.push(answered);
}
const all = await Promise.all(answers);
clearInterval(alive);
await host.processes.end();
console.log(JSON.stringify(all));
`;

export interface RunOptions {
  place: Place;
  /** `ordinary`: as a user without rights, when the tests are run by root. */
  user?: 'own' | 'ordinary';
  env?: NodeJS.ProcessEnv;
  settings?: { commandPrefix?: string; commandEnv?: Record<string, string> };
  /** Descriptors that tau is started with, each the folder beside the project. */
  inherited?: readonly number[];
  /** Where the process that runs them keeps what it needs. */
  temp?: string;
  /** Of all of them, unless one says otherwise. */
  policy?: Partial<SandboxPolicy>;
}

/** Runs them all in one process, and gives their ends. */
export async function runContained(
  script: string,
  asked: readonly (string | Asked)[],
  { place, user = 'own', env = {}, settings, inherited = [], temp, policy: usual }: RunOptions,
): Promise<Answered[]> {
  const asNobody = user === 'ordinary' && process.getuid?.() === 0;
  if (asNobody) give(place.root);
  const given = {
    project: place.project,
    // A git in it that finds no repository looks no further.
    env: { PATH: process.env.PATH, HOME: place.root, GIT_CEILING_DIRECTORIES: dirname(place.project), ...env },
    asked: asked.map((one) =>
      typeof one === 'string' ? { command: one, policy: usual } : { ...one, policy: { ...usual, ...one.policy } },
    ),
    settings,
  };
  const folder = openSync(place.outside, 'r');
  const length = Math.max(2, ...inherited) - 2;
  const more = Array.from({ length }, (_, index) => (inherited.includes(index + 3) ? folder : ('ignore' as const)));
  const child = spawn(process.execPath, [script, JSON.stringify(given)], {
    cwd: place.project,
    stdio: ['ignore', 'pipe', 'pipe', ...more],
    env: { PATH: process.env.PATH, HOME: place.root, ...(temp !== undefined && { TMPDIR: temp }) },
    ...(asNobody && { uid: nobody, gid: nobody }),
  });
  closeSync(folder);
  let [output, complaint] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the runner ended with ${code}: ${complaint}`);
  const answers: Answered[] = JSON.parse(output);
  // An attack that never ran proves nothing.
  const failed = answers.find(({ error }) => error !== undefined);
  if (failed) throw new Error(failed.error);
  return answers;
}

/** One command that tries all of them: a sandbox for each would take its time. */
export function tryAll(attacks: readonly string[]): string {
  const tries = attacks.map((attack, index) => `( ${attack}\n) </dev/null >/dev/null 2>&1 && echo ${index}`);
  return [...tries, 'echo all tried'].join('\n');
}

/** Those of them that succeeded. */
export function succeeded(attacks: readonly string[], answer: Answered | undefined): string[] {
  const lines = answer?.output.trim().split('\n') ?? [];
  if (lines.pop() !== 'all tried') throw new Error(`they were not all tried: ${answer?.output}`);
  return lines.map((line) => attacks[Number(line)] ?? line);
}

/** Everything in the folder belongs to nobody from now on. */
function give(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  if (found.uid !== nobody) chownSync(path, nobody, nobody);
  if (found.isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
}
