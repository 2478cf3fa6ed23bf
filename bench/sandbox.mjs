/** Rows about commands in the sandbox: what a tool turn costs there, for one that only reads and for one that writes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectAnswer, expectResults } from './rows.mjs';
import { echoTurns } from './scenarios.mjs';

export const sandbox = {
  rows: [
    { key: 'heldTurn', name: 'one tool turn, echo, in the sandbox', unit: 'ms', atMost: 12 },
    { key: 'heldCost', name: 'a command that reads, over a bare one', unit: 'ms', atMost: 7 },
    { key: 'heldWriteTurn', name: 'one tool turn, a write, in the sandbox', unit: 'ms' },
    { key: 'heldWriteCost', name: 'a command that writes, over a bare one', unit: 'ms' },
  ],

  /** Not in a temporary folder: those are hidden inside, and what is needed there costs a mount each. */
  async prepare({ env, root }) {
    const parent = fileURLToPath(new URL('../node_modules/.bench/', import.meta.url));
    mkdirSync(parent, { recursive: true });
    const place = mkdtempSync(parent);
    process.once('exit', () => rmSync(place, { recursive: true, force: true }));
    const [home, cwd] = [join(place, 'home'), join(place, 'project')];
    mkdirSync(cwd);
    cpSync(join(root, 'home'), home, { recursive: true });
    // What a home usually holds that no command may read.
    for (const name of ['.ssh', '.aws', '.config/gh']) mkdirSync(join(home, name), { recursive: true });
    for (const name of ['.netrc', '.npmrc']) writeFileSync(join(home, name), '');
    execFileSync('git', ['init', '-q'], { cwd });
    const { TMPDIR: _, ...rest } = env;
    const bare = { ...rest, HOME: home };
    return { cwd, bare, held: { ...bare, TAU_SANDBOX_ENABLED: 'true' } };
  },

  async sample(workplace, binary, { cwd, bare, held }) {
    const turn = async (name, env, ...more) => {
      const args = [binary, '-p', 'hi', '--allow', 'bash', ...more];
      const one = await workplace.scenario(`${name}Once`, args, { env, cwd });
      const many = await workplace.scenario(`${name}Turns`, args, { env, cwd });
      expectAnswer(one, 'done', 2);
      expectAnswer(many, 'done', echoTurns + 1);
      expectResults(one, 1);
      expectResults(many, echoTurns);
      return (many.wall - one.wall) / (echoTurns - 1);
    };
    const bareTurn = await turn('echo', bare);
    const heldTurn = await turn('echo', held, '--sandbox');
    const bareWriteTurn = await turn('write', bare);
    const heldWriteTurn = await turn('write', held, '--sandbox');
    return {
      heldTurn,
      heldCost: heldTurn - bareTurn,
      heldWriteTurn,
      heldWriteCost: heldWriteTurn - bareWriteTurn,
    };
  },
};
