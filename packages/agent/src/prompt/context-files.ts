/**
 * The instructions that come with a place: the user's own AGENTS.md and rules, then those of each folder from the
 * repository's root down to the working folder. CLAUDE.md counts where no AGENTS.md stands beside it. What a repository
 * brings must be a plain file inside it.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '@tau/core';
import { type Collector, type ContextFile, createCollector } from './collect.ts';
import { isInside } from './plain-file.ts';
import type { Project } from './project.ts';

export const maxTotalBytes = 128 * 1024;
const maxRules = 100;

interface UserHome {
  user: string;
  tau: string;
}

export function findContextFiles(project: Project, home: UserHome): { files: ContextFile[]; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (text: string) => warnings.push(text);
  const collector = createCollector({ userHome: home.user, warn });
  addTauFolder(collector, home.tau, [home.tau, home.user], warn);
  const own = collector.take();
  // Without a repository each folder speaks for itself alone: one that was unpacked beside others must not show them.
  const together = project.folders[0] === project.root;
  for (const folder of project.folders) {
    const within = [together ? project.root : folder];
    addFolder(collector, folder, within);
    if (folder === project.root && project.tau !== undefined) addTauFolder(collector, project.tau, within, warn);
  }
  return { files: boundTotal(own, collector.take(), warn), warnings };
}

/** A folder's instructions, and those its user keeps out of the repository. */
export function addFolder(collector: Collector, folder: string, within: readonly string[]): void {
  for (const suffix of ['.md', '.local.md']) {
    if (!collector.add(join(folder, `AGENTS${suffix}`), within)) collector.add(join(folder, `CLAUDE${suffix}`), within);
  }
}

function addTauFolder(
  collector: Collector,
  tau: string,
  within: readonly string[],
  warn: (text: string) => void,
): void {
  collector.add(join(tau, 'AGENTS.md'), within);
  for (const path of rulesIn(join(tau, 'rules'), within, warn)) collector.add(path, within);
}

function rulesIn(folder: string, within: readonly string[], warn: (text: string) => void): string[] {
  try {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
    const real = realpathSync.native(folder);
    if (!within.some((outer) => isInside(real, outer))) {
      warn(`${folder} is left out: it is a link to ${real}, outside ${within.join(' and ')}`);
      return [];
    }
    const names = readdirSync(folder)
      .filter((name) => /^[^.].*\.md$/.test(name))
      .sort();
    if (names.length > maxRules) warn(`${folder} has ${names.length} rules: the first ${maxRules} count`);
    return names.slice(0, maxRules).map((name) => join(folder, name));
  } catch (error) {
    warn(`${folder} is left out: ${describeError(error)}`);
    return [];
  }
}

/** The user's own come first in the sharing out, then the nearest; the order in the prompt stays. */
function boundTotal(
  own: readonly ContextFile[],
  projects: readonly ContextFile[],
  warn: (text: string) => void,
): ContextFile[] {
  let left = maxTotalBytes;
  const kept = new Map<ContextFile, ContextFile>();
  for (const file of [...own, ...projects.toReversed()]) {
    const size = Buffer.byteLength(file.text);
    if (size <= left) {
      left -= size;
      kept.set(file, file);
      continue;
    }
    warn(`${file.path} is left out: the instructions are over ${maxTotalBytes} bytes together`);
    kept.set(file, { path: file.path, text: `[left out for its length: ${size} bytes; read it when it matters]` });
  }
  return [...own, ...projects].map((file) => kept.get(file) ?? file);
}
