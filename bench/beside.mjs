/**
 * Rows that any agent can do, without a model: tau and the peers that are installed, measured alike in one run. A key counts
 * when it comes back from the program: the pty itself does not echo.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { now } from './clock.mjs';
import { findPeers, knownPeers } from './peers.mjs';

/** In no word that any of them says by itself. */
const first = 'ж';
const letters = 'щъэю';
const keyCount = 16;
const giveUpMs = 20_000;

export const beside = {
  rows: [
    { key: 'besideVersion', name: 'beside peers: --version', unit: 'ms' },
    { key: 'besideFirstKey', name: 'beside peers: start to the first key seen', unit: 'ms' },
    { key: 'besideMemory', name: 'beside peers: memory, idle, all processes', unit: 'MB' },
    { key: 'besideEcho', name: 'beside peers: key to echo, median', unit: 'ms' },
  ],

  /** Each is tried once: what it cannot do is not measured, and said. */
  async prepare(workplace, binary) {
    const ofToolkit = createRequire(new URL('../packages/tui/package.json', import.meta.url));
    const world = {
      spawn: ofToolkit('@lydell/node-pty').spawn,
      Terminal: ofToolkit('@xterm/headless').Terminal,
      workplace,
    };
    const found = findPeers(workplace);
    const notes = [];
    const able = [];
    for (const peer of found) {
      const tries = { version: () => versionOf(peer, world), screen: () => screenOf(peer, world) };
      const can = {};
      for (const [what, attempt] of Object.entries(tries)) {
        try {
          await attempt();
          can[what] = true;
        } catch (error) {
          notes.push(`${peer.name}, ${what}: not measured, ${error.message.split('\n', 1)[0]}`);
        }
      }
      if (can.version || can.screen) able.push({ ...peer, can });
    }
    if (found.length === 0) {
      const where = process.env.TAU_BENCH_PEERS === undefined ? 'on PATH' : 'by TAU_BENCH_PEERS';
      notes.push(`no peers found ${where}, which could be ${knownPeers.join(', ')}`);
    }
    return { world, able, notes, tau: { name: 'tau', file: process.execPath, args: [binary], env: workplace.env } };
  },

  async sample(_workplace, _binary, { world, able, tau }) {
    if (able.length === 0) return {};
    const peers = {};
    for (const peer of able) {
      peers[peer.name] = {
        ...(peer.can.version && (await versionOf(peer, world))),
        ...(peer.can.screen && (await screenOf(peer, world))),
      };
    }
    return { ...(await versionOf(tau, world)), ...(await screenOf(tau, world)), peers };
  },
};

async function versionOf({ file, args = [], env }, { workplace }) {
  const { wall } = await workplace.program(file, [...args, '--version'], { env });
  return { besideVersion: wall };
}

async function screenOf(agent, world) {
  const screen = open(agent, world);
  try {
    const startedAt = now();
    const seen = screen.shows(first);
    // What is typed before it listens may be lost: until one comes back.
    const typing = setInterval(() => screen.type(first), 15);
    const besideFirstKey = (await seen.finally(() => clearInterval(typing))) - startedAt;
    await screen.quiet();
    const besideMemory = memoryOf(screen.pids());
    const times = [];
    for (let at = 0; at < keyCount; at++) {
      await pause(20 + (at % 7));
      const letter = letters[at % letters.length];
      const echo = screen.shows(letter);
      const begin = now();
      screen.type(letter);
      times.push((await echo) - begin);
    }
    const sorted = times.slice(4).toSorted((a, b) => a - b);
    return { besideFirstKey, besideMemory, besideEcho: sorted[Math.floor(sorted.length / 2)] };
  } finally {
    await screen.close();
  }
}

function open({ file, args = [], env }, { spawn, Terminal, workplace: { project } }) {
  const view = new Terminal({ cols: 100, rows: 30, allowProposedApi: true });
  const quietly = ['-c', 'stty -echo; exec "$@"', 'sh', file, ...args];
  const child = spawn('sh', quietly, { cols: 100, rows: 30, cwd: project, env: { ...env, TERM: 'xterm-256color' } });
  const ended = new Promise((resolve) => child.onExit(resolve));
  let lastAt = now();
  child.onData((data) => {
    lastAt = now();
    view.write(data);
  });
  // Many ask the terminal what it can, and wait for its answer.
  view.onData((answer) => child.write(answer));
  const pids = () => familyOf(child.pid);
  return {
    pids,
    type: (text) => child.write(text),
    /** When it came. */
    shows: (wanted) =>
      new Promise((resolve, reject) => {
        const listeners = [];
        const settle = (deed, value) => {
          clearTimeout(timer);
          for (const one of listeners) one.dispose();
          deed(value);
        };
        const timer = setTimeout(
          () => settle(reject, new Error(`a key never came back: ${lastLines(view)}`)),
          giveUpMs,
        );
        listeners.push(child.onData((data) => data.includes(wanted) && settle(resolve, now())));
        listeners.push(child.onExit(({ exitCode }) => settle(reject, new Error(`it ended with ${exitCode}`))));
      }),
    /** Nothing is written for a while; what never rests is taken as it is. */
    async quiet() {
      for (let waited = 0; waited < 3000 && now() - lastAt < 500; waited += 50) await pause(50);
    },
    async close() {
      // It, and what it started: some of them are a program around another.
      for (const pid of pids()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended already.
        }
      }
      await ended;
      view.dispose();
    },
  };
}

function lastLines(view) {
  const { active } = view.buffer;
  const lines = Array.from({ length: view.rows }, (_, row) => active.getLine(active.viewportY + row));
  const shown = lines.map((line) => line?.translateToString(true).trim()).filter(Boolean);
  return shown.slice(-4).join(' / ').slice(-150);
}

/** A process and all that descend from it. */
function familyOf(pid) {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const family = [pid];
  for (const parent of family) for (const [one, its] of pairs) if (its === parent) family.push(one);
  return family;
}

/** In MB: what several share is counted in parts where the system can tell. What ended meanwhile has none. */
function memoryOf(pids) {
  const kilobytes = pids.map((pid) => shareOf(pid) ?? residentOf(pid) ?? 0);
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

function shareOf(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

function residentOf(pid) {
  try {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return undefined;
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
