/**
 * What of a project counts only when the project is trusted: its files, each with a hash of what stands in it. Nothing
 * leaves the project: what a link outside holds can change unseen, so it is only known as a link.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { describeError, isRecord } from '@tau/core';

export interface Content {
  /** By path within the project: a hash, or `link to …` for what is not looked at. */
  files: ReadonlyMap<string, string>;
  /** The rules of Claude Code's files that allow something, by file. They come and go, and the rest is trusted without them. */
  rules: ReadonlyMap<string, string>;
  /** Of all of `files`. */
  hash: string;
  /** Why it cannot be trusted, whatever somebody says: not all of it can be known. */
  problem?: string;
}

const plainFiles = [
  ...['.tau/settings.json', '.tau/settings.toml', '.tau/settings.local.json', '.tau/settings.local.toml'],
  ...['.tau/models.json', '.tau/mcp.json'],
];
/** Files of another agent, of which hooks and rules alone count: the rest is its own affair and changes often. */
export const claudeFiles = ['.claude/settings.json', '.claude/settings.local.json'];
const folders = ['.tau/extensions', '.tau/hooks'];

const maxBytes = 1024 * 1024;
const maxTotalBytes = 16 * maxBytes;
const maxFiles = 1000;

/** What a file, links followed, is known by; undefined when nothing in it counts. */
type Reader = (real: string, path: string) => string | undefined;

/** Whether there is anything to look at: two looks, for every start of tau. */
export function hasContent(root: string): boolean {
  return existsSync(join(root, '.tau')) || existsSync(join(root, '.claude'));
}

/** `root` with links followed. */
export function readContent(root: string): Content {
  const files = new Map<string, string>();
  const rules = new Map<string, string>();
  let problem: string | undefined;
  if (hasContent(root)) {
    try {
      const read = createReader();
      const whole: Reader = (real, path) => hashOf(read(real, path));
      for (const path of plainFiles) keep(files, path, fileAt(root, path, whole));
      for (const path of claudeFiles) {
        let bytes: Buffer | undefined;
        const look: Reader = (real) => {
          bytes = read(real, path);
          return hashWithin(bytes, hooksOf);
        };
        keep(files, path, fileAt(root, path, look));
        const allowing = bytes && rulesHash(bytes);
        if (allowing !== undefined) rules.set(path, allowing);
      }
      for (const path of folders) walk(root, path, files, whole);
    } catch (error) {
      problem = describeError(error);
    }
  }
  const hash = contentHash(files);
  return { files, rules, hash, ...(problem !== undefined && { problem }) };
}

/** Where content is or would be, for whoever wants to see that something changed. Not further than is looked anyway. */
export function contentPaths(root: string): string[] {
  if (!hasContent(root)) return [];
  const inFolders = new Map<string, string>();
  try {
    for (const path of folders) walk(root, path, inFolders, () => 'there');
  } catch {
    // Too much of it, or it cannot be looked at: reading it says so.
  }
  return [...plainFiles, ...claudeFiles, ...inFolders.keys()].map((path) => join(root, path));
}

export function hasClaudeHooks({ files }: Content): boolean {
  return claudeFiles.some((path) => files.has(path));
}

export function contentHash(files: ReadonlyMap<string, string>): string {
  // Most projects bring nothing, and need no hash.
  if (files.size === 0) return 'nothing';
  const lines = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return hashOf(Buffer.from(JSON.stringify(lines)));
}

/** Not what only leads somewhere else. */
export function isHash(entry: string | undefined): boolean {
  return entry !== undefined && /^[0-9a-f]{64}$/.test(entry);
}

export function hashOf(bytes: Buffer): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest('hex');
}

/** What cannot be understood counts as a whole. */
function hashWithin(bytes: Buffer, part: (value: Record<string, unknown>) => unknown): string | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    const found = isRecord(value) ? part(value) : undefined;
    return found === undefined ? undefined : hashOf(Buffer.from(JSON.stringify(found)));
  } catch {
    return hashOf(bytes);
  }
}

/** Of what a file of Claude Code allows. */
export function rulesHash(bytes: Buffer): string | undefined {
  return hashWithin(bytes, allowsOf);
}

function hooksOf({ hooks }: Record<string, unknown>): unknown {
  return hooks;
}

function allowsOf({ permissions }: Record<string, unknown>): unknown {
  const allow = isRecord(permissions) ? permissions.allow : undefined;
  return Array.isArray(allow) && allow.length === 0 ? undefined : allow;
}

function keep(files: Map<string, string>, path: string, entry: string | undefined): void {
  if (entry === undefined) return;
  if (files.size >= maxFiles) throw tooMany();
  files.set(path, entry);
}

/** Undefined when there is none, or nothing in it that counts. */
function fileAt(root: string, path: string, read: Reader): string | undefined {
  const full = join(root, path);
  if (lstatSync(full, { throwIfNoEntry: false }) === undefined) return undefined;
  const real = realOrTarget(full);
  return real.startsWith(root + sep) && existsSync(real) ? read(real, path) : `link to ${real}`;
}

function realOrTarget(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return readlinkSync(path);
  }
}

/** Bounded, each by itself and all together. */
function createReader(): (real: string, path: string) => Buffer {
  let total = 0;
  return (real, path) => {
    const bytes = readBounded(real, path);
    total += bytes.length;
    if (total > maxTotalBytes) throw new Error(`its files that would count are larger than ${maxTotalBytes} bytes`);
    return bytes;
  };
}

function readBounded(real: string, path: string): Buffer {
  const file = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error(`${path} is not a regular file`);
    if (found.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Links in it are not followed, wherever they lead: one upwards would have no end. */
function walk(root: string, folder: string, files: Map<string, string>, read: Reader): void {
  const waiting = [folder];
  // Folders are no content, but looking into them takes time all the same.
  for (let looked = 0; waiting.length > 0; looked++) {
    if (looked > maxFiles) throw tooMany();
    const path = waiting.pop() ?? '';
    const full = join(root, path);
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found === undefined) continue;
    const real = realOrTarget(full);
    // `.tau` itself may be a link.
    if (real !== full) keep(files, path, `link to ${real}`);
    else if (found.isDirectory()) waiting.push(...namesIn(full).map((name) => `${path}/${name}`));
    else keep(files, path, read(real, path));
  }
}

function namesIn(folder: string): string[] {
  const open = opendirSync(folder);
  const names: string[] = [];
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      if (names.push(entry.name) > maxFiles) throw tooMany();
    }
    return names;
  } finally {
    open.closeSync();
  }
}

function tooMany(): Error {
  return new Error(`it has more than ${maxFiles} files that would count`);
}
