/** Settings for whoever looks at them or changes them: `tau config`, and a toggle in a session. */
import { existsSync } from 'node:fs';
import { createValidate } from '@tau/core';
import { checkFile } from './check.ts';
import {
  type EffectiveSetting,
  explainSetting,
  getSetting,
  listSettings,
  readValue,
  type SettingSay,
} from './explain.ts';
import { findHome } from './home.ts';
import { type FileLayer, layerFiles, readLayer, type SettingsPlace } from './layers.ts';
import type { Migrated } from './migrate.ts';
import { findKey, layerPath, saveSetting, type WritableLayer } from './save.ts';
import { loadSettings } from './settings.ts';
import { writeTemplate } from './template.ts';

interface LoadedConfig {
  warnings: readonly string[];
  /** Every setting that has a value, with what gave it. */
  list(): EffectiveSetting[];
  /** A setting, an entry of one, or a group; `undefined` when it is not set and has no default. */
  get(key: string): unknown;
  /** What each layer says, low to high, and why it does not count. */
  explain(key: string): Promise<SettingSay[]>;
}

export interface SettingFile {
  layer: FileLayer;
  path: string;
  exists: boolean;
}

export interface Config {
  /** The files of all layers, low to high, whether they are there or not. */
  files(): SettingFile[];
  path(layer: WritableLayer): string;
  /** An error when a permission setting cannot be read. */
  load(): Promise<LoadedConfig>;
  /** What is wrong with one file by itself. */
  check(layer: WritableLayer): Promise<string[]>;
  /** Writes that one setting and leaves every other byte alone. */
  save(layer: WritableLayer, key: string, value: unknown): Promise<{ path: string; changed: boolean }>;
  remove(layer: WritableLayer, key: string): Promise<{ path: string; changed: boolean }>;
  /** Renames what has another name now; with `dryRun` only says what it would do. */
  migrate(layer: WritableLayer, options?: { dryRun?: boolean }): Promise<Migrated>;
  /** What a person typed, as the value of that setting. */
  readValue(key: string, text: string): unknown;
  /** A commented file for the user, unless there is one. */
  writeTemplate(): { path: string; created: boolean };
}

export function openConfig(place: SettingsPlace & { cwd: string }): Config {
  const home = findHome(place.env);
  const where = { home, cwd: place.cwd };
  return {
    files: () =>
      layerFiles(home, place).map(({ layer, path }) => {
        const toml = layer === 'config' ? path : path.replace(/\.json$/, '.toml');
        const used = !existsSync(path) && existsSync(toml) ? toml : path;
        return { layer, path: used, exists: existsSync(used) };
      }),
    path: (layer) => layerPath(layer, where),
    async load() {
      const loaded = await loadSettings(home, place);
      return {
        warnings: loaded.warnings,
        list: () => listSettings(loaded),
        get: (key) => getSetting(loaded, key),
        explain: (key) => explainSetting(loaded, key),
      };
    },
    async check(layer) {
      const { file, warnings } = await readLayer({ layer, path: layerPath(layer, where) });
      return file ? [...warnings, ...(await checkFile(file, createValidate())).warnings] : warnings;
    },
    save: (layer, key, value) => saveSetting(layer, findKey(key), value, where),
    remove: (layer, key) => saveSetting(layer, findKey(key), undefined, where),
    migrate: async (layer, options) => (await import('./migrate.ts')).migrateLayer(layer, where, options),
    readValue: (key, text) => readValue(findKey(key), text),
    writeTemplate: () => writeTemplate(home),
  };
}
