// Builds the shipped command and the SDK: ESM bundles, split so that an entry loads only what a run uses, then written as
// CommonJS, because Node 20 keeps compiled code for scripts only (decision 0004).
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { head } from '../packages/cli/bin/load.cjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const cli = `${root}packages/cli/`;
const { version } = JSON.parse(readFileSync(`${cli}package.json`, 'utf8'));

// Built aside and put in place whole: a running tau, or a test beside this one, never sees half a build.
const fresh = `${cli}dist-${process.pid}`;
// Each started in a thread of its own, by its name.
const workers = ['photon-worker', 'pdf-worker'];
const workerSources = workers.map((name) => [name, `${root}packages/tools/src/read/${name}.cjs`]);
const command = { tau: `${cli}src/main.ts`, ...Object.fromEntries(workerSources) };
// By itself: a chunk that both shared would be one more file for every start of the command.
const sdk = { sdk: `${root}packages/agent/src/index.ts` };
const bundles = [await bundle(command), await bundle(sdk)];
const outputs = bundles.flatMap(({ metafile }) => Object.values(metafile.outputs));
const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
for (const { imports } of outputs) {
  const foreign = imports.find(
    ({ kind, external, path }) => kind === 'dynamic-import' && external && !/^node:/.test(path),
  );
  if (foreign) throw new Error(`a script cannot import("${foreign.path}")`);
}
const start = await joinStart();
for (const name of readdirSync(fresh)) await makeScript(name, start.alone.has(name));
start.write();
cpSync(`${root}CHANGELOG.md`, `${fresh}/CHANGELOG.md`);
cpSync(`${cli}demo`, `${fresh}/demo`, { recursive: true });
// Looked for beside the script that uses it.
cpSync(`${root}node_modules/@silvia-odwyer/photon-node/photon_rs_bg.wasm`, `${fresh}/photon_rs_bg.wasm`);
writeFileSync(`${fresh}/THIRD_PARTY_LICENSES.txt`, thirdPartyLicenses(inputs));
try {
  for (const api of ['anthropic-messages', 'openai-completions', 'openai-responses', 'google-generative-ai']) {
    const args = [`${root}scripts/train.cjs`, fresh, api];
    execFileSync(process.execPath, args, { timeout: 60_000, stdio: ['ignore', 'ignore', 'pipe'] });
  }
  await trainScreen();
} catch (error) {
  // It works without, only slower.
  console.warn(`The code cache could not be made: ${error.message}`);
}

putInPlace();

function bundle(entryPoints) {
  return build({
    absWorkingDir: root,
    entryPoints,
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Some packages name their ES module only here; the other form hides its parts from the bundler.
    mainFields: ['module', 'main'],
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    chunkNames: 'chunk-[hash]',
    define: { TAU_VERSION: JSON.stringify(version) },
    metafile: true,
    logLevel: 'warning',
  });
}

