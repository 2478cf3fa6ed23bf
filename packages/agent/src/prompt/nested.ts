/**
 * The instructions of folders below: told when something in them is touched, each once, beside the result of the call that
 * touched it. The system prompt never changes in a session, because a provider keeps what it has already read.
 */
import { statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { ToolResult } from '@tau/core';
import { type ContextFile, createCollector } from './collect.ts';
import { addFolder, maxTotalBytes } from './context-files.ts';
import { projectInstructions } from './wrap.ts';

export interface NestedContext {
  /** What is new to the model in the folders of these paths, the outermost first. */
  forPaths(paths: readonly string[]): ContextFile[];
}

export interface NestedOptions {
  cwd: string;
  /** The project's; nothing above or beside it counts. */
  root: string;
  userHome: string;
  /** The files in the system prompt. */
  already: readonly ContextFile[];
  warn(text: string): void;
}

export function createNestedContext({ cwd, root, userHome, already, warn }: NestedOptions): NestedContext {
  const warned = new Set<string>();
  const collector = createCollector({
    userHome,
    // A folder is looked at whenever it is touched: what is wrong with it is said once.
    warn(text) {
      if (warned.has(text)) return;
      warned.add(text);
      warn(text);
    },
  });
  for (const { path } of already) collector.know(path);
  let left = maxTotalBytes;

  return {
    forPaths(paths) {
      const folders = new Set<string>();
      for (const path of paths.map((written) => resolve(cwd, written))) {
        // Who reads or writes the file itself knows what is in it.
        if (/[/\\](AGENTS|CLAUDE)(\.local)?\.md$/.test(path)) collector.know(path);
        for (const folder of foldersTo(path, root)) folders.add(folder);
      }
      for (const folder of folders) addFolder(collector, folder, [root]);
      return collector.take().filter((file) => {
        const size = Buffer.byteLength(file.text);
        if (size <= left) {
          left -= size;
          return true;
        }
        warn(`${file.path} is left out: the instructions of folders below are over ${maxTotalBytes} bytes together`);
        return false;
      });
    },
  };
}

/** From the root down to the folder the path is in, or is. None for what is elsewhere. */
function foldersTo(path: string, root: string): string[] {
  const folder = isFolder(path) ? path : dirname(path);
  const way = relative(root, folder);
  if (way === '..' || way.startsWith(`..${sep}`) || resolve(root, way) !== folder) return [];
  const steps = way === '' ? [] : way.split(sep);
  // What others publish is no instruction for work here.
  if (steps.includes('node_modules') || steps.includes('.git')) return [];
  return [root, ...steps.map((_, at) => resolve(root, ...steps.slice(0, at + 1)))];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** A result with what was found beside the files it is about. */
export function withInstructions(result: ToolResult, files: readonly ContextFile[]): ToolResult {
  if (files.length === 0) return result;
  const text = `Instructions for this folder:\n${files.map(projectInstructions).join('\n')}`;
  return { ...result, content: [...result.content, { type: 'text', text: `\n\n${text}` }] };
}
