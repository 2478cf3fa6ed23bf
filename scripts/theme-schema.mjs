// Writes what is made from the list of roles: docs/theme-schema.json and the table in docs/themes.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const { outputFiles } = await build({
  entryPoints: [`${root}packages/tui/src/theme/schema.ts`],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { themeSchema, rolesTable } = await import(`data:text/javascript;base64,${code}`);

const schema = `${root}docs/theme-schema.json`;
writeFileSync(schema, JSON.stringify(themeSchema(), null, 2));
execFileSync(process.execPath, [`${root}node_modules/@biomejs/biome/bin/biome`, 'format', '--write', schema], {
  cwd: root,
  stdio: 'inherit',
});

const page = `${root}docs/themes.md`;
const [before, rest] = readFileSync(page, 'utf8').split('<!-- roles -->\n');
const [, after] = rest.split('<!-- end of roles -->');
writeFileSync(page, `${before}<!-- roles -->\n\n${rolesTable()}\n\n<!-- end of roles -->${after}`);
