/** Finds a ripgrep to run: the user's, else the one that was installed with tau. Never one that the project supplies. */
import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** Older ones do not know all the options that are used. */
const oldestMajor = 13;
const versionMs = 5000;

/** Undefined when there is none that works. */
export async function findRipgrep(env: NodeJS.ProcessEnv, cwd: string): Promise<string | undefined> {
  for (const path of candidates(env, cwd)) if (await works(path)) return path;
  return undefined;
}

function* candidates(env: NodeJS.ProcessEnv, cwd: string): Generator<string> {
  for (const folder of (env.PATH ?? '').split(':').filter(isAbsolute)) {
    const path = join(folder, 'rg');
    if (isExecutable(path) && !leadsInto(cwd, path) && !leadsInto(cwd, folder)) yield path;
  }
  const installed = installedWithTau();
  // Whoever works on tau itself has it in the project; then the project is what already runs.
  if (installed && (!leadsInto(cwd, installed) || leadsInto(cwd, import.meta.dirname))) yield installed;
}

function installedWithTau(): string | undefined {
  const { createRequire } = process.getBuiltinModule('node:module');
  try {
    const main = createRequire(join(import.meta.dirname, 'tau.cjs')).resolve('@vscode/ripgrep');
    const path = createRequire(main).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
    return isExecutable(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function works(path: string): Promise<boolean> {
  const { execFile } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    execFile(path, ['--no-config', '--version'], { env: {}, timeout: versionMs }, (error, stdout) => {
      const major = /^ripgrep (\d+)\./.exec(stdout)?.[1];
      resolve(!error && Number(major ?? 0) >= oldestMajor);
    });
  });
}

/** True as well when the last part of the path is a link into the folder, or its folder is. */
function leadsInto(folder: string, path: string): boolean {
  try {
    const real = realpathSync(folder);
    return [realpathSync(path), join(realpathSync(dirname(path)), 'rg')].some((one) =>
      `${one}/`.startsWith(`${real}/`),
    );
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
