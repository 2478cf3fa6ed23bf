/** What tau runs on: node, the system, the user, the clock, the folder. */
import { statSync } from 'node:fs';
import { arch, release } from 'node:os';
import type { Home } from '../config/home.ts';
import { type Check, check, isAtLeast } from './check.ts';

const oldestNode = [20, 19] as const;

export function nodeCheck(version = process.versions.node): Check {
  const detail = `${version}, ${process.execPath}`;
  if (isAtLeast(version, ...oldestNode)) return check('node', 'Node.js', 'ok', detail);
  const remedy = `Install Node.js ${oldestNode.join('.')} or later`;
  return check('node', 'Node.js', 'problem', `${detail}: tau needs ${oldestNode.join('.')}`, remedy);
}

export function platformCheck(): Check {
  const { platform } = process;
  const wsl = platform === 'linux' && /microsoft/i.test(release());
  const detail = `${platform} ${release()} ${arch()}${wsl ? ', WSL' : ''}`;
  if (platform === 'linux') return check('platform', 'System', 'ok', detail);
  if (platform === 'darwin') {
    return check('platform', 'System', 'note', `${detail}: tau is tested on Linux`, 'Tell us what does not work');
  }
  return check('platform', 'System', 'problem', detail, 'Use Linux, macOS or WSL');
}

export function userCheck(uid = process.getuid?.()): Check {
  if (uid !== 0) return check('user', 'User', 'ok', 'not root');
  const remedy = 'Use an ordinary user, or a container that may break';
  return check('user', 'User', 'note', 'root: a command that is allowed may do everything to this machine', remedy);
}

const dayMs = 24 * 60 * 60 * 1000;
/** Nobody has a clock that is right and before this. */
const earliest = Date.UTC(2025, 0, 1);

/** Without the network there is only what was written here: nothing of it can be from tomorrow. */
export function clockCheck(home: Home, now = Date.now()): Check {
  const remedy = 'Set the clock: certificates and logins count on it';
  if (now < earliest) return check('clock', 'Clock', 'problem', `it says ${new Date(now).toISOString()}`, remedy);
  const late = [home.tau, home.settings, home.auth, home.sessions].find((path) => timeOf(path) > now + dayMs);
  if (late === undefined) return check('clock', 'Clock', 'ok', new Date(now).toISOString());
  const detail = `it says ${new Date(now).toISOString()}, but ${late} was written more than a day after that`;
  return check('clock', 'Clock', 'warning', detail, remedy);
}

function timeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}

export function folderCheck(cwd: string | undefined): Check {
  if (cwd !== undefined) return check('folder', 'Folder', 'ok', cwd);
  return check('folder', 'Folder', 'problem', 'the folder tau was started in is gone', 'Change to one that exists');
}
