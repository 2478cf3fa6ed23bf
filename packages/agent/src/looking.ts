/**
 * What a person who writes a prompt can name: the files of the project, and what is in a folder. What a rule keeps from
 * the model whoever names it is not offered.
 */
import { join, resolve } from 'node:path';
import type { Host } from '@tau/host';
import type { Permission } from './permission.ts';

export interface ProjectFiles {
  /** Below the working folder, in no order, without what git ignores. */
  paths: string[];
  /** False when there were too many to list all of them. */
  complete: boolean;
}

export interface FolderItem {
  name: string;
  folder: boolean;
}

export interface Looking {
  files(options?: { signal?: AbortSignal }): Promise<ProjectFiles>;
  folder(path: string): Promise<FolderItem[]>;
}

/** More than a person looks for by name. */
const maxFiles = 200_000;
const maxItems = 10_000;
/** Between two turns of the event loop. */
const judgedAtOnce = 500;

export function createLooking({
  host,
  cwd,
  permission,
}: {
  host: Pick<Host, 'files' | 'search'>;
  cwd: string;
  permission: Pick<Permission, 'refusal' | 'deniesBelow'>;
}): Looking {
  const isOffered = (path: string) => permission.refusal(path, path) === undefined;
  return {
    async files({ signal = new AbortController().signal } = {}) {
      const { files, complete } = await host.search.files({ root: '.', signal, limit: maxFiles, namesOnly: true });
      if (!permission.deniesBelow(cwd)) return { paths: files.map(({ path }) => path), complete };
      const paths: string[] = [];
      for (let at = 0; at < files.length; at += judgedAtOnce) {
        signal.throwIfAborted();
        for (const { path } of files.slice(at, at + judgedAtOnce)) if (isOffered(join(cwd, path))) paths.push(path);
        // Whoever types meanwhile is not made to wait.
        await new Promise((next) => setImmediate(next));
      }
      return { paths, complete };
    },
    async folder(path) {
      const written = path === '' ? '.' : path;
      const real = await host.files.resolve(written);
      const entries = (await host.search.entries(written)).slice(0, maxItems);
      const items = await Promise.all(
        entries.map(async ({ name, kind }): Promise<FolderItem[]> => {
          const at = join(written, name);
          // A link is what it leads to, for those who complete a path and for the rules.
          const leads = kind === 'link' ? await host.files.resolve(at) : join(real, name);
          if (permission.refusal(resolve(cwd, at), leads) !== undefined) return [];
          const isFolder = kind === 'directory' || (kind === 'link' && (await isDirectory(host, at)));
          return [{ name, folder: isFolder }];
        }),
      );
      return items.flat();
    },
  };
}

/** What cannot be looked at is no folder to go into. */
async function isDirectory(host: Pick<Host, 'files'>, path: string): Promise<boolean> {
  const found = await host.files.stat(path).catch(() => undefined);
  return found?.kind === 'directory';
}
