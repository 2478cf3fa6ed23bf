/** Settings from all their layers: defaults, user, project, local, `--config`, environment. Flags go before them all. */
import { createValidate } from '@tau/core';
import { checkFile } from './check.ts';
import { readEnvironment, variableOf } from './environment.ts';
import type { Home } from './home.ts';
import { type FileLayer, layerFiles, readLayer, type SettingsPlace } from './layers.ts';
import { mergeValues, toSettings, type Values } from './merge.ts';
import { projectRefusal } from './project-policy.ts';
import type { SettingName, Settings } from './types.ts';

export type { Settings } from './types.ts';

/** What one source says, for whoever wants to know where a value came from. */
export interface Layer {
  layer: FileLayer | 'environment';
  /** Only what counts. */
  values: Values;
  /** What it says and why that does not count. */
  refused: ReadonlyMap<SettingName, { value: unknown; why: string }>;
  /** `path:line:column`, or the variable. */
  locate(name: SettingName): Promise<string>;
}

export interface LoadedSettings {
  settings: Settings;
  warnings: string[];
  /** Low to high; those that say nothing are not there. */
  layers: Layer[];
  /** What some layer says in a way that does not count. */
  ignored: SettingName[];
  /** Why nothing in some file counts, although it is there. */
  broken?: string;
}

export async function loadSettings(home: Home, place: SettingsPlace): Promise<LoadedSettings> {
  const validate = createValidate();
  const layers: Layer[] = [];
  const warnings: string[] = [];
  const ignored: SettingName[] = [];
  let broken: string | undefined;
  for (const one of layerFiles(home, place)) {
    const read = await readLayer(one);
    warnings.push(...read.warnings);
    broken ??= read.broken;
    if (read.file === undefined) continue;
    const { values, locate, ...checked } = await checkFile(read.file, validate);
    warnings.push(...checked.warnings);
    ignored.push(...checked.ignored);
    broken ??= checked.broken;
    const { layer } = one;
    if (layer === 'user' || layer === 'config') layers.push({ layer, values, refused: new Map(), locate });
    else {
      const bounded = boundProject(values, mergeValues(layers.map((below) => below.values)));
      for (const [name, { why }] of bounded.refused) warnings.push(`${await locate(name)}: ${name}: ${why}`);
      layers.push({ layer, ...bounded, locate });
    }
  }
  const { values, warnings: badVariables } = await readEnvironment(place.env, validate);
  warnings.push(...badVariables);
  if (values.size > 0) {
    layers.push({ layer: 'environment', values, refused: new Map(), locate: async (name) => variableOf(name) });
  }
  const settings = toSettings(mergeValues(layers.map((layer) => layer.values)));
  return { settings, warnings, layers, ignored, ...(broken !== undefined && { broken }) };
}

function boundProject(given: Values, below: Values): Pick<Layer, 'values' | 'refused'> {
  const values = new Map<SettingName, unknown>();
  const refused = new Map<SettingName, { value: unknown; why: string }>();
  for (const [name, value] of given) {
    const why = projectRefusal(name, value, below.get(name));
    if (why === undefined) values.set(name, value);
    else refused.set(name, { value, why });
  }
  return { values, refused };
}
