/** Gathers context files with what they import, each once, and remembers what was told so that nothing is told twice. */
import { realpathSync, statSync } from 'node:fs';
import { importsIn, importTarget, isDocument, looksLikeFile } from './imports.ts';
import { type Found, type PlainFile, readPlainFile } from './plain-file.ts';

export interface ContextFile {
  path: string;
  text: string;
}

export interface Collector {
  /** What was gathered since it was last taken. */
  take(): ContextFile[];
  /** True when the file counts: it was gathered now, or told before. */
  add(path: string, within: readonly string[]): boolean;
  /** The model knows this file by other means. */
  know(path: string): void;
}

const maxDepth = 5;
const maxImports = 50;

export function createCollector(options: { userHome: string; warn(text: string): void }): Collector {
  const { userHome, warn } = options;
  const told = new Set<string>();
  let gathered: ContextFile[] = [];
  let imports = 0;

  function add(path: string, within: readonly string[]): boolean {
    const found = readPlainFile(path, within);
    if (!found) return false;
    if ('problem' in found) {
      warn(found.problem);
      return false;
    }
    if (!told.has(found.file.real) && found.warning !== undefined) warn(found.warning);
    gather(found.file, within, 0);
    return true;
  }

  function gather(file: PlainFile, within: readonly string[], depth: number): void {
    if (told.has(file.real)) return;
    told.add(file.real);
    gathered.push({ path: file.path, text: file.text });
    for (const written of importsIn(file.text)) follow(written, file, within, depth + 1);
  }

  function follow(written: string, importer: PlainFile, within: readonly string[], depth: number): void {
    // Seen from where the file really is: that is where its author wrote it.
    const path = importTarget(written, importer.real, userHome);
    const imported = readImport(path, written, within);
    if (imported === undefined) return;
    const why = 'problem' in imported ? imported.problem : limit(imported.file, depth);
    if (why !== undefined) warn(`${importer.path}: @${written} is not imported: ${why}`);
    if (why !== undefined || 'problem' in imported || told.has(imported.file.real)) return;
    imports += 1;
    if (imported.warning !== undefined) warn(imported.warning);
    gather(imported.file, within, depth);
  }

  function limit(file: PlainFile, depth: number): string | undefined {
    if (told.has(file.real)) return undefined;
    if (depth > maxDepth) return `imports go ${maxDepth} files deep`;
    return imports >= maxImports ? `there are more than ${maxImports} imports` : undefined;
  }

  return {
    add,
    take() {
      const taken = gathered;
      gathered = [];
      return taken;
    },
    know(path) {
      try {
        told.add(realpathSync.native(path));
      } catch {
        // It is gone: there is nothing to tell.
      }
    },
  };
}

/** Undefined when it is no import after all, only a word that begins with `@`. */
function readImport(path: string, written: string, within: readonly string[]): Found {
  const kind = kindOf(path);
  if (kind !== 'file') {
    if (!looksLikeFile(written)) return undefined;
    return { problem: kind === 'missing' ? 'there is no such file' : 'it is not a regular file' };
  }
  const found = readPlainFile(path, within);
  if (!found || 'problem' in found) return found;
  const document = isDocument(path) && isDocument(found.file.real);
  return document ? found : { problem: 'only documents are (.md, .txt, README, …)' };
}

function kindOf(path: string): 'file' | 'other' | 'missing' {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return 'missing';
    return stat.isFile() ? 'file' : 'other';
  } catch {
    // A name too long, a folder that may not be entered: nothing that can be read.
    return 'missing';
  }
}
