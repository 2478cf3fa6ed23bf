/**
 * Whether a project is trusted: the user said yes to exactly what is there now. The same for every mode and command. A
 * parent's word never covers a repository inside it, because each root has a record of its own.
 */
import { basename } from 'node:path';
import type { Home } from '../config/home.ts';
import { projectFolder, projectRoot, realPath } from '../config/layers.ts';
import { type Content, contentHash, hashOf, isHash, readContent } from './content.ts';
import type { ContentChange, ProjectTrust } from './project-trust.ts';
import { changeRecord, loadRecord } from './record.ts';

export function readTrust(home: Home, cwd: string): ProjectTrust {
  const root = trustRoot(home, cwd);
  if (root === undefined) return noProject;
  const content = readContent(root);
  const { record, problem = content.problem } = loadRecord(home.trust, root);
  const changed = record === undefined ? [] : changesBetween(record.files, content.files);
  const same = record?.hash === content.hash && changed.length === 0;
  const trusted = record?.decision === 'yes' && same && content.problem === undefined;
  return {
    ...{ root, content, changed, trusted },
    ...(record && { decision: record.decision }),
    ...(problem !== undefined && { problem }),
    covers: (path) => trusted && !leadsOut(content, path),
    coversRules: (path, hash) => trusted && isSame(hash, content.rules.get(path), record?.rules?.[path]),
  };
}

/** What was read, what is there and what was looked at. Where there is nothing, nothing was said about it. */
function isSame(read: string | undefined, there: string | undefined, looked: string | undefined): boolean {
  return read !== undefined && read === there && there === looked;
}

/**
 * For an agent: what is recorded, or the word of whoever makes it, which is about what is there at that moment and nothing
 * later. Nothing is looked at before somebody wants to know.
 */
export function openTrust(home: Home, cwd: string, said?: boolean): () => ProjectTrust {
  if (said === undefined) return () => readTrust(home, cwd);
  const then = said ? readTrust(home, cwd).content : undefined;
  return () => {
    const found = readTrust(home, cwd);
    const { root, content } = found;
    const trusted = root !== undefined && content.hash === then?.hash && content.problem === undefined;
    const covers = (path: string) => trusted && !leadsOut(content, path);
    const coversRules: ProjectTrust['coversRules'] = (path, of) =>
      trusted && isSame(of, content.rules.get(path), then?.rules.get(path));
    return { ...found, decision: said ? 'yes' : 'no', changed: [], trusted, covers, coversRules };
  };
}

/** The root that a decision is about. */
export function trustRoot(home: Home, cwd: string): string | undefined {
  return projectFolder(home, cwd) === undefined ? undefined : realPath(projectRoot(cwd, home));
}

const noProject: ProjectTrust = {
  content: { files: new Map(), rules: new Map(), hash: '' },
  changed: [],
  trusted: false,
  covers: () => false,
  coversRules: () => false,
};

/** A file that is no content has nothing in it that could count. */
function leadsOut({ files }: Content, path: string): boolean {
  return files.has(path) && !isHash(files.get(path));
}

function changesBetween(
  before: Readonly<Record<string, string>>,
  after: ReadonlyMap<string, string>,
): readonly ContentChange[] {
  const gone = Object.keys(before).filter((path) => !after.has(path));
  const others = [...after].flatMap(([path, entry]): ContentChange[] => {
    if (!Object.hasOwn(before, path)) return [{ path, change: 'new' }];
    return before[path] === entry ? [] : [{ path, change: 'changed' }];
  });
  return [...others, ...gone.map((path): ContentChange => ({ path, change: 'gone' }))];
}

/** Records what the user says about what was looked at, which may not be what is there by now. */
export async function recordTrust(home: Home, looked: ProjectTrust, decision: 'yes' | 'no'): Promise<void> {
  const { root, content } = looked;
  if (root === undefined) return;
  const { hash, files, rules } = content;
  const at = new Date().toISOString();
  await changeRecord(home.trust, root, () => ({
    ...{ decision, hash, files: Object.fromEntries(files) },
    ...(rules.size > 0 && { rules: Object.fromEntries(rules) }),
    at,
  }));
}

/**
 * Before tau itself changes a settings file of a trusted project for the user: what to do with the new text so that the
 * project stays trusted. Whatever else changed meanwhile is not taken for good.
 */
export function keepTrusted(home: Home, cwd: string, path: string): ((text: string) => Promise<void>) | undefined {
  const before = readTrust(home, cwd);
  const { root } = before;
  if (!before.trusted || root === undefined) return undefined;
  return async (text) => {
    const files = new Map(before.content.files).set(`.tau/${basename(path)}`, hashOf(Buffer.from(text)));
    await changeRecord(home.trust, root, (record) =>
      record?.decision === 'yes' && record.hash === before.content.hash
        ? { ...record, hash: contentHash(files), files: Object.fromEntries(files) }
        : undefined,
    );
  };
}
