/** What is typed, opened in the user's own editor, which has the terminal meanwhile. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TauError, withOwnPrograms } from '@tau/agent';

const maxBytes = 5_000_000;

/** As git chooses: what fits a terminal that can draw, then anything, then what is always there. */
function editorOf(env: NodeJS.ProcessEnv): string {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || 'vi';
}

/** The text as it was left there; undefined when nothing was changed. */
export async function editOutside(
  text: string,
  { env, lend }: { env: NodeJS.ProcessEnv; lend<T>(work: () => Promise<T>): Promise<T> },
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'tau-prompt-'));
  const file = join(folder, 'prompt.md');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const program = editorOf(env);
    const code = await lend(() => runAtTerminal(program, file, env));
    if (code !== 0) {
      throw new TauError('process', `The editor "${program}" ended with ${code}; what was typed is as it was`, {
        remedy: 'VISUAL or EDITOR names another one',
      });
    }
    if (statSync(file).size > maxBytes) {
      throw new TauError('file', `What came from the editor has more than ${maxBytes} bytes`, {
        remedy: 'Mention a file with @ instead',
      });
    }
    const changed = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return changed === text ? undefined : changed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By the shell, since the variable may hold options too. */
async function runAtTerminal(program: string, file: string, env: NodeJS.ProcessEnv): Promise<number | string> {
  const { spawn } = await import('node:child_process');
  const child = spawn('/bin/sh', ['-c', `${program} "$1"`, 'sh', file], {
    stdio: 'inherit',
    env: withOwnPrograms(env),
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'no code'));
  });
}
