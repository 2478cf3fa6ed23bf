/** Where no copies of devices can be made, those of the machine are put back. Here they are ordinary files. */
import { chmodSync, closeSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { deviceNames, openDevices } from '../src/sandbox/bubblewrap/devices.ts';

let root: string;
let machine: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tau-devices-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  machine = join(root, 'dev');
  mkdirSync(machine);
  for (const name of deviceNames) writeFileSync(join(machine, name), name, { mode: 0o666 });
  for (const name of deviceNames) chmodSync(join(machine, name), 0o666);
});

const modeOf = (name: string) => statSync(join(machine, name)).mode & 0o7777;

test.each(['a folder that cannot be made', 'copies that are no devices', 'one that is missing'])('%s', async (why) => {
  if (why.startsWith('one')) rmSync(join(machine, 'tty'));
  const folder = join(root, why.startsWith('a') ? 'not/there' : 'copies');
  const devices = await openDevices(folder, machine);
  expect(devices.folder).toBeUndefined();
  const input = devices.openNull();
  onTestFinished(() => closeSync(input));
  expect(readFileSync(input, 'utf8')).toBe('null');
  expect(devices.restore()).toEqual([]);
  chmodSync(join(machine, 'null'), 0o600);
  chmodSync(join(machine, 'zero'), 0o777);
  expect(devices.restore()).toEqual(['null', 'zero'].map((name) => join(machine, name)));
  expect([modeOf('null'), modeOf('zero')]).toEqual([0o666, 0o666]);
  expect(devices.restore()).toEqual([]);
});
