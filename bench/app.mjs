/** Rows about the terminal app, in a real pty: how soon it can be used, how soon a key is seen, what an answer costs. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { now } from './clock.mjs';

/** Letters that stand in no sequence, in none of the words that are streamed and in nothing the screen says meanwhile. */
const letters = 'xzqj';
const keyCount = 24;
const ready = 'Ask, or /help';

export const app = {
  rows: [
    { key: 'bareNode', name: 'bare node -e 0', unit: 'ms' },
    { key: 'firstFrame', name: 'start to first usable frame', unit: 'ms', yardstick: 'bareNode', times: 4 },
    { key: 'idleMemory', name: 'memory of the app, idle', unit: 'MB', atMost: 80 },
    { key: 'appEcho', name: 'key to echo in the app, median', unit: 'ms', atMost: 4 },
    { key: 'appEchoWorst', name: 'key to echo in the app, worst', unit: 'ms', atMost: 16 },
    { key: 'appEchoStreaming', name: 'the same while it streams, median', unit: 'ms', atMost: 4 },
    { key: 'appEchoStreamingWorst', name: 'the same while it streams, worst', unit: 'ms', atMost: 16 },
    { key: 'streamedBytes', name: 'bytes for 400 streamed words', unit: 'B', atMost: 35 * 1024 },
  ],

  async prepare() {
    return createRequire(new URL('../packages/tui/package.json', import.meta.url))('@lydell/node-pty');
  },

  async sample(workplace, binary, { spawn }) {
    const bare = await workplace.node(['-e', '0']);
    const screen = open(spawn, binary, workplace);
    try {
      const firstFrame = (await screen.shows(ready)) - screen.startedAt;
      // What a terminal would answer; without it the program would wait for more.
      screen.type('\u001b[?2026;2$y\u001b[?1;2c');
      await pause(300);
      const idleMemory = screen.memory();
      const idle = await keys(screen);
      screen.type('\u0003');
      await workplace.follow('words');
      const before = screen.bytes();
      screen.type('hi\r');
      await screen.shows('END');
      await pause(300);
      const streamedBytes = screen.bytes() - before;
      await workplace.follow('words');
      screen.type('hi\r');
      await screen.shows('stone');
      const streaming = await keys(screen);
      return {
        bareNode: bare.wall,
        firstFrame,
        idleMemory,
        appEcho: middle(idle),
        appEchoWorst: Math.max(...idle),
        appEchoStreaming: middle(streaming),
        appEchoStreamingWorst: Math.max(...streaming),
        streamedBytes,
      };
    } finally {
      await screen.close();
    }
  },
};

function open(spawn, binary, { env, project }) {
  const startedAt = now();
  const child = spawn(process.execPath, [binary], {
    ...{ cols: 100, rows: 30, cwd: project },
    env: { ...env, TERM: 'xterm-256color' },
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  let bytes = 0;
  child.onData((data) => {
    bytes += Buffer.byteLength(data);
  });
  return {
    startedAt,
    bytes: () => bytes,
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    type: (text) => child.write(text),
    /** When it came. */
    shows: (wanted) =>
      new Promise((resolve, reject) => {
        let seen = '';
        const timer = setTimeout(
          () => reject(new Error(`the app never showed ${wanted}: ${seen.slice(-500)}`)),
          20_000,
        );
        const heard = child.onData((data) => {
          seen += data;
          if (!seen.includes(wanted)) return;
          clearTimeout(timer);
          heard.dispose();
          resolve(now());
        });
      }),
    async close() {
      // Clears what is typed, stops what runs, leaves.
      for (const key of ['\u0003', '\u0003', '\u0004']) {
        child.write(key);
        await pause(50);
      }
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Milliseconds from each key to its letter on the way to the terminal. */
async function keys(screen) {
  const times = [];
  for (let at = 0; at < keyCount; at++) {
    await pause(10 + (at % 7));
    const letter = letters[at % letters.length];
    const echo = screen.shows(letter);
    const begin = now();
    screen.type(letter);
    times.push((await echo) - begin);
  }
  // The first ones also compile what draws them.
  return times.slice(4);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
