/** Writes one setting to its file and nothing else. What would be wrong afterwards is not written. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { createValidate, isRecord, nearest, type Outcome, TauError } from '@tau/core';
import { keepTrusted } from '../trust/trust.ts';
import { checkFile } from './check.ts';
import { editJson, editList } from './edit-json.ts';
import type { Home } from './home.ts';
import { locateJson, parseJson } from './jsonc.ts';
import { isSettingName, keys, settingNames } from './keys.ts';
import { type FileLayer, projectFolder } from './layers.ts';
import { groupNames, isMap, nameOf, normalise } from './names.ts';
import { replaceFile } from './replace-file.ts';
import { listProblems } from './sandbox-entries.ts';
import { readText } from './text.ts';
import type { SettingName } from './types.ts';

export type WritableLayer = Exclude<FileLayer, 'config'>;

export interface Place {
  home: Home;
  cwd: string;
}

/** A setting, or an entry of one that holds entries by name. */
export interface Key {
  name: SettingName;
  entry?: string;
}

export function findKey(written: string): Key {
  const { name, entry } = nameOf(written);
  if (isSettingName(name) && (entry === undefined || isMap(name))) {
    return { name, ...(entry !== undefined && { entry }) };
  }
  const group = groupNames().has(name) ? settingNames().filter((one) => one.startsWith(`${name}.`)) : [];
  const near = nearest(written, settingNames());
  const remedy = group.length > 0 ? `It holds ${group.join(', ')}` : near ? `Did you mean ${near}?` : undefined;
  throw new TauError('usage', `There is no setting "${written}"`, { remedy: remedy ?? 'tau config list shows them' });
}

export function layerPath(layer: WritableLayer, { home, cwd }: Place): string {
  if (layer === 'user') return home.settings;
  const folder = projectFolder(home, cwd);
  if (folder === undefined) {
    throw new TauError('usage', `There is no project here: ${dirname(home.settings)} holds the user's own settings`, {
      remedy: 'Run it in the folder of a project, or write to the user layer',
    });
  }
  return join(folder, layer === 'project' ? 'settings.json' : 'settings.local.json');
}

/** `undefined` takes it away. Says whether anything had to change. */
export async function saveSetting(
  layer: WritableLayer,
  { name, entry }: Key,
  value: unknown,
  place: Place,
): Promise<{ path: string; changed: boolean }> {
  await checkValue(name, entry, value);
  const keyPath = [...name.split('.'), ...(entry === undefined ? [] : [entry])];
  return changeFile(layer, keyPath, place, (text, written) => editJson(text, written, value));
}

/** The same for one rule of a list, so that what is written beside the others stays. */
export function saveRule(
  layer: WritableLayer,
  outcome: Outcome,
  rule: string,
  change: 'add' | 'remove',
  place: Place,
): Promise<{ path: string; changed: boolean }> {
  return changeFile(layer, ['permissions', outcome], place, (text, written) => editList(text, written, rule, change));
}

async function changeFile(
  layer: WritableLayer,
  keyPath: readonly string[],
  place: Place,
  edit: (text: string, written: readonly string[]) => Promise<string>,
): Promise<{ path: string; changed: boolean }> {
  const path = layerPath(layer, place);
  refuseToml(path);
  if (layer !== 'user') refuseLinkOutside(path);
  if (layer === 'local') refuseLinkOutside(join(dirname(path), '.gitignore'));
  const before = readText(path);
  const text = before ?? '';
  const content = text.trim() === '' ? {} : await parseJson(path, text);
  if (!isRecord(content)) throw new TauError('configuration', `${path}:1:1: the settings must be an object`);
  const after = await edit(text, normalise(content).written(keyPath));
  if (after === text) return { path, changed: false };
  await writeLayer(layer, { path, before: text, after }, place);
  return { path, changed: true };
}

/** The file of a layer, if it is still the one that was read and is none the worse for it. */
export async function writeLayer(
  layer: WritableLayer,
  { path, before, after }: { path: string; before: string; after: string },
  place: Place,
): Promise<void> {
  await checkResult(path, after);
  if ((readText(path) ?? '') !== before) {
    throw new TauError('file', `${path} was changed by somebody else meanwhile`, { remedy: 'Try again' });
  }
  const whole = hasMark(path) ? `\uFEFF${after}` : after;
  const keep = layer === 'user' ? undefined : keepTrusted(place.home, place.cwd, path);
  replaceFile(path, whole);
  await keep?.(whole);
  if (layer === 'local') ignoreLocal(dirname(path));
}

async function checkValue(name: SettingName, entry: string | undefined, value: unknown): Promise<void> {
  if (value === undefined) return;
  const { schema, about } = keys[name];
  const unfit = await createValidate()(schema, entry === undefined ? value : { [entry]: value });
  const [problem] = [...unfit, ...listProblems(name, value)];
  if (problem === undefined) return;
  const what = schema.anyOf ? `must be ${schema.description}` : problem.message;
  const written = [name, ...(entry === undefined ? problem.path : [entry])].join('.');
  throw new TauError('usage', `${written}: ${what}`, { remedy: `It is ${about}; nothing was written` });
}

/** A guard that cannot be read would stop the next run: such a file is not made, and one that is so is not written to. */
async function checkResult(path: string, text: string): Promise<void> {
  const file = { layer: 'user' as const, path, text, value: await parseJson(path, text) };
  await checkFile({ ...file, locate: (keyPath) => locateJson(text, keyPath) }, createValidate());
}

export function refuseToml(path: string): void {
  const toml = path.replace(/\.json$/, '.toml');
  if (!existsSync(toml)) return;
  throw new TauError('configuration', `The settings of this layer are in ${toml}, which tau only reads`, {
    remedy: 'Change it by hand, or move what it says to a settings.json',
  });
}

/** A repository can bring a link: what is written for the project stays in it. */
export function refuseLinkOutside(path: string): void {
  if (!existsSync(path) && !existsSync(dirname(path))) return;
  const root = dirname(dirname(path));
  const real = realpathSync.native(existsSync(path) ? path : dirname(path));
  if (real.startsWith(realpathSync.native(root) + sep)) return;
  throw new TauError('configuration', `${path} leads to ${real}, outside the project`, {
    remedy: 'Change that file itself, if it is yours',
  });
}

function hasMark(path: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').startsWith('\uFEFF');
}

/** What is one's own stays out of the repository. */
function ignoreLocal(folder: string): void {
  const path = join(folder, '.gitignore');
  const lines = readText(path) ?? '';
  if (/^\/?settings\.local\.(json|\*)\s*$/m.test(lines)) return;
  replaceFile(path, `${lines}${lines === '' || lines.endsWith('\n') ? '' : '\n'}settings.local.json\n`);
}
