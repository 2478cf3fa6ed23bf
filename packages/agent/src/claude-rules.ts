/**
 * The permission rules in Claude Code's settings. Those that ask or deny count unless the user says no: they take nothing
 * from anybody. Those that allow count only where the user wants them, and of a project only when exactly they are trusted.
 * Mostly there are none, and then nothing but this is loaded.
 */
import { join, relative } from 'node:path';
import type { Outcome } from '@tau/core';
import type { ClaudeFile, FileRules } from './claude-rules/read.ts';
import type { Home } from './config/home.ts';
import { fingerprint } from './config/reload.ts';
import type { Layer } from './config/settings.ts';
import type { RulesFrom } from './permission.ts';

export interface ClaudePlace {
  home: Home;
  cwd: string;
  /** Of the project, links followed. Without it there is none. */
  root: string | undefined;
  /** Whether the rules in a file of the project, by its path within it and what was read there, are trusted. */
  covers(path: string, hash: string | undefined): boolean;
}

export interface ClaudeRule {
  outcome: Outcome;
  rule: string;
  place: string;
  /** Why it does not count; nothing when it does. */
  not?: string;
}

export interface ClaudeRules {
  /** As these layers want it, from now on. What is wrong with the files. */
  use(layers: readonly Layer[]): Promise<readonly string[]>;
  /** The same again where a file is another now; undefined, and at once, where none is. */
  reload(): Promise<readonly string[]> | undefined;
  sets(): readonly RulesFrom[];
  /** Every rule, also those that do not count. */
  list(): Promise<ClaudeRule[]>;
  /** Whether one that allows does not count because the project is not trusted. */
  refusing(): boolean;
}

export function openClaudeRules(place: ClaudePlace): ClaudeRules {
  const files = claudeRuleFiles(place);
  let wish: boolean | undefined;
  let begun = false;
  let prints = '';
  let found: readonly FileRules[] = [];
  let covered: ReadonlySet<string> = new Set();

  const printed = () => files.map(({ path }) => fingerprint(path));
  // Asking costs a look at all that trust is about.
  const coveredNow = () =>
    new Set(wish === true ? found.flatMap((one) => (isCovered(one, place) ? [one.file.path] : [])) : []);

  async function read(): Promise<readonly string[]> {
    // Taken before the files are read: what changes meanwhile is seen the next time.
    const now = wish === false ? [] : printed();
    prints = now.join('\n');
    const there = wish === false ? [] : files.filter((_, at) => now[at] !== undefined);
    let warnings: readonly string[] = [];
    if (there.length === 0) found = [];
    else {
      const { readClaudeRules } = await import('./claude-rules/read.ts');
      ({ found, warnings } = await readClaudeRules(there, found));
    }
    covered = coveredNow();
    const untrusted = refused().map(
      ({ file }) =>
        `${file.name}: what it allows does not count until you trust it. tau trust shows it, tau trust yes enables it`,
    );
    return [...warnings, ...untrusted];
  }

  const whyNot = ({ path, isOwn }: ClaudeFile): string | undefined => {
    if (wish !== true) return 'claudeRules is not on in your settings';
    return isOwn || covered.has(path) ? undefined : 'it is not taken from a project that is not trusted';
  };

  /** Whose rules that allow are wanted, and could be trusted. */
  const refused = () =>
    found.filter(
      ({ file, rules }) =>
        wish === true && rules.allow.length > 0 && file.within !== undefined && whyNot(file) !== undefined,
    );

  function reload(): Promise<readonly string[]> | undefined {
    if (wish === false) return undefined;
    const same = printed().join('\n') === prints;
    if (same && [...coveredNow()].join('\n') === [...covered].join('\n')) return undefined;
    return read();
  }

  return {
    async use(layers) {
      const before = wish;
      wish = wishIn(layers);
      if (begun && wish === before) return (await reload()) ?? [];
      begun = true;
      return read();
    },
    reload,
    sets: () =>
      found.flatMap(({ file, rules: { allow, ask, deny } }): RulesFrom[] => {
        const from = { origin: 'claude', dialect: 'claude', file: file.name } as const;
        const last = file.bases.at(-1);
        return [
          ...file.bases.map((base) => ({ ...from, base, ask, deny })),
          ...(whyNot(file) === undefined && last !== undefined ? [{ ...from, base: last, allow }] : []),
        ];
      }),
    async list() {
      const listed: ClaudeRule[] = [];
      for (const { file, rules, locate } of found) {
        for (const outcome of ['deny', 'ask', 'allow'] as const) {
          const not = outcome === 'allow' ? whyNot(file) : undefined;
          const at = rules[outcome].length > 0 ? await locate(outcome) : '';
          listed.push(
            ...rules[outcome].map((rule) => ({ outcome, rule, place: at, ...(not !== undefined && { not }) })),
          );
        }
      }
      return listed;
    },
    refusing: () => refused().length > 0,
  };
}

/** A project has no say about what the user wants of it. */
export function wishIn(layers: readonly Layer[]): boolean | undefined {
  const own = layers.filter(
    ({ layer, values }) => layer !== 'project' && layer !== 'local' && values.has('claudeRules'),
  );
  const said = own.at(-1)?.values.get('claudeRules');
  return typeof said === 'boolean' ? said : undefined;
}

function isCovered({ file: { within }, rules, hash }: FileRules, { covers }: ClaudePlace): boolean {
  return within !== undefined && rules.allow.length > 0 && covers(within, hash());
}

/** The user's, and those of the project and of the folder in it where tau was started: Claude Code looks in either. */
function claudeRuleFiles({ home, root, cwd }: ClaudePlace): ClaudeFile[] {
  const own = join(home.user, '.claude');
  const user: ClaudeFile = {
    ...{ path: join(own, 'settings.json'), name: '~/.claude/settings.json', bases: [own], isOwn: true },
  };
  if (root === undefined) return [user];
  const folders = [...new Set([root, cwd])].filter((folder) => folder !== home.user);
  return [
    user,
    ...folders.flatMap((folder) =>
      ['settings.json', 'settings.local.json'].map((base): ClaudeFile => {
        const path = join(folder, '.claude', base);
        const within = relative(root, path);
        return {
          ...{ path, name: within },
          // The local one is anchored where the session began, wherever it is kept.
          bases: base === 'settings.local.json' ? [...new Set([folder, cwd])] : [folder],
          ...(folder === root && { within }),
        };
      }),
    ),
  ];
}
