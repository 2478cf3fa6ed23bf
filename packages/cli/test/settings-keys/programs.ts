/** Stand-ins for programs that a setting runs. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A shell script of this name in a folder that only the test writes to. The PATH that finds it first. */
export function standIn(folder: string, name: string, script: string): string {
  const bin = join(folder, 'stand-ins');
  mkdirSync(bin, { recursive: true, mode: 0o755 });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  return `${bin}:${process.env.PATH}`;
}
