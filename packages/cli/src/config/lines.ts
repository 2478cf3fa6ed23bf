/** Settings as lines for a person. */
import type { EffectiveSetting, Migrated, SettingFile, SettingSay } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';

/** A text as it is, the rest as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function listLines(settings: readonly EffectiveSetting[]): string[] {
  return columns(settings.map(({ key, value, origins }) => [key, oneLine(value), `(${origins.join(' and ')})`]));
}

export function pathLines(files: readonly SettingFile[]): string[] {
  return columns(files.map(({ layer, path, exists }) => [layer, path, exists ? '' : '(not there)']));
}

/** The one that counts last, as the layers go. */
export function explainLines(says: readonly SettingSay[]): string[] {
  return columns(
    says.map(({ origin, place, value, not }) => {
      const counts = not === undefined ? 'counts' : `does not count: ${not}`;
      return [origin, oneLine(value), [place, counts].filter((part) => part !== undefined).join('  ')];
    }),
  );
}

export function migratedLines({ path, renamed, removed, backup }: Migrated, dryRun: boolean): string[] {
  if (renamed.length + removed.length === 0) return [visibleLine(`${path} has no old names`)];
  const end = dryRun ? 'nothing was written' : `the file as it was is ${backup} beside it`;
  return [
    visibleLine(`${path}: ${end}`),
    ...renamed.map(({ from, to }) => visibleLine(`  ${from} → ${to}`)),
    ...removed.map((name) => visibleLine(`  ${name} is gone: the new name was there too, and counts`)),
  ];
}

const maxWidth = 60;

function oneLine(value: unknown): string {
  const text = typeof value === 'string' ? value.replaceAll('\n', ' ⏎ ') : JSON.stringify(value);
  return text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text;
}

function columns(given: readonly string[][]): string[] {
  const rows = given.map((row) => row.map(visibleLine));
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
