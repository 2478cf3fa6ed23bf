// Builds the shipped command: a split ESM bundle, so that the entry loads only what a run uses.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const cli = `${root}packages/cli/`;
const { version } = JSON.parse(readFileSync(`${cli}package.json`, 'utf8'));

// Built aside and put in place whole: a running tau, or a test beside this one, never sees half a build.
const fresh = `${cli}dist-${process.pid}`;
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { tau: `${cli}src/main.ts` },
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
cpSync(`${cli}demo`, `${fresh}/demo`, { recursive: true });
writeFileSync(`${fresh}/THIRD_PARTY_LICENSES.txt`, thirdPartyLicenses(Object.keys(metafile.inputs)));

const old = `${fresh}-old`;
if (existsSync(`${cli}dist`)) renameSync(`${cli}dist`, old);
renameSync(fresh, `${cli}dist`);
rmSync(old, { recursive: true, force: true });

/** The licences of what the bundle contains that is not ours. */
function thirdPartyLicenses(inputs) {
  const found = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const names = [...new Set(found)].filter((name) => name !== undefined).sort();
  return names.map(licenseOf).join(`\n${'-'.repeat(78)}\n\n`);
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
