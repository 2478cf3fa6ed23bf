/**
 * `npm run bench`: times the built binary against a local scripted model, with bare node in every round as the
 * yardstick. Options: --rounds N, --json, --check (exit 1 when a budget is broken), --binary FILE (another build).
 */
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { summarise, table } from './report.mjs';
import { rows, sample } from './rows.mjs';
import { openWorkplace } from './workplace.mjs';

const options = {
  rounds: { type: 'string', default: '11' },
  json: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  binary: { type: 'string', default: fileURLToPath(new URL('../packages/cli/bin/tau.cjs', import.meta.url)) },
};

try {
  process.exitCode = await main(parseArgs({ options }).values);
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}

async function main({ rounds, json, check, binary }) {
  const count = Number(rounds);
  if (!Number.isInteger(count) || count < 1) throw new Error('--rounds takes a whole number from 1');
  if (!existsSync(binary)) throw new Error(`there is no ${binary}; build it with npm ci`);
  const samples = await measure(count, resolve(binary));
  const figures = summarise(rows, samples);
  const machine = { node: process.version, cpus: cpus().length, rounds: count };
  if (json) console.log(JSON.stringify({ ...machine, rows: figures }, null, 2));
  else console.log(`${table(figures)}\n\nnode ${machine.node}, ${machine.cpus} cpus, medians of ${count} rounds`);
  return check && figures.some(({ ok }) => !ok) ? 1 : 0;
}

async function measure(count, binary) {
  const workplace = await openWorkplace();
  try {
    // The first round fills the disk cache and is not counted.
    await sample(workplace, binary);
    const samples = [];
    for (let round = 0; round < count; round++) samples.push(await sample(workplace, binary));
    return samples;
  } finally {
    workplace.close();
  }
}
