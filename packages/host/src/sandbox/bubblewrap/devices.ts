/**
 * Devices that are shown inside. Where the machine's belong to the user, as they do to root, a command may change their
 * modes without any right, and no mount keeps it from that: through a read-only one, as bubblewrap makes it, no device can
 * be opened. So the session has copies of its own, and commands may do to them what they like. Where none can be made, the
 * machine's are shown, and put back after each command.
 */
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Devices {
  /** Where the copies are; undefined where the machine's are shown. */
  folder?: string;
  /** What reads as nothing, for a command's input; whoever asks closes it. */
  openNull(): number;
  /** After a command. The paths of those of the machine that it has changed. */
  restore(): string[];
}

export const deviceNames: readonly string[] = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
/** One that copies what is in a device instead would never end. */
const patienceMs = 5000;

/** `machine`: where the machine's are. */
export async function openDevices(folder: string, machine = '/dev'): Promise<Devices> {
  const own = devicesOf(machine).filter(({ uid }) => uid === process.getuid?.());
  const isCopied = own.length > 0 && (await copy(own, folder));
  const copies = isCopied ? devicesOf(folder) : own;
  return {
    ...(isCopied && { folder }),
    openNull: () => openSync(join(isCopied ? folder : machine, 'null'), 'r'),
    restore() {
      const changed = putBack(copies);
      return isCopied ? [] : changed;
    },
  };
}

interface Device {
  path: string;
  /** Its number. */
  device: number;
  mode: number;
  uid: number;
  gid: number;
}

/** Needs a right that root of a container may lack, and a disk on which devices can be opened. */
async function copy(devices: readonly Device[], folder: string): Promise<boolean> {
  if (devices.length < deviceNames.length) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
    const { execFile } = process.getBuiltinModule('node:child_process');
    const args = ['-aL', '--', ...devices.map(({ path }) => path), folder];
    await new Promise<void>((resolve, reject) => {
      execFile('cp', args, { env: { PATH: '/usr/bin:/bin' }, timeout: patienceMs }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
    const copies = devicesOf(folder);
    if (!copies.every(({ path }) => statSync(path).isCharacterDevice())) return false;
    for (const { path } of copies) chmodSync(path, 0o666);
    closeSync(openSync(join(folder, 'null'), 'r+'));
    return devices.every(({ device }, index) => copies[index]?.device === device);
  } catch {
    return false;
  }
}

function putBack(devices: readonly Device[]): string[] {
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

function devicesOf(folder: string): Device[] {
  return deviceNames.flatMap((name) => {
    const found = look(join(folder, name));
    return found ? [deviceOf(join(folder, name), found)] : [];
  });
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function deviceOf(path: string, { rdev, mode, uid, gid }: Stats): Device {
  return { path, device: rdev, mode: mode & 0o7777, uid, gid };
}

function isSame(one: Device, other: Device): boolean {
  return one.mode === other.mode && one.uid === other.uid && one.gid === other.gid;
}