/** The same at a terminal: somebody says hi, waits for the answer and leaves. */
async function trainScreen() {
  const { spawn } = createRequire(`${root}packages/tui/package.json`)('@lydell/node-pty');
  const env = { ...process.env, TERM: 'xterm-256color', TAU_PLAIN: '' };
  const args = [`${root}scripts/train.cjs`, fresh, 'anthropic-messages', 'screen'];
  const child = spawn(process.execPath, args, { cols: 100, rows: 30, env });
  const typed = [
    ['Ask, or /help', 'hi\r'],
    ['done', '\u0004'],
  ];
  let seen = '';
  child.onData((data) => {
    seen += data;
    const [next] = typed;
    if (!next || !seen.includes(next[0])) return;
    seen = '';
    typed.shift();
    // So that what comes after the words is part of the run too.
    setTimeout(() => child.write(next[1]), 50);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const { exitCode } = await new Promise((resolve) => child.onExit(resolve));
  clearTimeout(timer);
  if (exitCode !== 0) throw new Error(`the run at a terminal ended with ${exitCode}`);
}

/** Another build may do the same at this moment: whoever comes last stays. */
function putInPlace() {
  const old = `${fresh}-old`;
  for (;;) {
    try {
      if (existsSync(`${cli}dist`)) renameSync(`${cli}dist`, old);
      renameSync(fresh, `${cli}dist`);
      break;
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code) || !existsSync(fresh)) throw error;
    }
    rmSync(old, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
}

/** A part of the bundle as a script: as Node loads it, or as `bin/load.cjs` does. */
async function makeScript(name, isAlone) {
  const code = await scriptOf(readFileSync(`${fresh}/${name}`, 'utf8'));
  writeFileSync(`${fresh}/${scriptName(name)}`, isAlone ? code : asFunction(code));
  rmSync(`${fresh}/${name}`);
}

/** What it loads later are scripts too, or built-ins; a script can `import()` nothing. */
async function scriptOf(part) {
  const later = part.replaceAll(/\bimport\("((?:\.\/|node:)[^"]+)"\)/g, 'Promise.resolve().then(()=>require("$1"))');
  const { code } = await transform(later.replaceAll(/"(\.\/[\w-]+)\.js"/g, '"$1.cjs"'), {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    define: { 'import.meta.dirname': '__dirname' },
  });
  // It is read one byte a character. What is left after the bundler stands in regular expressions, where this means the same.
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One expression as it stands: to put something around it at every start would copy it all. */
function asFunction(code) {
  return `${head}${code}\n})`;
}

function scriptName(path) {
  return basename(path).replace(/\.js$/, '.cjs');
}

/**
 * One file and one scope for all that the entry cannot do without: each file by itself costs a start about a third of a
 * millisecond, and what one part takes from another would be asked for through a getter every time. What is loaded later
 * finds the parts in it by their names.
 */
async function joinStart() {
  const [{ metafile: own }, { metafile: other }] = bundles;
  const needed = (metafile, entry, kinds, seen = new Set()) => {
    if (seen.has(entry)) return seen;
    seen.add(entry);
    for (const { path, kind, external } of metafile.outputs[entry].imports) {
      if (!external && kinds.includes(kind)) needed(metafile, path, kinds, seen);
    }
    return seen;
  };
  const entryOf = ({ outputs }, name) => Object.keys(outputs).find((path) => path.endsWith(`/${name}.js`));
  const entry = entryOf(own, 'tau');
  const joined = [...needed(own, entry, ['import-statement'])];
  const code = await oneScope(
    basename(entry),
    joined
      .filter((path) => path !== entry)
      .map((path) => ({ name: basename(path), exports: own.outputs[path].exports })),
  );
  // A thread has no access to the joined file, whenever it loads a part.
  const inThreads = workers.flatMap((name) => [
    ...needed(own, entryOf(own, name), ['import-statement', 'dynamic-import']),
  ]);
  const alone = new Set([...inThreads, ...Object.keys(other.outputs)].map((path) => basename(path)));
  for (const path of joined) if (!alone.has(basename(path))) rmSync(`${fresh}/${basename(path)}`);
  return { alone, write: () => writeFileSync(`${fresh}/start.cjs`, asFunction(code)) };
}

async function oneScope(entry, parts) {
  const own = (at, name) => `p${at}_${name}`;
  const lines = parts.flatMap(({ name, exports }, at) => [
    `import {${exports.map((one) => `${one} as ${own(at, one)}`)}} from "./${name}";`,
    `parts["./${scriptName(name)}"] = () => ({${exports.map((one) => `get ${one}(){return ${own(at, one)}}`)}});`,
  ]);
  const { outputFiles } = await build({
    stdin: { contents: ['export const parts = {};', ...lines, `import "./${entry}";`].join('\n'), resolveDir: fresh },
    plugins: [{ name: 'later', setup: leaveForLater }],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    write: false,
  });
  return scriptOf(outputFiles[0].text);
}

function leaveForLater({ onResolve }) {
  // What had no effect was left out when the parts were made; these do what they do, in their order.
  onResolve({ filter: /^\.\// }, ({ kind, path, resolveDir }) =>
    kind === 'dynamic-import' ? { path, external: true } : { path: join(resolveDir, path), sideEffects: true },
  );
}

/** The licences of what the bundle contains that is not ours. */
function thirdPartyLicenses(inputs) {
  const found = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const names = [...new Set(found)].filter((name) => name !== undefined).sort();
  const catalogue = `The catalogue of models\n\n${readFileSync(`${root}packages/models/src/catalogue/LICENSE`, 'utf8')}`;
  // unpdf ships PDF.js inside, which is under the same licence as TypeScript, whose text is at hand.
  const apache = readFileSync(`${root}node_modules/typescript/LICENSE.txt`, 'utf8').trim();
  const pdfjs = `PDF.js, a part of unpdf (Apache-2.0)\n\nCopyright Mozilla Foundation\n\n${apache}\n`;
  return [...names.map(licenseOf), pdfjs, catalogue].join(`\n${'-'.repeat(78)}\n\n`);
}

function licenseOf(name) {
  const folder = `${root}node_modules/${name}/`;
  const { version: packaged, license, author, homepage } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  if (!license) throw new Error(`${name} names no licence, so it cannot be bundled`);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file
    ? readFileSync(folder + file, 'utf8').trim()
    : [author?.name ?? author, homepage].filter(Boolean).join('\n');
  return `${name} ${packaged} (${license})\n\n${text}\n`;
}
