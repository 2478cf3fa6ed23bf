/** The files that steer tau: settings, models, rules. What is wrong is told as the loader tells it, with line and column. */
import { existsSync } from 'node:fs';
import { createValidate } from '@tau/core';
import { checkFile } from '../config/check.ts';
import type { Home } from '../config/home.ts';
import { layerFiles, readLayer } from '../config/layers.ts';
import { loadSettings } from '../config/settings.ts';
import type { Settings } from '../config/types.ts';
import { openPermissionView } from '../explain-permission.ts';
import { type Check, check, type DoctorPlace, failed } from './check.ts';
import { hookChecks } from './hooks.ts';

/** A little more than the loader tells of one file. */
const mostOfOne = 25;

export interface SettingsLook {
  checks: Check[];
  /** As much of them as can be had. */
  settings: Settings;
  /** A run would not begin with them. */
  unusable: boolean;
}

const titles = {
  user: 'User settings',
  project: 'Project settings',
  local: 'Local settings',
  config: 'Settings',
} as const;

export async function lookAtSettings(home: Home, { env, cwd }: DoctorPlace): Promise<SettingsLook> {
  const checks: Check[] = [];
  const told = new Set<string>();
  for (const file of layerFiles(home, { env, cwd })) {
    const { layer, path } = file;
    const [id, title] = [`settings.${layer}`, titles[layer]];
    try {
      const read = await readLayer(file);
      const checked = read.file ? (await checkFile(read.file, createValidate())).warnings : [];
      const wrong = [...read.warnings, ...checked];
      for (const text of wrong) told.add(text);
      checks.push(...warnings(id, title, wrong, 'Mend that line'));
      if (wrong.length === 0 && read.file) checks.push(check(id, title, 'ok', read.file.path));
      else if (layer === 'user' && !read.file && !existsSync(path)) {
        checks.push(check(id, title, 'ok', `none yet; tau init makes ${path}`));
      }
    } catch (error) {
      checks.push(failed(id, title, error));
    }
  }
  const unusable = checks.some(({ status }) => status === 'problem');
  try {
    const loaded = await loadSettings(home, { env, cwd });
    const rest = loaded.warnings.filter((text) => !told.has(text));
    checks.push(...warnings('settings', 'Settings', rest, 'tau config explain KEY says what each layer holds'));
    checks.push(...(await hookChecks(home, cwd, loaded.layers)));
    return { checks, settings: loaded.settings, unusable };
  } catch (error) {
    if (!unusable) checks.push(failed('settings', 'Settings', error));
    return { checks, settings: await loadUserSettings(home, env), unusable: true };
  }
}

/** What comes after needs some: the user's alone, or none. The reason was told. */
async function loadUserSettings(home: Home, env: NodeJS.ProcessEnv): Promise<Settings> {
  try {
    return (await loadSettings(home, { env })).settings;
  } catch {
    return {};
  }
}

export function warnings(id: string, title: string, texts: readonly string[], remedy: string): Check[] {
  const checks = texts.slice(0, mostOfOne).map((text) => check(id, title, 'warning', text, remedy));
  const more = texts.length - mostOfOne;
  return more > 0 ? [...checks, check(id, title, 'warning', `and ${more} more`, 'Mend these first')] : checks;
}

export async function rulesChecks({ env, cwd }: DoctorPlace, { unusable }: SettingsLook): Promise<Check[]> {
  const [id, title] = ['rules', 'Permission rules'];
  if (unusable || cwd === undefined) {
    const why = cwd === undefined ? 'there is no folder to look at them for' : 'the settings must be mended first';
    return [check(id, title, 'note', `not looked at: ${why}`, 'Then run tau doctor again')];
  }
  try {
    const { mode, modeFrom, rules, problems } = await openPermissionView({ env, cwd });
    const wrong = warnings(id, title, problems, 'tau permissions lists the rules and where they come from');
    if (wrong.length > 0) return wrong;
    const counting = rules.filter(({ not }) => not === undefined).length;
    return [check(id, title, 'ok', `${counting} that count; the mode is ${mode} (${modeFrom})`)];
  } catch (error) {
    return [failed(id, title, error)];
  }
}
