/** The themes there are: built in, the user's and the project's. A file that is saved while its theme is shown shows at once. */
import { dirname, join } from 'node:path';
import { type Config, describeError } from '@tau/agent';
import { builtinThemes, loadThemes, problemText, type ThemeSource, type ThemeWatch, watchTheme } from '@tau/tui';

/** What shows them. */
interface ThemeStage {
  /** Says what is wrong with it. */
  setTheme(name: string, sources?: readonly ThemeSource[]): readonly string[];
}

export interface Themes {
  /** What was chosen last. */
  readonly current: string;
  names(): readonly string[];
  /** Reads the files again, and shows what was chosen as they say now. Resolves to what is wrong with them. */
  load(): Promise<readonly string[]>;
  /** Shows it; says what is wrong. */
  show(name: string): readonly string[];
  close(): void;
}

export interface ThemesOptions {
  stage: ThemeStage;
  config: Pick<Config, 'files'>;
  /** What is in force from the beginning. */
  name: string;
  onProblem(text: string): void;
}

/** They suit the terminal's background. */
const auto = ['auto', 'auto-daltonized', 'auto-high-contrast'];

/** The user's folder and the project's. */
function themeFolders(config: Pick<Config, 'files'>): string[] {
  const files = config.files().filter(({ layer }) => layer === 'user' || layer === 'project');
  return files.map(({ path }) => join(dirname(path), 'themes'));
}

export const isBuiltin = (name: string) => auto.includes(name) || builtinThemes.some((theme) => theme.name === name);

export function createThemes({ stage, config, name, onProblem }: ThemesOptions): Themes {
  let sources: readonly ThemeSource[] = builtinThemes;
  let current = name;
  let watched: { file: string; watch: ThemeWatch } | undefined;

  /** Only what is shown is watched, and only if it is a file. */
  function follow(): void {
    const file = sources.findLast((source) => source.name === current)?.file;
    if (file === watched?.file) return;
    watched?.watch.close();
    watched = undefined;
    if (file === undefined) return;
    // What the watch makes of the file alone is not used: it may extend others that changed, too.
    const watch = watchTheme(file, { depth: 'none', sources }, ({ theme, problems }) => {
      if (theme === undefined) for (const problem of problems) onProblem(problemText(problem));
      else
        void load().then(
          (all) => all.forEach(onProblem),
          (error: unknown) => onProblem(describeError(error)),
        );
    });
    watched = { file, watch };
  }

  async function load(): Promise<readonly string[]> {
    const read = await loadThemes(themeFolders(config));
    ({ sources } = read);
    return [...read.problems.map(problemText), ...show(current)];
  }

  function show(wanted: string): readonly string[] {
    current = wanted;
    const problems = stage.setTheme(wanted, sources);
    follow();
    return problems;
  }

  return {
    get current() {
      return current;
    },
    names: () => [...new Set([...auto, ...sources.map((source) => source.name)])],
    load,
    show,
    close: () => watched?.watch.close(),
  };
}
