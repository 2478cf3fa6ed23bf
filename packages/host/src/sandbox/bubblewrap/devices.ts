/**
 * Devices of the machine that are shown inside. Where they belong to the user, as they do to root, a command may change
 * their modes without any right, and no mount keeps it from that: through a read-only one, as bubblewrap makes it, no
 * device can be opened. So they are noted when the session begins, and put back after each command.
 */
import { chmodSync, chownSync, type Stats, statSync } from 'node:fs';

export interface Device {
  path: string;
  mode: number;
  uid: number;
  gid: number;
}

/** A command's input is the first of them, where it has none. */
const shown = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);

/** Those that a command could change. */
export function ownDevices(): Device[] {
  const own = process.getuid?.();
  return shown.flatMap((path) => {
    const found = look(path);
    return found && found.uid === own ? [deviceOf(path, found)] : [];
  });
}

/** The paths of those that were changed. */
export function restoreDevices(devices: readonly Device[]): string[] {
  const changed = devices.filter((device) => {
    const found = look(device.path);
    return found && !isSame(deviceOf(device.path, found), device);
  });
  for (const { path, mode, uid, gid } of changed) {
    try {
      chownSync(path, uid, gid);
      chmodSync(path, mode);
    } catch {
      // It is told all the same.
    }
  }
  return changed.map(({ path }) => path);
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function deviceOf(path: string, { mode, uid, gid }: Stats): Device {
  return { path, mode: mode & 0o7777, uid, gid };
}

function isSame(one: Device, other: Device): boolean {
  return one.mode === other.mode && one.uid === other.uid && one.gid === other.gid;
}
