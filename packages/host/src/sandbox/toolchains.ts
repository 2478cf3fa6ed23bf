/**
 * Where compilers and package managers keep what they have fetched and built. Inside, home is read-only: what is there
 * stays usable, and what is new goes to a cache of the session. Variables that the user has set are left alone, unless
 * they lead to a place that cannot be written.
 */
import { join } from 'node:path/posix';
import type { Launch } from './sandbox.ts';

/** Below the session's cache. Each only ever adds to it, and does without what is lost. */
const caches: readonly (readonly [variable: string, folder: string])[] = [
  ['XDG_CACHE_HOME', 'xdg'],
  ['npm_config_cache', 'npm'],
  ['pnpm_config_store_dir', 'pnpm'],
  ['YARN_CACHE_FOLDER', 'yarn'],
  ['YARN_GLOBAL_FOLDER', 'yarn-global'],
  ['BUN_INSTALL_CACHE_DIR', 'bun'],
  ['DENO_DIR', 'deno'],
  ['PIP_CACHE_DIR', 'pip'],
  ['UV_CACHE_DIR', 'uv'],
  ['POETRY_CACHE_DIR', 'poetry'],
  ['GOCACHE', 'go-build'],
  ['CCACHE_DIR', 'ccache'],
  ['SCCACHE_DIR', 'sccache'],
  ['COMPOSER_CACHE_DIR', 'composer'],
  ['NUGET_HTTP_CACHE_PATH', 'nuget'],
  ['DOTNET_CLI_HOME', 'dotnet'],
];

/** In the user's cache, and large: read from where it is, because the cache is elsewhere now. */
const readThrough: readonly (readonly [variable: string, belowCache: string])[] = [
  ['COREPACK_HOME', 'node/corepack'],
  ['PLAYWRIGHT_BROWSERS_PATH', 'ms-playwright'],
  ['PUPPETEER_CACHE_DIR', 'puppeteer'],
  ['CYPRESS_CACHE_FOLDER', 'Cypress'],
  ['HF_HOME', 'huggingface'],
  ['ELECTRON_CACHE', 'electron'],
  ['DENO_DIR', 'deno'],
];

interface Looks {
  exists(path: string): boolean;
  isWritable(path: string): boolean;
}

export function toolchainPlaces(
  env: NodeJS.ProcessEnv,
  cache: string,
  { exists, isWritable }: Looks,
): Record<string, string> {
  const home = env.HOME;
  const found: Record<string, string> = {};
  for (const [variable, name] of [...caches, ...sometimes(env, exists)]) {
    const set = env[variable];
    if (set === undefined || !isWritable(set)) found[variable] = join(cache, name);
  }
  if (home === undefined) return found;
  const userCache = env.XDG_CACHE_HOME ?? join(home, '.cache');
  for (const [variable, name] of readThrough) {
    if (env[variable] === undefined && exists(join(userCache, name))) found[variable] = join(userCache, name);
  }
  return { ...found, ...languages(env, home, cache, exists) };
}

/** Those that do harm to some. */
function sometimes(env: NodeJS.ProcessEnv, exists: Looks['exists']): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  // Python then reads compiled files from nowhere else: not for those who would write none there.
  if (!env.PYTHONDONTWRITEBYTECODE) found.push(['PYTHONPYCACHEPREFIX', 'python']);
  // One that is there is read where it is, and has an overlay for what is new; see `bubblewrap/overlays.ts`.
  const { HOME: home } = env;
  if (home === undefined || !exists(home)) return found;
  if (!exists(env.CARGO_HOME ?? join(home, '.cargo'))) found.push(['CARGO_HOME', 'cargo']);
  // Whoever asks for a version of rust, as pip does, has rustup make one.
  if (!exists(env.RUSTUP_HOME ?? join(home, '.rustup'))) found.push(['RUSTUP_HOME', 'rustup']);
  return found;
}

/** Those that can read from one place and write to another. */
function languages(
  env: NodeJS.ProcessEnv,
  home: string,
  cache: string,
  exists: (path: string) => boolean,
): Record<string, string> {
  const found: Record<string, string> = {};
  const gradle = env.GRADLE_USER_HOME ?? join(home, '.gradle');
  if (exists(join(gradle, 'caches'))) {
    found.GRADLE_RO_DEP_CACHE = join(gradle, 'caches');
    found.GRADLE_USER_HOME = join(cache, 'gradle');
  }
  const maven = join(home, '.m2/repository');
  if (exists(maven)) {
    const local = `-Dmaven.repo.local=${join(cache, 'maven')} -Dmaven.repo.local.tail=${maven}`;
    found.MAVEN_ARGS = env.MAVEN_ARGS ? `${env.MAVEN_ARGS} ${local}` : local;
  }
  const goModules = env.GOMODCACHE ?? join(env.GOPATH ?? join(home, 'go'), 'pkg/mod');
  if (exists(join(goModules, 'cache/download'))) {
    const proxies = env.GOPROXY ?? 'https://proxy.golang.org,direct';
    found.GOMODCACHE = join(cache, 'go-mod');
    found.GOPROXY = `file://${join(goModules, 'cache/download')},${proxies}`;
    found.GOFLAGS = env.GOFLAGS?.includes('-modcacherw') ? env.GOFLAGS : `${env.GOFLAGS ?? ''} -modcacherw`.trim();
  }
  return found;
}

export interface Tool {
  /** At the top of a project that uses it. */
  markers: readonly string[];
  /** In a command that uses it. */
  word: RegExp;
}

/** Seems to be. `folders`: the project's. */
export function isUsed(
  { markers, word }: Tool,
  { cwd, args }: Launch,
  folders: readonly string[],
  exists: Looks['exists'],
) {
  if (args.some((arg) => word.test(arg))) return true;
  return [cwd, ...folders].some((folder) => markers.some((marker) => exists(join(folder, marker))));
}

const pnpm: Tool = { markers: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'], word: /\bpnpm\b/ };

/** For commands that need it only: npm complains of this variable, and before version 11 pnpm reads no other. */
export function pnpmPlace(
  launch: Launch,
  cache: string,
  folders: readonly string[],
  looks: Looks,
): Record<string, string> {
  const set = launch.env.npm_config_store_dir;
  if ((set !== undefined && looks.isWritable(set)) || !isUsed(pnpm, launch, folders, looks.exists)) return {};
  return { npm_config_store_dir: join(cache, 'pnpm') };
}
