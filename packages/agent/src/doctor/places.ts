/** tau's own folder and the temp folder: who may look into them, what they hold, and how much room there is. */
import { accessSync, constants, type Stats, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Home } from '../config/home.ts';
import { type Check, check, quoted, sizeText } from './check.ts';
import { usageOf } from './usage.ts';

const id = 'home';
const title = 'tau home';

export function homeCheck({ tau }: Home, uid = process.getuid?.()): Check {
  const found = statOf(tau);
  if (found === undefined) {
    const above = existingAbove(tau);
    if (mayWrite(above)) return check(id, title, 'ok', `${tau}, made when it is first needed`);
    const remedy = `Let ${above} be written to, or set TAU_HOME`;
    return check(id, title, 'problem', `${tau} is not there and cannot be made`, remedy);
  }
  if (found === 'hidden') {
    return check(id, title, 'problem', `${tau} cannot be looked at`, 'Let it be read, or set TAU_HOME');
  }
  if (!found.isDirectory()) {
    return check(id, title, 'problem', `${tau} is no folder`, 'Move it away, or set TAU_HOME to a folder');
  }
  if ((found.mode & 0o022) !== 0) {
    const detail = `${tau} (${modeText(found)}): others may put settings there`;
    return check(id, title, 'problem', detail, `chmod 700 ${quoted(tau)}`);
  }
  if (!mayWrite(tau)) {
    const detail = `${tau} cannot be written to: no session, no key and no setting is kept`;
    const remedy = `chmod u+rwx ${quoted(tau)}, or set TAU_HOME to a folder that is yours`;
    return check(id, title, 'problem', detail, remedy);
  }
  if (uid !== undefined && uid !== 0 && found.uid !== uid) {
    const detail = `${tau} belongs to somebody else, who may change what is in it`;
    return check(id, title, 'problem', detail, 'Set TAU_HOME to a folder that is yours');
  }
  if ((found.mode & 0o055) !== 0) {
    const detail = `${tau} (${modeText(found)}): others may look into it`;
    return check(id, title, 'warning', detail, `chmod 700 ${quoted(tau)}`);
  }
  return check(id, title, 'ok', tau);
}

/** What each of them may not let others do. */
export function fileChecks(home: Home, sessions: string): Check[] {
  const read = 0o077;
  const write = 0o022;
  const rows = [
    { name: 'auth.json', path: home.auth, bad: read, status: 'problem' },
    { name: 'models.json', path: home.models, bad: read, status: 'warning' },
    { name: 'settings.json', path: home.settings, bad: write, status: 'problem' },
    { name: 'permissions.json', path: home.permissions, bad: write, status: 'problem' },
    { name: 'trust.json', path: home.trust, bad: write, status: 'problem' },
    { name: 'sessions', path: sessions, bad: read, status: 'warning' },
    { name: 'logs', path: home.logs, bad: read, status: 'warning' },
  ] as const;
  const checks = rows.flatMap(({ name, path, bad, status }) => {
    const found = statOf(path);
    if (found === undefined || found === 'hidden' || (found.mode & bad) === 0) return [];
    const what = (found.mode & write) === 0 ? 'others can read it' : 'others can change it';
    const mode = found.isDirectory() ? '700' : '600';
    return [
      check(`files.${name}`, name, status, `${path} (${modeText(found)}): ${what}`, `chmod ${mode} ${quoted(path)}`),
    ];
  });
  return checks.length > 0 ? checks : [check('files', 'Private files', 'ok', 'nobody else reads or changes them')];
}

const littleBytes = 200 * 1024 * 1024;
const nothingBytes = 10 * 1024 * 1024;

export function tempCheck(folder = tmpdir()): Check {
  const found = statOf(folder);
  if (found === undefined || found === 'hidden' || !found.isDirectory() || !mayWrite(folder)) {
    const remedy = 'Set TMPDIR to a folder that is yours';
    return check('temp', 'Temp folder', 'problem', `${folder} is no folder that can be written to`, remedy);
  }
  if ((found.mode & 0o002) !== 0 && (found.mode & 0o1000) === 0) {
    const detail = `${folder} (${modeText(found)}): everybody may take away and replace what others put there`;
    return check('temp', 'Temp folder', 'warning', detail, `chmod +t ${quoted(folder)}, or set TMPDIR`);
  }
  const { bytes, files, more } = usageOf(folder, { only: /^tau-(out|git)-/, owner: process.getuid?.() });
  const held =
    files === 0 ? 'nothing of tau' : `${sizeText(bytes)}${more ? ' or more' : ''} of tau, removed after a day`;
  return check('temp', 'Temp folder', 'ok', `${folder}, ${held}`);
}

export function logsCheck({ logs }: Home): Check {
  const { bytes, files, more } = usageOf(logs);
  return check('logs', 'Logs', 'ok', files === 0 ? 'none' : `${logs}, ${sizeText(bytes)}${more ? ' or more' : ''}`);
}

export function diskChecks({ tau }: Home): Check[] {
  return [diskCheck('disk.home', 'Room for tau home', tau), diskCheck('disk.temp', 'Room in temp folder', tmpdir())];
}

function diskCheck(name: string, label: string, folder: string): Check {
  const above = existingAbove(folder);
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(above);
    free = bavail * bsize;
  } catch {
    return check(name, label, 'note', `${above} does not tell`, 'See df by hand');
  }
  const detail = `${sizeText(free)} free in ${above}`;
  const remedy = 'Make room: what cannot be written is lost';
  if (free < nothingBytes) return check(name, label, 'problem', detail, remedy);
  return free < littleBytes ? check(name, label, 'warning', detail, remedy) : check(name, label, 'ok', detail);
}

function statOf(path: string): Stats | 'hidden' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? undefined : 'hidden';
  }
}

function existingAbove(path: string): string {
  for (let folder = path; ; folder = dirname(folder)) {
    if (statOf(folder) !== undefined || folder === dirname(folder)) return folder;
  }
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

function modeText({ mode }: Stats): string {
  return `mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`;
}
