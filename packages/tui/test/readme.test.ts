import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { openShell } from './terminal/pty.ts';

test("the README's example is under 30 lines, and works, on a terminal that cannot move its cursor too", async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(example.trimEnd().split('\n').length).toBeLessThan(30);
  const folder = mkdtempSync(join(tmpdir(), 'tau-readme-'));
  const shell = openShell(60, 16);
  try {
    await build({
      stdin: { contents: example, loader: 'ts', resolveDir: new URL('.', import.meta.url).pathname },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    writeFileSync(join(folder, 'package.json'), '{}');
    shell.type(`node ${join(folder, 'stdin.mjs')}; echo "code $?"\r`);
    await shell.until('› apple');
    shell.type('plu');
    await shell.until(() => !shell.terminal.screenOf().some((line) => line.includes('apple')));
    shell.type('\r');
    await shell.until('code 0');
    const lines = shell.terminal.linesOf();
    const chosen = lines.indexOf('You chose plum.');
    expect(lines.slice(chosen, chosen + 2)).toEqual(['You chose plum.', 'code 0']);
    shell.type(`TERM=dumb node ${join(folder, 'stdin.mjs')}; echo "code $?, dumb"\r`);
    await shell.until(() => shell.terminal.linesOf().lastIndexOf('› apple') > chosen);
    shell.type('plu\r');
    await shell.until('code 0, dumb');
    expect(shell.output()).toContain('You chose plum.\r\ncode 0, dumb');
  } finally {
    await shell.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
