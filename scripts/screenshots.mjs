// Makes the pictures of docs/: tau at a real pty on a real project, what it draws read off a headless terminal and written as
// SVG. The model is the recording of the demo; all else is real: node scripts/screenshots.mjs
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { svgOf } from './terminal-svg.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const ofToolkit = createRequire(`${root}packages/tui/package.json`);
const { spawn } = ofToolkit('@lydell/node-pty');
const { Terminal } = ofToolkit('@xterm/headless');
const [columns, rows] = [96, 30];
const target = `${root}docs/pictures`;

const home = mkdtempSync(join(tmpdir(), 'tau-pictures-'));
try {
  const project = join(home, 'median');
  mkdirSync(project);
  await (await demoProject()).makeProject(project);
  mkdirSync(join(home, '.tau'));
  writeFileSync(join(home, '.tau', 'settings.json'), JSON.stringify({ tips: false }));
  await takePictures(project);
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function takePictures(project) {
  const args = ['--replay', `${root}packages/cli/demo/recording.jsonl`, 'The tests fail. Find out why and fix it.'];
  const app = open(project, args);
  await app.shows('run this command?');
  app.picture('approval');
  await app.answer('s');
  await app.shows('make this change?');
  app.picture('change');
  await app.answer('y');
  await app.shows('3 of 3');
  await app.shows('Ask, or /help');
  app.picture('done');
  app.type('/');
  await app.shows('/help');
  await pause(300);
  app.picture('commands');
  app.type('\u0003');
  await pause(100);
  app.type('\u0004');
  await app.ended;
}

function open(cwd, args) {
  const view = new Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn(process.execPath, [`${root}packages/cli/bin/tau.cjs`, ...args], {
    ...{ cols: columns, rows, cwd },
    env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8' },
  });
  child.onData((data) => view.write(data));
  view.onData((answer) => child.write(answer));
  const text = () => {
    const { active } = view.buffer;
    return Array.from({ length: rows }, (_, row) =>
      active.getLine(active.viewportY + row)?.translateToString(true),
    ).join('\n');
  };
  const shows = async (wanted) => {
    for (let waited = 0; waited < 20_000; waited += 50) {
      if (text().includes(wanted)) return;
      await pause(50);
    }
    child.kill('SIGKILL');
    throw new Error(`tau never showed ${wanted}:\n${text()}`);
  };
  return {
    shows,
    type: (keys) => child.write(keys),
    /** Keys right after a question opens do not answer it. */
    async answer(key) {
      await pause(1500);
      child.write(key);
    },
    picture(name) {
      mkdirSync(target, { recursive: true });
      writeFileSync(join(target, `${name}.svg`), svgOf(view, { columns, rows, title: `tau: ${name}` }));
    },
    ended: new Promise((resolve) => child.onExit(resolve)),
  };
}

/** The demo makes its project itself. */
async function demoProject() {
  const file = join(home, 'project.mjs');
  const entryPoints = [`${root}packages/cli/src/demo/project.ts`];
  await build({ entryPoints, outfile: file, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  return import(file);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
