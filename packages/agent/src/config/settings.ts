/** Settings from all their layers: defaults, user, project, local, `--config`, environment. Flags go before them all. */
import { basename } from 'node:path';
import { createValidate, isRecord } from '@tau/core';
import type { ProjectTrust } from '../trust/project-trust.ts';
import { readTrust } from '../trust/trust.ts';
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
  /** Those of the warnings that are about what a project may not say. */
  refusals: string[];
  /** Low to high; those that say nothing are not there. */
  layers: Layer[];
  /** What some layer says in a way that does not count. */
  ignored: SettingName[];
  /** Why nothing in some file counts, although it is there. */
  broken?: string;
  /** Of the project, when something it says counts only with it. */
  trust?: ProjectTrust;
}

export async function loadSettings(home: Home, place: SettingsPlace): Promise<LoadedSettings> {
  const validate = createValidate();
  const layers: Layer[] = [];
  const warnings: string[] = [];
  const refusals: string[] = [];
  const ignored: SettingName[] = [];
  let broken: string | undefined;
  let trust: ProjectTrust | undefined;
  /** Mostly nobody needs to know, and then nothing is looked at. */
  const known = () => {
    trust ??= place.trust?.() ?? readTrust(home, place.cwd ?? '');
    return trust;
  };
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
      const below = mergeValues(layers.map((lower) => lower.values));
      const { path } = read.file;
      const bounded = boundProject(values, below, () => known().covers(`.tau/${basename(path)}`));
      const told = refusals.length;
      for (const [name, { why }] of bounded.refused) {
        // Whoever said no has heard of them, and hears of all of them in one line.
        if (!isRefused(known())) refusals.push(`${await locate(name)}: ${name}: ${why}`);
      }
      warnings.push(...refusals.slice(told));
      for (const name of bounded.reserved) warnings.push(`${await locate('env')}: env.${name}: ${reservedWhy}`);
      layers.push({ layer, values: bounded.values, refused: bounded.refused, locate });
    }
  }
  const { values, warnings: badVariables } = await readEnvironment(place.env, validate);
  warnings.push(...badVariables);
  if (values.size > 0) {
    layers.push({ layer: 'environment', values, refused: new Map(), locate: async (name) => variableOf(name) });
  }
  const settings = toSettings(mergeValues(layers.map((layer) => layer.values)));
  return {
    ...{ settings, warnings, refusals, layers, ignored },
    ...(broken !== undefined && { broken }),
    ...(trust && { trust }),
  };
}

/** The user's no to exactly what is there. */
function isRefused({ decision, changed }: ProjectTrust): boolean {
  return decision === 'no' && changed.length === 0;
}

/** `isCovered` is asked only where it matters. */
function boundProject(
  given: Values,
  below: Values,
  isCovered: () => boolean,
): Pick<Layer, 'values' | 'refused'> & { reserved: string[] } {
  const values = new Map<SettingName, unknown>();
  const refused = new Map<SettingName, { value: unknown; why: string }>();
  const reserved: string[] = [];
  for (const [name, value] of given) {
    const why = projectRefusal(name, value, below.get(name));
    if (why !== undefined && !isCovered()) refused.set(name, { value, why });
    else if (name === 'env' && isRecord(value)) {
      const entries = Object.entries(value);
      reserved.push(...entries.map(([variable]) => variable).filter(isReserved));
      values.set(name, Object.fromEntries(entries.filter(([variable]) => !isReserved(variable))));
    } else values.set(name, value);
  }
  return { values, refused, reserved };
}

/** A tau that a command starts would take them for its user's word. */
function isReserved(variable: string): boolean {
  return /^TAU_/i.test(variable);
}

const reservedWhy = 'variables of tau itself are never taken from a project';
