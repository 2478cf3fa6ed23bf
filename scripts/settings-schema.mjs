// Writes what is made from the table of settings: packages/cli/settings.schema.json and the table in docs/settings.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const { outputFiles } = await build({
  stdin: {
    contents: `export * from './schema.ts'; export * from './table.ts';`,
    resolveDir: `${root}packages/agent/src/config`,
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { publishedSchema, settingsTable } = await import(`data:text/javascript;base64,${code}`);

const schema = `${root}packages/cli/settings.schema.json`;
writeFileSync(schema, JSON.stringify(publishedSchema(), null, 2));
execFileSync(process.execPath, [`${root}node_modules/@biomejs/biome/bin/biome`, 'format', '--write', schema], {
  cwd: root,
  stdio: 'inherit',
});

const page = `${root}docs/settings.md`;
const [before, rest] = readFileSync(page, 'utf8').split('<!-- keys -->\n');
const [, after] = rest.split('<!-- end of keys -->');
writeFileSync(page, `${before}<!-- keys -->\n\n${settingsTable()}\n\n<!-- end of keys -->${after}`);
