/**
 * A folder that shows what is in another one and can be written: folders of its own, links to what is large, copies of what
 * is small and changed in place. The other one lies elsewhere, where the links lead to; nothing in it is ever written.
 */
import { type Dirent, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Farm {
  /** What is shown. */
  from: string;
  /** Where that is found by whoever follows the links. */
  seenAt: string;
  /** What is made. Nobody else writes to it meanwhile. */
  to: string;
  /** Below: its entries are links, after so many levels of real folders, in which new ones find their place. */
  linked: Readonly<Record<string, number>>;
  /** Below: folders with all that is in them. */
  copied: readonly string[];
  /** The same of single files at the top. */
  files: readonly string[];
  /** Left out. */
  isHidden(path: string): boolean;
}

/** More takes seconds on a slow machine. What is left out is fetched again. */
const maxEntries = 20_000;
const entriesAtOnce = 500;

export async function plantFarm(farm: Farm, most = maxEntries): Promise<void> {
  const work = { ...farm, left: most };
  for (const path of [...Object.keys(farm.linked), ...farm.copied])
    mkdirSync(dirname(join(farm.to, path)), { recursive: true });
  for (const [path, depth] of Object.entries(farm.linked)) await link(work, path, depth);
  for (const path of farm.copied) await copy(work, path);
  for (const path of farm.files) copyFile(work, path);
}

interface Work extends Farm {
  /** So many entries may still be made. */
  left: number;
}

async function link(work: Work, path: string, depth: number): Promise<void> {
  for (const entry of await entriesOf(work, path)) {
    const inner = join(path, entry.name);
    if (depth > 0 && entry.isDirectory()) await link(work, inner, depth - 1);
    else symlinkSync(join(work.seenAt, inner), join(work.to, inner));
  }
}

async function copy(work: Work, path: string): Promise<void> {
  const entries = await entriesOf(work, path);
  const isRepository = entries.some(({ name }) => name === 'HEAD');
  for (const entry of entries) {
    const inner = join(path, entry.name);
    if (isRepository && entry.name === 'objects') borrowObjects(work, inner);
    else if (entry.isDirectory()) await copy(work, inner);
    else if (entry.isFile()) copyFile(work, inner);
  }
}

/** Quicker for small files than what Node has for it. */
function copyFile({ from, to, isHidden }: Work, path: string): void {
  if (isHidden(join(from, path))) return;
  const text = contentOf(join(from, path));
  if (text) writeFileSync(join(to, path), text);
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // Not there, or not to be read: whoever looks for it here finds out the same.
    return undefined;
  }
}

/** Git looks for objects there too, and puts new ones here. */
function borrowObjects({ to, seenAt }: Work, path: string): void {
  for (const name of ['info', 'pack']) mkdirSync(join(to, path, name), { recursive: true });
  writeFileSync(join(to, path, 'info/alternates'), `${join(seenAt, path)}\n`);
}

/** What is in a folder, which is made; nothing of one that is not there, cannot be listed, or is too much. */
async function entriesOf(work: Work, path: string): Promise<Dirent[]> {
  if (work.isHidden(join(work.from, path))) return [];
  const found = listed(join(work.from, path));
  if (found === undefined || found.length > work.left) return [];
  mkdirSync(join(work.to, path));
  const before = work.left;
  work.left -= found.length;
  // A terminal that waits is still drawn.
  if (Math.floor(before / entriesAtOnce) !== Math.floor(work.left / entriesAtOnce))
    await new Promise((resolve) => setImmediate(resolve));
  return found;
}

function listed(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
