/**
 * Whether bubblewrap works here, found out by using it: a small command is contained and tries what it must not be able to
 * do. What comes out is plain data, so that it can be kept: it changes with the kernel, the program and the user only.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contain } from '../../local/contain.ts';
import { findProgram } from '../../local/shell.ts';
import { bubblewrap } from './bubblewrap.ts';
import { knownMachine, refusedNumber } from './seccomp.ts';

/** What a sandbox needs to know of this machine; JSON. */
export interface BubblewrapFacts {
  backend: 'bubblewrap';
  path: string;
  version: string;
  canLimitMemory: boolean;
  /** Absent: refused writes are not seen. */
  perl?: string;
  /** Absent: commands cannot share a network. */
  nsenter?: string;
  /** Absent: what is mounted on the machine while a command runs is seen by it. */
  unshare?: string;
}

type SelfTest = { works: true; facts: BubblewrapFacts } | { works: false; reason: string; remedy: string };

export async function testBubblewrap(env: NodeJS.ProcessEnv, project: string): Promise<SelfTest> {
  const path = findProgram('bwrap', env, project);
  if (path === undefined) {
    return { works: false, reason: 'bubblewrap (bwrap) is not installed', remedy: installing };
  }
  if (!knownMachine(process.arch)) {
    return {
      works: false,
      reason: `the system calls of ${process.arch} are not known`,
      remedy: 'It works on x64 and arm64.',
    };
  }
  const version = await versionOf(path);
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const recent = Number(major) > 0 || Number(minor) >= oldestMinor;
  if (!recent) return { works: false, reason: `${path} is too old (${version || 'unknown'})`, remedy: installing };
  const [perl, nsenter, unshare] = ['perl', 'nsenter', 'unshare'].map((name) => findProgram(name, env, project));
  const canLimitMemory = Number(major) > 0 || Number(minor) >= memoryMinor;
  const facts = { backend: 'bubblewrap', path, version, canLimitMemory, ...(nsenter && { nsenter }) } as const;
  const complaint = await tryOut(facts, env);
  if (complaint !== undefined) {
    return { works: false, reason: `bubblewrap does not work here: ${complaint}`, remedy: remedyFor(complaint) };
  }
  // A witness that does not work is none; it has a filter of its own, so it does not stand in for the test above.
  const sees = perl !== undefined && (await tryOut({ ...facts, perl }, env)) === undefined;
  const parts = unshare !== undefined && (await tryOut({ ...facts, unshare }, env)) === undefined;
  return { works: true, facts: { ...facts, ...(sees && { perl }), ...(parts && { unshare }) } };
}

const installing = 'Install bubblewrap with the package manager of the system (apt, dnf, pacman, apk: bubblewrap).';
/** The first with everything that is asked of it; from the second on folders in memory can be limited. */
const oldestMinor = 5;
const memoryMinor = 7;
const patienceMs = 10_000;
const sign = 'contained';

/** Fails, with what went wrong on its output, unless all of this holds. */
const probe = [
  'set -u; no() { echo "$1"; exit 1; }',
  'echo x > inside || no "the project cannot be written"',
  'echo x 2>/dev/null > "$1/outside" && no "a file outside can be written"',
  'mkdir kept/x 2>/dev/null && no "a protected folder can be written"',
  '[ "$2" = witness ] && mkdir unmade 2>/dev/null && no "the witness refuses nothing"',
  '[ "$2" = witness ] && "$3" -e "exit(syscall($4, 268435456) != 0)" && no "the witness lets namespaces be made"',
  'mkdir .tau 2>/dev/null && no "a protected path can be made"',
  'grep -q "^CapEff:[[:space:]]*0*$" /proc/self/status || no "it keeps rights of root"',
  'grep -q "^NoNewPrivs:[[:space:]]*1" /proc/self/status || no "it may get new rights"',
  'grep -q "^Seccomp:[[:space:]]*2" /proc/self/status || no "system calls are not filtered"',
  '[ "$(grep -c : /proc/net/dev)" = 1 ] || no "it has a network"',
  '[ "$2" = alone ] && grep -Eq " (shared|master):" /proc/self/mountinfo && no "later mounts of the machine are seen"',
  `echo ${sign}`,
].join('\n');

/** What was to be hidden, somebody's socket, may be gone since it was looked up: it looks once more, as for commands. */
async function tryOut(facts: BubblewrapFacts, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const complaint = await tryOnce(facts, env);
  return complaint !== undefined && /^bwrap: Can't /m.test(complaint) ? tryOnce(facts, env) : complaint;
}

async function tryOnce(facts: BubblewrapFacts, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-self-test-')));
  const project = join(root, 'project');
  mkdirSync(join(project, 'kept'), { recursive: true });
  const { path, canLimitMemory, perl, unshare } = facts;
  const alone = unshare !== undefined && { unshare, sharesMounts: true };
  const sandbox = bubblewrap({ path, canLimitMemory, env, ...(perl && { perl }), ...alone });
  try {
    const launch = {
      program: '/bin/sh',
      args: [
        '-c',
        probe,
        'sh',
        root,
        ...(perl ? ['witness', perl, String(refusedNumber('unshare', process.arch))] : [alone ? 'alone' : 'none']),
      ],
      env,
      cwd: project,
    };
    const ready = await contain(
      launch,
      {
        writable: [project],
        readOnly: ['kept', '.tau', 'unmade'].map((name) => join(project, name)),
        unreadable: [],
        shown: [root],
        network: 'none',
        witness: facts.perl !== undefined,
      },
      sandbox,
      undefined,
    );
    const { spawn } = process.getBuiltinModule('node:child_process');
    const { program, args, cwd, env: inner } = ready.launch;
    const child = spawn(program, [...args], {
      cwd,
      env: inner,
      stdio: ['ignore', 'pipe', 'pipe', ...ready.descriptors],
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
    ready.started(child);
    let output = '';
    for (const pipe of [child.stdout, child.stderr]) {
      pipe?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(0, 2000);
      });
    }
    const ended = new Promise<string | undefined>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', () => resolve(undefined));
    });
    const failure = await ended;
    await ready.end();
    if (failure !== undefined) return failure;
    return output.trim() === sign ? undefined : output.trim() || 'it ended without a word';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sandbox.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function versionOf(path: string): Promise<string> {
  const { execFile } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: patienceMs }, (error, output) => resolve(error ? '' : output.trim()));
  });
}

/** The usual reasons, by what bubblewrap says; it has no other way of telling. */
function remedyFor(complaint: string): string {
  if (
    /setting up uid map|No permissions to create|creating new namespace failed|Creating new namespace/i.test(complaint)
  )
    return 'Let users make namespaces: sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu 24.04 an AppArmor profile for bwrap that permits userns. In a container, run it with that right.';
  if (/mount proc|mounting proc/i.test(complaint))
    return 'The container hides parts of /proc; start it with an unmasked /proc (Docker: --security-opt systempaths=unconfined, Podman: --security-opt unmask=ALL).';
  return 'See docs/sandbox.md, or run without it: --no-sandbox.';
}
