/**
 * Package managers that keep what they have fetched in one folder and write there even to read. For a command that may
 * change things, a folder of the session lies over it: what the user has is seen through links, what is new comes beside
 * them. At the same path, because cargo builds everything anew when its sources have another one.
 */
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Launch, SandboxPolicy } from '../sandbox.ts';
import { isUsed, type Tool } from '../toolchains.ts';
import { plantFarm } from './link-farm.ts';
import { isIn, isOf, type Mount } from './places.ts';

/** Where nothing says that it is used, the folder stays as it is. */
interface Kept extends Tool {
  name: string;
  /** Where it is: in a variable, or below home. */
  variable: string;
  belowHome: string;
  /** Shown as they are. */
  asIs: readonly string[];
  /** Lead to where the links of the farm look for them. */
  behind: readonly string[];
  linked: Readonly<Record<string, number>>;
  copied: readonly string[];
  files: readonly string[];
  /** Folders that change, they or those in them, when the user fetches something. */
  changing: readonly string[];
}

const keptByTools: readonly Kept[] = [
  {
    name: 'cargo',
    markers: ['Cargo.toml'],
    word: /\bcargo\b/,
    variable: 'CARGO_HOME',
    belowHome: '.cargo',
    asIs: ['bin'],
    behind: ['registry', 'git'],
    linked: { 'registry/cache': 1, 'registry/src': 1, 'git/checkouts': 1 },
    copied: ['registry/index', 'git/db'],
    // Never the credentials.
    files: ['config.toml', 'config', 'env', '.crates.toml', '.crates2.json'],
    changing: ['registry/cache', 'git/db', 'git/checkouts'],
  },
  {
    name: 'npm',
    // Not for every command of a project: thousands of files take a moment, and `npm test` needs none of them.
    markers: [],
    word: /\bnpx\b|\bnpm\s+(?:-\S+\s+)*(?!run\b|run-script\b|t\b|test\b|start\b|stop\b|restart\b)[a-z]/,
    variable: 'npm_config_cache',
    belowHome: '.npm',
    asIs: [],
    behind: ['_cacache'],
    // The index is appended to in place.
    linked: { '_cacache/content-v2': 3 },
    copied: ['_cacache/index-v5'],
    files: [],
    changing: ['_cacache/tmp'],
  },
  {
    name: 'pip',
    markers: ['pyproject.toml', 'setup.py', 'requirements.txt'],
    word: /\b(?:pip3?|venv)\b/,
    variable: 'PIP_CACHE_DIR',
    belowHome: '.cache/pip',
    asIs: [],
    behind: ['wheels'],
    // What was built here. What was downloaded is in many small folders, and pip asks its index anyway.
    linked: { wheels: 4 },
    copied: [],
    files: [],
    changing: ['wheels'],
  },
];

const behindFolder = '.outside';

export interface Overlays {
  over(launch: Launch, policy: SandboxPolicy, isSeen: (path: string) => boolean): Promise<Overlay>;
}

export interface Overlay {
  mounts: readonly Mount[];
  /** For tools that were sent to an empty cache. */
  env: Readonly<Record<string, string>>;
}

interface Made {
  /** Of the user's folder, and what of it is hidden, when it was made. */
  stamp: string;
  /** Undefined when it could not be. */
  mounts: Promise<Mount[] | undefined>;
}

/** `root`: of tau's own. */
export function overlayMaker(root: string): Overlays {
  const made = new Map<string, Made>();
  let count = 0;

  function mountsOver(kept: Kept, folder: string, { unreadable }: SandboxPolicy): Promise<Mount[] | undefined> {
    const key = keyOf(kept, folder);
    // What is hidden in it would be open behind the links of one that was made before.
    const hidden = unreadable.filter((path) => isIn(path, folder));
    const stamp = [...hidden, ...stampsOf(kept, folder)].join('\n');
    const before = made.get(key);
    if (before?.stamp === stamp) return before.mounts;
    // Never the old one again: commands could write there, and have put links in the way.
    count += 1;
    const mounts = lay(kept, folder, join(root, String(count)), hidden);
    made.set(key, { stamp, mounts });
    return mounts;
  }

  return {
    async over(launch, policy, isSeen) {
      const found: { mounts: Mount[]; env: Record<string, string> } = { mounts: [], env: {} };
      for (const kept of keptByTools) {
        const named = namedIn(launch.env, kept);
        const folder = named === undefined ? undefined : realFolder(named);
        if (named === undefined || folder === undefined || !isSeen(folder)) continue;
        if (isTouched(folder, policy.writable) || isOf(folder, policy.unreadable)) continue;
        if (!made.has(keyOf(kept, folder)) && !isUsed(kept, launch, policy.writable, existsSync)) continue;
        const mounts = await mountsOver(kept, folder, policy);
        if (!mounts) continue;
        found.mounts.push(...mounts);
        found.env[kept.variable] = named;
      }
      return found;
    },
  };
}

async function lay(kept: Kept, folder: string, to: string, hidden: readonly string[]): Promise<Mount[] | undefined> {
  const closed = kept.behind.map((part) => join(folder, part)).filter((path) => isTouched(path, hidden));
  const isHidden = (path: string) => isOf(path, closed) || isTouched(path, hidden);
  const isThere = (part: string) => isFolder(join(folder, part)) && !isHidden(join(folder, part));
  const behind = kept.behind.filter(isThere);
  const asIs = kept.asIs.filter(isThere);
  try {
    await plantFarm({ ...kept, from: folder, seenAt: join(folder, behindFolder), to, isHidden });
    for (const part of [...asIs, ...behind.map((part) => join(behindFolder, part))])
      mkdirSync(join(to, part), { recursive: true });
  } catch {
    // No room for it: the user's own is read, as far as it goes.
    rmSync(to, { recursive: true, force: true });
    return undefined;
  }
  return [
    { kind: 'writable', path: folder, from: to },
    // Nobody can put a link in its place.
    ...(behind.length === 0
      ? []
      : [{ kind: 'writable', path: join(folder, behindFolder), from: join(to, behindFolder) } as const]),
    ...asIs.map((part): Mount => ({ kind: 'readOnly', path: join(folder, part) })),
    ...behind.map(
      (part): Mount => ({ kind: 'readOnly', path: join(folder, behindFolder, part), from: join(folder, part) }),
    ),
  ];
}

function keyOf({ name }: Kept, folder: string): string {
  return `${name} ${folder}`;
}

function namedIn(env: NodeJS.ProcessEnv, { variable, belowHome }: Kept): string | undefined {
  return env[variable] ?? (env.HOME === undefined ? undefined : join(env.HOME, belowHome));
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return isFolder(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** One is in the other. */
function isTouched(path: string, others: readonly string[]): boolean {
  return isOf(path, others) || others.some((other) => isOf(other, [path]));
}

function stampsOf({ changing }: Kept, folder: string): string[] {
  const folders = changing.flatMap((name) => {
    const path = join(folder, name);
    return [path, ...namesIn(path).map((inner) => join(path, inner))];
  });
  return folders.map((path) => `${path} ${changedAt(path)}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function changedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
