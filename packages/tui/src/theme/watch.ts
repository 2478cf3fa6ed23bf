/** A theme file that is being worked on: every change gives a new theme, a broken one keeps the old and says why. */
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { builtinThemes } from './builtin.ts';
import { loadTheme, openTheme, type ThemeOptions } from './load.ts';
import type { ThemeProblem } from './source.ts';
import type { Theme } from './theme.ts';

/** Editors write a file in several steps. */
const settleMs = 100;

export interface ThemeWatch {
  /** Nothing is called any more. */
  close(): void;
}

/** What a change gave. A theme may come with problems: the parts that could not be understood. */
export interface ThemeChange {
  /** None if the file holds no theme now. The one in use stays. */
  theme: Theme | undefined;
  problems: ThemeProblem[];
}

/**
 * Watches the folder, for editors put a new file in the place of the old one. It keeps no program alive. A folder that
 * cannot be watched is told of once.
 */
export function watchTheme(file: string, options: ThemeOptions, onChange: (change: ThemeChange) => void): ThemeWatch {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let reading = Promise.resolve();
  const read = async () => {
    const change = await readTheme(file, options);
    if (!closed) onChange(change);
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // One after the other: the last state of the file is the last one told.
      reading = reading.then(read);
    }, settleMs);
    timer.unref();
  };
  const fail = (error: Error) => {
    if (closed) return;
    const message = `Changes of the theme are not noticed: ${error.message}. Load it again by hand.`;
    onChange({ theme: undefined, problems: [{ message, file }] });
  };
  const watcher = start(file, changed, fail);
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

function start(file: string, changed: () => void, fail: (error: Error) => void) {
  const name = basename(file);
  try {
    const watcher = watch(dirname(file), { persistent: false }, (_, which) => {
      if (which === null || which === name) changed();
    });
    watcher.on('error', fail);
    return watcher;
  } catch (error) {
    const known = error instanceof Error ? error : new Error(String(error));
    queueMicrotask(() => fail(known));
    return undefined;
  }
}

async function readTheme(file: string, options: ThemeOptions): Promise<ThemeChange> {
  const { source, problems } = await loadTheme(file);
  if (!source) return { theme: undefined, problems };
  const others = (options.sources ?? builtinThemes).filter((other) => other.file !== file);
  const opened = openTheme(source.name, { ...options, sources: [...others, source] });
  return { theme: opened.theme, problems: [...problems, ...opened.problems] };
}
