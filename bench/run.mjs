/**
 * `npm run bench`: times the built binary against a local scripted model, with bare node in every round as the
 * yardstick. Options: --rounds N, --group NAME (only those rows; may be repeated), --json, --check (exit 1 when a budget
 * is broken), --binary FILE (another build). Other agents that are installed are measured beside it, see README.md.
 */
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { groups } from './groups.mjs';
import { summarise, table } from './report.mjs';
import { openWorkplace } from './workplace.mjs';

const options = {
  rounds: { type: 'string', default: '11' },
  group: { type: 'string', multiple: true, default: Object.keys(groups) },
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

async function main({ rounds, group, json, check, binary }) {
  const count = Number(rounds);
  if (!Number.isInteger(count) || count < 1) throw new Error('--rounds takes a whole number from 1');
  if (!existsSync(binary)) throw new Error(`there is no ${binary}; build it with npm ci`);
  const unknown = group.find((name) => !Object.hasOwn(groups, name));
  if (unknown) throw new Error(`there is no group ${unknown}; there are ${Object.keys(groups).join(', ')}`);
  const chosen = group.map((name) => groups[name]);
  const { samples, notes } = await measure(chosen, count, resolve(binary));
  const rows = chosen.flatMap((one) => one.rows);
  const figures = summarise(rows, samples);
  const machine = { node: process.version, cpus: cpus().length, rounds: count };
  if (json) console.log(JSON.stringify({ ...machine, rows: figures, notes }, null, 2));
  else console.log(`${table(figures)}\n\nnode ${machine.node}, ${machine.cpus} cpus, medians of ${count} rounds`);
  if (!json) for (const note of notes) console.log(note);
  return check && figures.some(({ ok }) => !ok) ? 1 : 0;
}

async function measure(chosen, count, binary) {
  const workplace = await openWorkplace();
  try {
    const prepared = [];
    for (const group of chosen) prepared.push(await group.prepare(workplace, binary));
    const round = async () => {
      const sample = {};
      for (const [at, group] of chosen.entries()) {
        Object.assign(sample, await group.sample(workplace, binary, prepared[at]));
      }
      return sample;
    };
    // The first round fills the disk cache and is not counted.
    await round();
    const samples = [];
    for (let number = 0; number < count; number++) samples.push(await round());
    return { samples, notes: prepared.flatMap((one) => one?.notes ?? []) };
  } finally {
    workplace.close();
  }
}
