/** Every setting as a row of a Markdown table, for `docs/settings.md`. */
import type { JsonSchema } from '@tau/core';
import { keys, type ProjectPolicy, settingNames } from './keys.ts';

const projectWords: Readonly<Record<ProjectPolicy, string>> = {
  yes: 'yes',
  no: 'no',
  less: 'stricter only',
  fewer: 'fewer only',
  off: 'off only',
  on: 'on only',
  new: 'new names only',
  known: 'a known one',
};

export function settingsTable(): string {
  const rows = settingNames().map((name) => {
    const { about, schema, default: standard, project } = keys[name];
    const defaultText = standard === undefined ? '' : `\`${JSON.stringify(standard)}\``;
    return [`\`${name}\``, typeText(schema), defaultText, projectWords[project], about];
  });
  const head = ['key', 'value', 'default', 'a project may set it', 'what it is'];
  const all = [head, head.map(() => '---'), ...rows];
  return all.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function typeText({ type, enum: choices, items, anyOf, description, ...bounds }: JsonSchema): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(' ');
  if (anyOf) return description ?? '';
  if (type === 'array') return `list of ${items?.type === 'string' ? 'texts' : (items?.title ?? 'values')}`;
  if (type === 'object') return 'texts by name';
  if (type === 'string') return 'text';
  if (type === 'boolean') return '`true` `false`';
  return `${type === 'integer' ? 'whole number' : 'number'}${boundsText(bounds)}`;
}

function boundsText({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const from = exclusiveMinimum === undefined ? `from ${minimum}` : `above ${exclusiveMinimum}`;
  return `, ${from}${maximum === undefined ? '' : ` to ${maximum}`}`;
}
