/** How a prompt may go on: files behind `@`, paths on Tab, and dropped files as mentions. Commands come before these. */
import { existsSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { Agent } from '@tau/agent';
import { type CompletionProvider, combinedProvider, droppedPaths } from '@tau/tui';
import type { FileIndex } from './file-index.ts';

/** A path that leads out of the project, or to home: it is not in the list of files. */
const elsewhere = /^(?:\/|~\/|\.\.(?:\/|$))/;

export function createPathCompletion(agent: Pick<Agent, 'folder'>, index: Pick<FileIndex, 'find'>): CompletionProvider {
  const entries = async (folder: string) => {
    // A folder that is not there, or that may not be listed, has nothing to offer.
    return agent.folder(folder).catch(() => []);
  };
  const below = async (query: string): Promise<readonly string[]> => {
    const cut = query.lastIndexOf('/') + 1;
    const [folder, typed] = [query.slice(0, cut), query.slice(cut).toLowerCase()];
    const found = (await entries(folder === '' ? query : folder)).filter(({ name }) =>
      name.toLowerCase().startsWith(typed),
    );
    return found.map(({ name, folder: isFolder }) => `${folder}${name}${isFolder ? '/' : ''}`);
  };
  return combinedProvider({
    mentions: (query, signal) => (elsewhere.test(query) ? below(query) : index.find(query, signal)),
    list: (folder) => entries(folder),
  });
}

/** Files dropped on the terminal, or a path of one that was pasted, become mentions; any other text stays as it is. */
export function droppedAsMentions(paste: string, cwd: string): string | undefined {
  const paths = droppedPaths(paste);
  if (!paths?.every((path) => path.startsWith('~/') || existsSync(path))) return undefined;
  return `${paths.map((path) => mentionOf(shortened(path, cwd))).join(' ')} `;
}

/** As `@path` takes it: quoted when it has blanks. */
export function mentionOf(path: string): string {
  return /[\s"]/.test(path) ? `@"${path}"` : `@${path}`;
}

function shortened(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(cwd, path);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside) ? inside : path;
}
