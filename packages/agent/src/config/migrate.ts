/** Writes the settings of one layer under the names they have now. Only names change: comments, order and values stay. */
import { basename } from 'node:path';
import { createValidate, isRecord, TauError } from '@tau/core';
import type { Node } from 'jsonc-parser';
import { checkFile } from './check.ts';
import { editJson } from './edit-json.ts';
import { locateJson, parseJson } from './jsonc.ts';
import { normalise } from './names.ts';
import { replaceFile } from './replace-file.ts';
import { layerPath, type Place, refuseLinkOutside, refuseToml, type WritableLayer, writeLayer } from './save.ts';
import { readText } from './text.ts';

export interface Migrated {
  path: string;
  /** As the file spelled them, and as they are spelled now. */
  renamed: { from: string; to: string }[];
  /** Old names beside the new one, which counts. */
  removed: string[];
  /** The file as it was. Absent when nothing was written. */
  backup?: string;
}

export async function migrateLayer(
  layer: WritableLayer,
  place: Place,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Migrated> {
  const path = layerPath(layer, place);
  refuseToml(path);
  const backup = `${path}.bak`;
  if (layer !== 'user') for (const one of [path, backup]) refuseLinkOutside(one);
  const text = readText(path) ?? '';
  const nothing = { path, renamed: [], removed: [] };
  if (text.trim() === '') return nothing;
  const content = await parseJson(path, text);
  if (!isRecord(content)) throw new TauError('configuration', `${path}:1:1: the settings must be an object`);
  // A guard that cannot be read, or is there twice, is nothing to guess about: this throws.
  await checkFile({ layer, path, text, value: content, locate: (keys) => locateJson(text, keys) }, createValidate());
  const { renamed, removed, after } = await rewritten(text, content);
  if (after === text) return nothing;
  const result = { path, renamed, removed };
  await refuseChange(path, content, after);
  if (dryRun) return result;
  replaceFile(backup, text, { mode: 0o600 });
  await writeLayer(layer, { path, before: text, after }, place);
  return { ...result, backup: basename(backup) };
}

async function rewritten(text: string, content: Record<string, unknown>) {
  const { old, repeated } = normalise(content);
  let after = text;
  const removed: string[] = [];
  for (const written of repeated) {
    after = await editJson(after, written, undefined);
    removed.push(written.join('.'));
  }
  const renamed: Migrated['renamed'] = [];
  // What is inside a group first: then the group is still found by the name it has.
  for (const { written, now } of old.toSorted((a, b) => b.written.length - a.written.length)) {
    after = await renameKey(after, written, now.slice(now.lastIndexOf('.') + 1));
    renamed.push({ from: written.join('.'), to: now });
  }
  return { renamed: renamed.reverse(), removed, after };
}

async function renameKey(text: string, path: readonly string[], name: string): Promise<string> {
  const { parseTree } = await import('jsonc-parser');
  // A key may be there twice in a file: both are renamed, and the last one still counts.
  return keysAt(parseTree(text, [], { allowTrailingComma: true }), path)
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (longer, { offset, length }) => longer.slice(0, offset) + JSON.stringify(name) + longer.slice(offset + length),
      text,
    );
}

function keysAt(node: Node | undefined, [first, ...rest]: readonly string[]): Node[] {
  return (node?.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    if (key === undefined || key.value !== first) return [];
    return rest.length === 0 ? [key] : keysAt(value, rest);
  });
}

/** The new file must say what the old one said, word for word. */
async function refuseChange(path: string, before: Record<string, unknown>, after: string): Promise<void> {
  const content = await parseJson(path, after);
  const says = (value: unknown) => JSON.stringify(isRecord(value) ? sorted(normalise(value).value) : value);
  if (says(content) === says(before)) return;
  throw new TauError('configuration', `${path} cannot be rewritten without changing what it says`, {
    remedy: 'Rename the old names in it by hand; docs/settings.md lists them',
  });
}

function sorted(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted(value[name])]);
}
