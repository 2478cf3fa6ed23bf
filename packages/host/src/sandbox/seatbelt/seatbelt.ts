/** Commands contained by macOS's own sandbox. Not run by our tests: its profile is tested as text. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TauError } from '@tau/core';
import { withoutSecrets } from '../environment.ts';
import type { Sandbox } from '../sandbox.ts';
import { pnpmPlace, toolchainPlaces } from '../toolchains.ts';
import { seatbeltProfile } from './profile.ts';

export const seatbeltProgram = '/usr/bin/sandbox-exec';

/** The language of profiles is spoken to the program on its command line, which is bounded. */
const maxProfile = 200_000;

export function seatbelt({ isSecret }: { isSecret?(value: string): boolean }): Sandbox {
  let temp: string | undefined;
  return {
    name: 'seatbelt',
    ownProcesses: false,
    async wrap(launch, policy) {
      temp ??= realpathSync(mkdtempSync(join(tmpdir(), 'tau-contained-')));
      const proxyPort = typeof policy.network === 'string' ? undefined : policy.network.port;
      const profile = seatbeltProfile(policy, { temp, ...(proxyPort !== undefined && { proxyPort }) });
      if (profile.length > maxProfile) {
        throw new TauError('process', 'The sandbox cannot be told so many paths', {
          remedy: 'Name fewer in the settings.',
        });
      }
      const clean = withoutSecrets(launch.env, isSecret);
      const cache = join(temp, 'tau-cache');
      const isWritable = (path: string) => policy.writable.some((root) => `${path}/`.startsWith(`${root}/`));
      const caches = {
        ...toolchainPlaces(clean, cache, { exists: () => false, isWritable }),
        ...pnpmPlace(launch, cache, policy.writable, { exists: existsSync, isWritable }),
      };
      const proxy = typeof policy.network === 'string' ? {} : policy.network.env;
      return {
        program: seatbeltProgram,
        args: ['-p', profile, launch.program, ...launch.args],
        env: { ...clean, TMPDIR: temp, ...caches, ...proxy, ...policy.env },
        cwd: launch.cwd,
        descriptors: [],
        started() {},
        first: () => undefined,
        release: async () => ({ began: true, left: false }),
      };
    },
    async close() {
      if (temp !== undefined) rmSync(temp, { recursive: true, force: true });
      temp = undefined;
    },
  };
}
