/**
 * What a sandbox keeps on the disk while the session lasts: the private temporary folder of its commands, and what lies
 * over hidden files. A helper process removes it, and the stubs, when tau is killed and cannot.
 */
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAlive } from '../../local/keep-alive.ts';
import { type Devices, openDevices } from './devices.ts';
import { removeTree } from './in-folder.ts';
import { clearScript, type Ledger } from './ledger.ts';
import { type MaskMaker, maskMaker } from './masks.ts';
import { type Overlays, overlayMaker } from './overlays.ts';
import type { CallFilters } from './seccomp.ts';

export interface KeptFolder {
  /** All of it. */
  root: string;
  /** The temporary folder of commands. */
  temp: string;
  /** What everybody may read, and nothing is in. */
  empty: { file: string; folder: string };
  /** What lies over hidden places while a witness looks on. */
  masks: MaskMaker;
  /** What lies over folders of package managers. */
  overlays: Overlays;
  /** Made by whoever asks first. */
  devices(): Promise<Devices>;
  /** A filter of system calls, from its beginning; whoever asks closes it. */
  openFilter(which: keyof CallFilters): number;
  /** A descriptor with nothing to read, open as long as the folder is kept. */
  nothing(): number;
  remove(): void;
}

const prefix = 'tau-contained-';

export function keepFolder(filters: CallFilters, ledger: Ledger): KeptFolder {
  const root = mkdtempSync(join(tmpdir(), prefix));
  const at = (name: string) => join(root, name);
  mkdirSync(at('tmp'), { mode: 0o700 });
  writeFileSync(at('empty'), '', { mode: 0o444 });
  mkdirSync(at('nothing'), { mode: 0o555 });
  for (const which of ['all', 'rest', 'reads'] as const)
    writeFileSync(at(`filter-${which}`), filters[which], { mode: 0o400 });
  chmodSync(at('tmp'), 0o700);
  const masks = maskMaker(at('masks'));
  const helper = startHelper(root, ledger);
  let nothing: number | undefined;
  let devices: Promise<Devices> | undefined;
  return {
    root,
    temp: at('tmp'),
    empty: { file: at('empty'), folder: at('nothing') },
    masks,
    overlays: overlayMaker(at('overlays')),
    devices() {
      devices ??= openDevices(at('devices'));
      return devices;
    },
    openFilter: (which) => openSync(at(`filter-${which}`), 'r'),
    nothing() {
      nothing ??= openSync(at('empty'), 'r');
      return nothing;
    },
    remove() {
      if (nothing !== undefined) closeSync(nothing);
      nothing = undefined;
      // What is left of it, and names that are no text, are the helper's.
      removeTree(root);
      helper.end();
    },
  };
}

/** A command may have closed folders in it. No `chmod` follows the links that it meets there. */
const removeScript = 'rm -rf -- "$3" || { chmod -R u+rwx -- "$3"; rm -rf -- "$3"; }';

/**
 * Whose keeper died as it began has not asked yet to die with it, and would go on: its command line names the session's
 * folder.
 */
const endScript = `for f in $(grep -lsF -- "$3/" /proc/[0-9]*/cmdline); do f=\${f#/proc/}; kill -9 "\${f%/cmdline}"; done`;

/**
 * Reads from a pipe that only tau holds. At its end tau is gone, in whatever way: a moment later its commands are gone
 * too, and what they needed is removed.
 */
function startHelper(root: string, ledger: Ledger): { end(): void } {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const script = `trap "" HUP INT TERM; cd /; read -r _; sleep 0.1; ${endScript}; sleep 0.1; ${endScript}\n${clearScript}\n${removeScript}`;
  const child = spawn('/bin/sh', ['-c', script, 'tau-helper', ledger.folder, ledger.prefix, root], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  });
  // Without it a kill leaves more behind, which the next session clears away.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  for (const one of [child, child.stdin]) keepAlive(one, 'unref');
  return { end: () => child.stdin.destroy() };
}
