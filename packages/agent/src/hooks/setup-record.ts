/** In which projects `Setup` hooks have run, so that they run once: `setup.json` in tau's home. */
import { join } from 'node:path';
import { isRecord } from '@tau/core';
import type { Home } from '../config/home.ts';
import { readJsonFile } from '../config/jsonc.ts';
import { replaceFile } from '../config/replace-file.ts';

/** The oldest are forgotten: then a hook runs once more. */
const maxProjects = 1000;

export async function isSetUp(home: Home, root: string): Promise<boolean> {
  return Object.hasOwn(await read(home), root);
}

export async function recordSetup(home: Home, root: string, at: string): Promise<void> {
  const { [root]: _, ...others } = await read(home);
  const entries = [...Object.entries(others), [root, at] as const].slice(-maxProjects);
  replaceFile(pathIn(home), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`, { mode: 0o600 });
}

function pathIn(home: Home): string {
  return join(home.tau, 'setup.json');
}

async function read(home: Home): Promise<Record<string, unknown>> {
  const { value } = (await readJsonFile(pathIn(home))) ?? {};
  return isRecord(value) ? value : {};
}
