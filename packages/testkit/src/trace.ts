/**
 * Really runs command lines, in a place where they can do no harm, and says by their system calls what they did: no
 * network, a process namespace that ends with them, everything read-only but the place itself, no privileges.
 */
import { spawn } from 'node:child_process';
import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTraces, type Trace, tracedCalls } from './trace-log.ts';

/** A folder to throw away: lines start in `project`; `home` is outside of it, and so is `temp`. */
export interface TracePlace {
  project: string;
  home: string;
  temp: string;
  dispose(): void;
}

export interface TraceOptions {
  /** All of it: nothing of the caller's environment comes along. */
  env: Readonly<Record<string, string>>;
  /** The shell, as a path. */
  shell: string;
  /** Stands before each line. */
  before?: string;
  /** How long a line may take. */
  seconds?: number;
}

const needs = 'It needs strace, and unshare and setpriv of util-linux, and the right to make namespaces.';
/** Of the whole of a call, whatever the lines do. */
const longestMs = 10 * 60_000;
/** Whom nobody gave any rights. */
const nobody = 65_534;

export function makeTracePlace(): TracePlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-trace-')));
  // What the trace itself needs lies one folder above: a line that looks around does not find it.
  const folder = (name: string) => join(root, 'place', name);
  const [project, home, temp] = [folder('project'), folder('home'), folder('tmp')];
  for (const one of [project, home, temp]) mkdirSync(one, { recursive: true });
  return { project, home, temp, dispose: () => rmSync(root, { recursive: true, force: true }) };
}

/** On a machine that stands still, the time of a line may be over before its shell has started. */
const mostTries = 5;

/** One trace for each line, in order. Lines must not hold NUL. */
export async function traceLines(place: TracePlace, lines: readonly string[], options: TraceOptions): Promise<Trace[]> {
  const traces = await traceOnce(place, lines, options);
  for (let tries = 1; tries < mostTries; tries += 1) {
    const late = traces.flatMap(({ started }, index) => (started.length < 2 ? [index] : []));
    if (late.length === 0) break;
    const asked = late.map((index) => lines[index] ?? '');
    for (const [at, trace] of (await traceOnce(place, asked, options)).entries()) traces[late[at] ?? 0] = trace;
  }
  // The first two starts are of the time limit and of the shell.
  for (const trace of traces) {
    const [, shell, ...rest] = trace.started;
    if (shell === undefined) throw new Error('the shell of a line did not start');
    trace.started = [shell, ...rest];
  }
  return traces;
}

async function traceOnce(place: TracePlace, lines: readonly string[], options: TraceOptions): Promise<Trace[]> {
  const root = join(place.project, '../..');
  const log = join(root, 'trace.log');
  const input = join(root, 'lines');
  const codes = join(root, 'codes');
  writeFileSync(input, lines.map((line) => `${options.before ?? ''}${line}\0`).join(''));
  for (const file of [log, codes]) writeFileSync(file, '');
  const privileged = process.getuid?.() === 0;
  if (privileged) give(root);
  const { code, output } = await run(
    'unshare',
    [
      ...['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...(privileged ? [] : ['--map-root-user']),
      ...['bash', '-c', setUp, 'set-up', root, options.shell, String(options.seconds ?? 2), log, input, codes],
      ...(privileged ? [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []),
    ],
    options.env,
  );
  const ended = readFileSync(codes, 'utf8').split('\n').length - 1;
  if (code !== 0 || ended !== lines.length) {
    const what = `${ended} of ${lines.length} lines were traced (exit code ${code}): ${output.slice(-2000)}`;
    throw new Error(`${what}\n${needs}`);
  }
  const traces = readTraces(readFileSync(log, 'utf8'));
  if (traces.length !== lines.length) throw new Error(`${traces.length} traces for ${lines.length} lines`);
  return traces;
}

/** The place becomes the only folder that can be written; then no rights are left, and the lines are run. */
const setUp = `
set -e
root=$1 shell=$2 seconds=$3 log=$4 input=$5 codes=$6
shift 6
mount --bind "$root" "$root"
while read -r _ point _; do
  [ "$point" = "$root" ] || mount -o remount,bind,ro "$point" 2>/dev/null || true
done </proc/self/mounts
if [ -w / ]; then echo 'the root folder could not be made read-only'; exit 1; fi
cd "$root/place/project"
exec setpriv "$@" --no-new-privs --bounding-set=-all --inh-caps=-all \\
  strace -f -qq -y --seccomp-bpf -e signal=none -e trace=${tracedCalls.map((name) => `?${name}`).join(',')} -o "$log" \\
  bash -c '
    while IFS= read -r -d "" line; do
      timeout -s KILL "$2" "$1" -c "$line" </dev/null
      echo $? >&4
    done <"$3" 4>"$4"
    kill -KILL -1
    exit 0
  ' driver "$shell" "$seconds" "$input" "$codes"
`;

function run(
  program: string,
  args: string[],
  env: TraceOptions['env'],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (text: string) => {
      output = (output + text).slice(-10_000);
    };
    child.stdout.setEncoding('latin1').on('data', keep);
    child.stderr.setEncoding('latin1').on('data', keep);
    const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), longestMs);
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new Error(`cannot start ${program}: ${cause.message}\n${needs}`, { cause }));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

/** Everything in the folder belongs to nobody from now on; links are left as they are. */
function give(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  if (found.uid !== nobody) chownSync(path, nobody, nobody);
  if (found.isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
}
