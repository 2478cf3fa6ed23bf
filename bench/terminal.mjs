/** Rows about the terminal toolkit: what a frame costs, how soon a key is seen, what loading it costs. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { now } from './clock.mjs';

/** Letters that stand in no sequence and in none of the lines. */
const letters = 'xyzvqw';
const keyCount = 30;

export const terminal = {
  rows: [
    { key: 'frameFew', name: 'frame, 100 lines committed', unit: 'us' },
    { key: 'frameMany', name: 'frame, 100,000 lines committed', unit: 'us', yardstick: 'frameFew', times: 1.5 },
    { key: 'frameBytes', name: 'frame of one changed line, bytes', unit: 'B', atMost: 64 },
    { key: 'echo', name: 'key to echo, median', unit: 'ms', atMost: 4 },
    { key: 'echoWorst', name: 'key to echo, worst', unit: 'ms', atMost: 16 },
    { key: 'echoStreaming', name: 'key to echo while streaming, median', unit: 'ms', atMost: 4 },
    { key: 'echoStreamingWorst', name: 'key to echo while streaming, worst', unit: 'ms', atMost: 16 },
    { key: 'loading', name: 'loading all of the toolkit, uncached', unit: 'ms', atMost: 25 },
    { key: 'toolkitMemory', name: 'peak memory, the toolkit loaded', unit: 'MB', yardstick: 'emptyMemory', times: 1.2 },
  ],

  async prepare({ root }) {
    const outdir = join(root, 'toolkit');
    await build({
      entryPoints: { app: fileURLToPath(new URL('./terminal-app.mjs', import.meta.url)) },
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      mainFields: ['module', 'main'],
      logLevel: 'silent',
    });
    const { spawn } = createRequire(new URL('../packages/tui/package.json', import.meta.url))('@lydell/node-pty');
    return { app: join(outdir, 'app.mjs'), spawn };
  },

  async sample(workplace, _binary, { app, spawn }) {
    const few = JSON.parse((await workplace.node([app, 'frames', '100'])).stdout);
    const many = JSON.parse((await workplace.node([app, 'frames', '100000'])).stdout);
    const idle = await keys(spawn, app, 'echo', workplace);
    const streaming = await keys(spawn, app, 'stream', workplace);
    const empty = ['--input-type=module', '-e', '0'];
    return {
      frameFew: few.microseconds,
      frameMany: many.microseconds,
      frameBytes: many.bytes,
      echo: middle(idle),
      echoWorst: Math.max(...idle),
      echoStreaming: middle(streaming),
      echoStreamingWorst: Math.max(...streaming),
      loading: Number((await workplace.node(timedImport(app))).stdout),
      emptyMemory: (await workplace.node(empty, { memory: true })).peak,
      toolkitMemory: (await workplace.node([app, 'load'], { memory: true })).peak,
    };
  },
};

/** Types keys into the program behind a real pty; milliseconds until each is on its way to the screen. */
async function keys(spawn, app, what, { env, project }) {
  const child = spawn(process.execPath, [app, what], {
    cols: 80,
    rows: 24,
    cwd: project,
    env: { ...env, TERM: 'xterm' },
  });
  const ended = new Promise((resolve) => child.onExit(resolve));
  const seen = (wanted) =>
    new Promise((resolve) => {
      const heard = child.onData((data) => {
        if (!data.includes(wanted)) return;
        heard.dispose();
        resolve(now());
      });
    });
  try {
    await seen('footer');
    // What a terminal would answer; without it the program would wait for more.
    child.write('\u001b[?2026;2$y\u001b[?1;2c');
    const times = [];
    for (let at = 0; at < keyCount; at++) {
      await new Promise((resolve) => setTimeout(resolve, 10 + (at % 7)));
      const letter = letters[at % letters.length];
      const echo = seen(letter);
      const begin = now();
      child.write(letter);
      times.push((await echo) - begin);
    }
    return times.slice(5);
  } finally {
    child.write('\u0011');
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(timer);
  }
}

/** In time of the processor, which what else runs here does not change. */
function timedImport(module) {
  const took = 'const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);';
  const code = `const before = process.cpuUsage(); await import(${JSON.stringify(module)}); ${took}`;
  return ['--input-type=module', '-e', code];
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
