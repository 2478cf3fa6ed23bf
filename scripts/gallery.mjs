// Shows every component of the terminal toolkit: bundles its gallery into a temp folder and runs it there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'tau-gallery-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await build({
  entryPoints: [fileURLToPath(new URL('../packages/tui/gallery/gallery.ts', import.meta.url))],
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // What no page shows, such as a language of code, is not loaded.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'error',
});
await import(pathToFileURL(join(folder, 'gallery.mjs')).href);
