/** What the subcommands that look have in common: the options that stand for a run's, and the view they make. */
import { openPermissionView, type PermissionView, permissionModes, TauError } from '@tau/agent';
import { sandboxOf } from '../args/flags.ts';
import type { Option } from '../args/options.ts';
import { jsonText } from '../render/json.ts';
import { visibleLine } from '../render/visible.ts';
import { workingFolder } from '../working-folder.ts';

export const viewOptions: readonly Option[] = [
  { name: 'mode', value: 'MODE', choices: permissionModes, help: 'as if this were the mode' },
  { name: 'permission-mode', value: 'MODE', choices: permissionModes, help: 'the same' },
  { name: 'allow', value: 'RULE', repeatable: true, help: 'as if this rule were there too' },
  { name: 'ask', value: 'RULE', repeatable: true, help: 'as if this rule were there too' },
  { name: 'deny', value: 'RULE', repeatable: true, help: 'as if this rule were there too' },
  { name: 'add-dir', value: 'DIR', repeatable: true, help: 'as if this folder were added' },
  { name: 'sandbox', help: 'as if commands ran in a sandbox or not at all' },
  { name: 'no-sandbox', help: 'as if they ran without one' },
  { name: 'config', value: 'FILE', help: 'with these settings above the files' },
  { name: 'json', help: 'as JSON' },
];

type Flags = ReadonlyMap<string, readonly string[]>;

/** As a run with these flags would see it. What is wrong is said on stderr. */
export async function openView(flags: Flags, wanted?: string): Promise<PermissionView> {
  const text = wanted ?? flags.get('mode')?.at(-1) ?? flags.get('permission-mode')?.at(-1);
  const permissionMode = permissionModes.find((mode) => mode === text);
  const configFile = flags.get('config')?.at(-1);
  const sandbox = sandboxOf(flags);
  return openPermissionView({
    cwd: workingFolder(),
    env: process.env,
    addDirs: flags.get('add-dir') ?? [],
    rules: { allow: flags.get('allow') ?? [], ask: flags.get('ask') ?? [], deny: flags.get('deny') ?? [] },
    ...(permissionMode !== undefined && { permissionMode }),
    ...(configFile !== undefined && { configFile }),
    ...(sandbox !== undefined && { sandbox }),
  });
}

export function warnOf({ warnings, problems }: PermissionView): void {
  for (const text of [...warnings, ...problems]) tell(`tau: warning: ${text}`);
}

export function none(name: string, rest: readonly string[]): void {
  if (rest.length > 0) throw new TauError('usage', `tau permissions ${name} takes no "${rest[0]}"`);
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What a terminal would obey is spelled out: to a program it is the same JSON. */
export function sayJson(value: unknown): void {
  say(jsonText(value));
}

export function tell(line: string): void {
  process.stderr.write(`${visibleLine(line)}\n`);
}
