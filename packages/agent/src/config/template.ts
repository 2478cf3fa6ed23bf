/** The file `tau init` writes: everything that can be set, commented out, so that nothing changes until somebody says so. */
import { existsSync } from 'node:fs';
import type { Home } from './home.ts';
import { keys, settingNames } from './keys.ts';
import { groupNames, namesWithin } from './names.ts';
import { replaceFile } from './replace-file.ts';
import type { SettingName } from './types.ts';

export function settingsTemplate(): string {
  const groups = groupNames();
  const described = new Map(settingNames().map((name) => [String(name), name]));
  const lines = namesWithin(undefined).flatMap((top) => {
    if (!groups.has(top)) return lineOf(top, described.get(top), '  ');
    const inner = namesWithin(top).flatMap((name) => lineOf(name, described.get(`${top}.${name}`), '    '));
    return [`  // "${top}": {`, ...inner, '  // },'];
  });
  return `// Settings of tau. Take away the // before what you want to change; tau config explain KEY says what counts and why.
{
${lines.join('\n')}
}
`;
}

function lineOf(shortName: string, name: SettingName | undefined, indent: string): string[] {
  if (name === undefined) return [];
  const { about, default: standard, example } = keys[name];
  return [`${indent}// ${about}`, `${indent}// "${shortName}": ${JSON.stringify(standard ?? example)},`];
}

/** Never over what is there. */
export function writeTemplate(home: Home): { path: string; created: boolean } {
  const path = home.settings;
  if (existsSync(path) || existsSync(path.replace(/\.json$/, '.toml'))) return { path, created: false };
  replaceFile(path, settingsTemplate());
  return { path, created: true };
}
