/**
 * What a sandbox keeps on the disk while the session lasts: the private temporary folder of its commands, and what lies
 * over hidden files. A helper process removes it, and the stubs, when tau is killed and cannot.
 */
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearScript, type Ledger } from './ledger.ts';

export interface KeptFolder {
  /** All of it. */
  root: string;
  /** The temporary folder of commands. */
  temp: string;
  /** What everybody may read, and nothing is in. */
  empty: { file: string; folder: string };
  /** The filter of system calls, from its beginning; whoever asks closes it. */
  openFilter(): number;
  /** A descriptor with nothing to read, open as long as the folder is kept. */
  nothing(): number;
  remove(): void;
}

const prefix = 'tau-contained-';

export function keepFolder(filter: Buffer, ledger: Ledger): KeptFolder {
  const root = mkdtempSync(join(tmpdir(), prefix));
  const at = (name: string) => join(root, name);
  mkdirSync(at('tmp'), { mode: 0o700 });
  writeFileSync(at('empty'), '', { mode: 0o444 });
  mkdirSync(at('nothing'), { mode: 0o555 });
  writeFileSync(at('filter'), filter, { mode: 0o400 });
  chmodSync(at('tmp'), 0o700);
  const helper = startHelper(root, ledger);
  let nothing: number | undefined;
  return {
    root,
    temp: at('tmp'),
    empty: { file: at('empty'), folder: at('nothing') },
    openFilter: () => openSync(at('filter'), 'r'),
    nothing() {
      nothing ??= openSync(at('empty'), 'r');
      return nothing;
    },
    remove() {
      if (nothing !== undefined) closeSync(nothing);
      nothing = undefined;
      rmSync(root, { recursive: true, force: true });
      helper.end();
    },
  };
}

/**
 * Reads from a pipe that only tau holds. At its end tau is gone, in whatever way: a moment later its commands are gone
 * too, and what they needed is removed.
 */
function startHelper(root: string, ledger: Ledger): { end(): void } {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const script = `trap "" HUP INT TERM; cd /; read -r _; sleep 0.1\n${clearScript}\nrm -rf -- "$3"`;
  const child = spawn('/bin/sh', ['-c', script, 'tau-helper', ledger.folder, ledger.prefix, root], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  });
  // Without it a kill leaves more behind, which the next session clears away.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  const { stdin } = child;
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return { end: () => stdin.destroy() };
}
