/** What other agents' models write for a command, as `bash` here takes it. */
import { TauError, type ToolInput } from '@tau/core';

/** Where another agent's tool runs a command. Dropping it would run the command in the wrong place. */
const folderKeys = ['workdir', 'cwd', 'working_directory', 'directory', 'dir_path'];
/** Words about the command, not to it. */
const asides = ['description', 'justification'];
/** A `timeout` is in seconds with some agents, in milliseconds with most. Nobody gives a command 0.6 s. */
const longestInSecs = 600;

/** `contained`: there is a sandbox to run outside of. Where there is none, whoever asks for that has it already. */
export function prepareCommand(input: ToolInput, contained = false): ToolInput {
  const { run_in_background, is_background, wait, timeout, timeout_ms, ...words } = input;
  const { outside, dangerouslyDisableSandbox, with_escalated_permissions, ...inside } = words;
  const leaves = outside ?? dangerouslyDisableSandbox ?? with_escalated_permissions;
  const given: ToolInput = contained && leaves !== undefined ? { ...inside, outside: leaves } : inside;
  const rest: ToolInput = Object.fromEntries(Object.entries(given).filter(([key]) => !asides.includes(key)));
  for (const key of folderKeys) refuseFolder(key, rest);
  if (Array.isArray(rest.command)) rest.command = commandLine(rest.command);
  const apart = rest.background ?? run_in_background ?? is_background ?? (isFalse(wait) ? true : undefined);
  if (apart !== undefined) rest.background = apart;
  const waitSecs = durationSecs(wait);
  if (waitSecs !== undefined) Object.assign(rest, { background: true, timeout_secs: waitSecs });
  else if (wait !== undefined && typeof wait !== 'boolean' && !isFalse(wait) && wait !== 'true') {
    throw new TauError('usage', 'wait must be true, false or a duration such as "30s" or "10m"');
  }
  // In the background another agent's timeout is no wait: its model wants to go on at once.
  if (rest.timeout_secs === undefined && !isTrue(rest.background)) {
    const secs = secsOf(timeout_ms, 0) ?? secsOf(timeout, longestInSecs);
    if (secs !== undefined) rest.timeout_secs = secs;
  }
  return rest;
}

function refuseFolder(key: string, input: ToolInput): void {
  const folder = input[key];
  if (folder === undefined) return;
  delete input[key];
  if (folder === null || folder === '' || folder === '.') return;
  throw new TauError('usage', `bash has no ${key}: commands run in the project folder`, {
    remedy: `Begin the command with: cd ${quoted(String(folder))} &&`,
  });
}

/** `["bash", "-lc", "ls"]` is `ls`; any other list is one command, word by word. */
function commandLine(words: readonly unknown[]): string {
  const [program = '', flag = '', script] = words.map(String);
  const isShell = /^(?:.*\/)?(?:ba|z|da)?sh$/.test(program) && /^-[a-z]*c$/.test(flag);
  if (isShell && script !== undefined && words.length === 3) return script;
  return words.map((word) => quoted(String(word))).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function isFalse(value: unknown): boolean {
  return value === false || value === 'false';
}

/** A number larger than the limit is in milliseconds. */
function secsOf(value: unknown, limit: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return undefined;
  return number > limit ? number / 1000 : number;
}

const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** `"30s"`, `"10m"`, `"1h"`; a number is in seconds. */
function durationSecs(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const [, number, unit = 's'] =
    typeof value === 'string' ? (/^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(value.trim()) ?? []) : [];
  return number === undefined ? undefined : Number(number) * (units[unit] ?? 1);
}
