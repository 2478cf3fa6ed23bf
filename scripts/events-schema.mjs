// Writes packages/cli/events.schema.json, which is made from packages/agent/src/event-schema.ts.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const { outputFiles } = await build({
  entryPoints: [`${root}packages/agent/src/event-schema.ts`],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { eventSchema } = await import(`data:text/javascript;base64,${code}`);

const file = `${root}packages/cli/events.schema.json`;
writeFileSync(file, JSON.stringify(eventSchema(), null, 2));
execFileSync(process.execPath, [`${root}node_modules/@biomejs/biome/bin/biome`, 'format', '--write', file], {
  cwd: root,
  stdio: 'inherit',
});
