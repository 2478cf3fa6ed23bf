// Writes the tables of docs/permissions.md from the lists that packages/policy/test/everyday.test.ts checks.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const { outputFiles } = await build({
  stdin: {
    contents: `export * from './everyday.ts'; export * from './mode-matrix.ts';`,
    resolveDir: `${root}packages/policy/test`,
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { everydayTable, matrixTable } = await import(`data:text/javascript;base64,${code}`);

const page = `${root}docs/permissions.md`;
let text = readFileSync(page, 'utf8');
for (const [name, table] of [
  ['modes', matrixTable()],
  ['everyday', everydayTable()],
]) {
  const [before, rest] = text.split(`<!-- ${name} -->\n`);
  const [, after] = rest.split(`<!-- end of ${name} -->`);
  text = `${before}<!-- ${name} -->\n\n${table}\n\n<!-- end of ${name} -->${after}`;
}
writeFileSync(page, text);
