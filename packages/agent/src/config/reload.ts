/**
 * Settings that change while an agent lives. Before a prompt the files are looked at, and read again when one of them is not
 * the one it was. What cannot be used leaves everything as it was: a slip in a file must not take a guard away.
 */
import { statSync } from 'node:fs';
import { describeError } from '@tau/core';
import { contentPaths } from '../trust/content.ts';
import { trustNotice } from '../trust/notice.ts';
import { trustRoot } from '../trust/trust.ts';
import type { Home } from './home.ts';
import { settingNames } from './keys.ts';
import { layerFiles, type SettingsPlace } from './layers.ts';
import { mergeValues, toSettings, type Values } from './merge.ts';
import { type Layer, type LoadedSettings, loadSettings, type Settings } from './settings.ts';
import type { SettingName } from './types.ts';

/** What counts from the next prompt on. The rest is part of what the agent was made of, or of what the model was told. */
const live: ReadonlySet<SettingName> = new Set([
  ...(['permissionMode', 'permissions.allow', 'permissions.ask', 'permissions.deny'] as const),
  ...(['shellConfirm', 'auditLog'] as const),
  ...(['sandbox.hosts', 'sandbox.registries', 'sandbox.writable', 'sandbox.unreadable'] as const),
  ...(['hooks', 'disableAllHooks', 'claudeHooks', 'claudeRules', 'fileAccessLog'] as const),
  ...(['maxTurns', 'maxTotalTokens', 'maxBudgetUsd', 'temperature', 'topP', 'maxTokens'] as const),
  ...(['limits.parallelTools', 'limits.resultChars', 'limits.repeatedCalls', 'limits.recoveries'] as const),
]);

interface Notice {
  level: 'info' | 'warning';
  text: string;
}

interface Used {
  warnings: readonly string[];
  /** What was chosen for this session by other means, and stays. */
  chosen: readonly SettingName[];
}

/** Takes the new settings: the old ones, but for what can change. If it throws, they do not count. */
type Use = (settings: Settings, changed: ReadonlySet<SettingName>, layers: readonly Layer[]) => Used | Promise<Used>;

export interface SettingsWatch {
  load(): Promise<LoadedSettings>;
  /** Whether something of the project does not count because it is not trusted. */
  refusing(): boolean;
  /** What the user should know about it; undefined, and at once, while no file changed. */
  reload(use: Use): Promise<Notice[]> | undefined;
}

export function watchSettings(home: Home, place: SettingsPlace): SettingsWatch {
  let prints = fingerprints(home, place);
  let counting: Values = new Map();
  /** What other sessions will have, so that it is said once. */
  let ahead: Values = new Map();
  const told = new Set<string>();
  let refusing = false;

  /** What is refused because the project is not trusted is told in one line, with how that is changed: `tau trust` shows the places. */
  async function read(): Promise<LoadedSettings> {
    const loaded = await loadSettings(home, place);
    const notice = trustNotice(loaded);
    refusing = notice !== undefined;
    if (notice === undefined) return loaded;
    return { ...loaded, warnings: [...loaded.warnings.filter((text) => !loaded.refusals.includes(text)), notice] };
  }

  async function load(): Promise<LoadedSettings> {
    const loaded = await read();
    counting = mergeValues(loaded.layers.map(({ values }) => values));
    ahead = counting;
    for (const warning of loaded.warnings) told.add(warning);
    return loaded;
  }

  async function reload(files: readonly string[], use: Use): Promise<Notice[]> {
    const where = files.join(', ');
    try {
      const loaded = await read();
      if (loaded.broken !== undefined) return [kept(where, loaded.broken)];
      const found = mergeValues(loaded.layers.map(({ values }) => values));
      const next = new Map(counting);
      for (const name of live) {
        if (found.has(name)) next.set(name, found.get(name));
        // A limit does not go away because of a slip.
        else if (!loaded.ignored.includes(name)) next.delete(name);
      }
      const changed = differing(counting, next);
      const { warnings, chosen } = await use(toSettings(next), changed, loaded.layers);
      const later = [...differing(ahead, found)].filter((name) => !live.has(name));
      counting = next;
      ahead = found;
      const now = [...changed].filter((name) => !chosen.includes(name));
      const news = newsOf(where, { now, later, chosen: chosen.filter((name) => changed.has(name)) });
      return [...fresh([...loaded.warnings, ...warnings]), ...news];
    } catch (error) {
      return [kept(where, describeError(error))];
    }
  }

  function fresh(warnings: readonly string[]): Notice[] {
    const unsaid = warnings.filter((text) => !told.has(text));
    for (const text of unsaid) told.add(text);
    return unsaid.map((text) => ({ level: 'warning', text }));
  }

  return {
    load,
    refusing: () => refusing,
    reload(use) {
      const before = prints;
      try {
        // Taken before the files are read: what changes meanwhile is seen the next time.
        prints = fingerprints(home, place);
      } catch (error) {
        return Promise.resolve([kept('The folder of the settings', describeError(error))]);
      }
      const files = [...prints.keys(), ...before.keys()].filter((path) => prints.get(path) !== before.get(path));
      return files.length === 0 ? undefined : reload([...new Set(files)], use);
    },
  };
}

function kept(where: string, why: string): Notice {
  return { level: 'warning', text: `${where} changed, but the settings from before stay: ${why}` };
}

function newsOf(
  where: string,
  { now, later, chosen }: Record<'now' | 'later' | 'chosen', readonly SettingName[]>,
): Notice[] {
  const say = (names: readonly SettingName[], one: string, several: string) =>
    names.length === 0 ? [] : [`${names.join(', ')} ${names.length === 1 ? one : several}`];
  const parts = [
    ...say(now, 'counts from now on', 'count from now on'),
    ...say(later, 'takes effect in the next session', 'take effect in the next session'),
    ...say(chosen, 'stays as chosen for this session', 'stay as chosen for this session'),
  ];
  return parts.length === 0 ? [] : [{ level: 'info', text: `${where} changed: ${parts.join('; ')}` }];
}

function differing(before: Values, after: Values): Set<SettingName> {
  const text = (values: Values, name: SettingName) => JSON.stringify(values.get(name));
  return new Set(settingNames().filter((name) => text(before, name) !== text(after, name)));
}

/** Of each file that is there, and of the TOML that may stand in its place. */
function fingerprints(home: Home, place: SettingsPlace): Map<string, string> {
  const prints = new Map<string, string>();
  for (const { layer, path } of layerFiles(home, place)) {
    for (const one of layer === 'config' ? [path] : [path, path.replace(/\.json$/, '.toml')]) {
      const print = fingerprint(one);
      if (print !== undefined) prints.set(one, print);
    }
  }
  const root = place.cwd === undefined ? undefined : trustRoot(home, place.cwd);
  if (root === undefined) return prints;
  for (const one of [home.trust, ...contentPaths(root)]) {
    const print = prints.has(one) ? undefined : fingerprint(one);
    if (print !== undefined) prints.set(one, print);
  }
  return prints;
}

/** Another one, another file. Undefined when there is none. */
export function fingerprint(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found && `${found.mtimeNs} ${found.ctimeNs} ${found.size} ${found.ino}`;
  } catch {
    // Something is there that cannot be looked at: reading it says why.
    return 'unknown';
  }
}
