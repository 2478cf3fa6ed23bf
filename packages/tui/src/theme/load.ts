/** Themes by name: the built-in ones, and those in the folders where people keep theirs. */
import { promises } from 'node:fs';
import { join } from 'node:path';
import { nearestName } from '../keys/nearest.ts';
import { type TerminalGround, themeNameFor } from './auto.ts';
import { builtinThemes } from './builtin.ts';
import type { ColourDepth } from './colours.ts';
import { parseTheme } from './file.ts';
import { createTheme } from './paint.ts';
import { type FindTheme, resolveTheme } from './resolve.ts';
import type { ThemeProblem, ThemeSource } from './source.ts';
import type { Theme } from './theme.ts';

const maxFiles = 200;

export interface ThemeOptions {
  depth: ColourDepth;
  /** What is known of the terminal's background, for `auto`. */
  ground?: TerminalGround;
  /** All themes there are; of two with one name the last counts. The built-in ones if left out. */
  sources?: readonly ThemeSource[];
}

/** The theme of that name. If there is none, the built-in one that suits the terminal, and a problem that says so. */
export function openTheme(wanted: string, options: ThemeOptions): { theme: Theme; problems: ThemeProblem[] } {
  const sources = options.sources ?? builtinThemes;
  const ground = options.ground ?? {};
  const find: FindTheme = (name, extendedBy) => findTheme(sources, name, extendedBy);
  const found = find(themeNameFor(wanted, ground));
  const source = found ?? findTheme(builtinThemes, themeNameFor('auto', ground));
  const problems: ThemeProblem[] = found ? [] : [{ message: missing(wanted, sources) }];
  const resolved = resolveTheme(source ?? { name: wanted }, find);
  return { theme: createTheme(resolved.theme, options.depth), problems: [...problems, ...resolved.problems] };
}

/** The built-in themes and those of the folders, in their order. A folder that is not there has none. */
export async function loadThemes(
  folders: readonly string[],
): Promise<{ sources: ThemeSource[]; problems: ThemeProblem[] }> {
  const sources = [...builtinThemes];
  const problems: ThemeProblem[] = [];
  for (const folder of folders) {
    const names = await themeFiles(folder, problems);
    for (const name of names) {
      const read = await loadTheme(join(folder, name));
      problems.push(...read.problems);
      if (read.source) sources.push(read.source);
    }
  }
  return { sources, problems };
}

/** One file. That it cannot be read is a problem like any other. */
export async function loadTheme(file: string): Promise<{ source: ThemeSource | undefined; problems: ThemeProblem[] }> {
  try {
    return await parseTheme(await promises.readFile(file, 'utf8'), file);
  } catch (error) {
    return { source: undefined, problems: [{ message: `The theme cannot be read: ${reason(error)}.`, file }] };
  }
}

function findTheme(sources: readonly ThemeSource[], name: string, extendedBy?: ThemeSource): ThemeSource | undefined {
  return sources.findLast((source) => source.name === name && source !== extendedBy);
}

async function themeFiles(folder: string, problems: ThemeProblem[]): Promise<string[]> {
  try {
    const names = (await promises.readdir(folder)).filter((name) => /\.jsonc?$/.test(name)).sort();
    if (names.length > maxFiles) {
      const message = `There are ${names.length} themes in this folder; only the first ${maxFiles} are read.`;
      problems.push({ message, file: folder });
    }
    return names.slice(0, maxFiles);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) problems.push({ message: `The themes cannot be listed: ${reason(error)}.`, file: folder });
    return [];
  }
}

function missing(wanted: string, sources: readonly ThemeSource[]): string {
  const names = [...new Set(['auto', ...sources.map(({ name }) => name)])];
  const near = nearestName(wanted, names);
  const hint = near === undefined ? `There are: ${names.slice(0, 20).join(', ')}.` : `Did you mean "${near}"?`;
  return `There is no theme "${wanted}". ${hint}`;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
