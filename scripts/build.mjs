// Builds the shipped command: one split ESM bundle, so that the entry loads only what a run uses.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const cli = fileURLToPath(new URL('../packages/cli/', import.meta.url));
const { version } = JSON.parse(readFileSync(`${cli}package.json`, 'utf8'));

rmSync(`${cli}dist`, { recursive: true, force: true });
await build({
  entryPoints: { tau: `${cli}src/main.ts` },
  outdir: `${cli}dist`,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // Some packages name their ES module only here; the other form hides its parts from the bundler.
  mainFields: ['module', 'main'],
  target: 'node20.19',
  minify: true,
  chunkNames: 'chunk-[hash]',
  define: { TAU_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
});
cpSync(`${cli}demo`, `${cli}dist/demo`, { recursive: true });
