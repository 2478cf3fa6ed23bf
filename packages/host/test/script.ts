/** A program of its own around a host, for what can only be seen from outside the process. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Makes a script in which `host` is the local host of `cwd`. Returns its path, in a new folder below `cwd`. */
export async function bundleScript(cwd: string, body: string): Promise<string> {
  const door = join(import.meta.dirname, '../src/index.ts');
  const opening = `import { localHost } from ${JSON.stringify(door)};
    const host = localHost({ cwd: ${JSON.stringify(cwd)} });`;
  const outfile = join(await mkdtemp(join(cwd, 'script-')), 'script.mjs');
  await build({
    stdin: { contents: `${opening}\n${body}`, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return outfile;
}
