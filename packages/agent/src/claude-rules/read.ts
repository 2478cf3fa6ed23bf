/** Claude Code's settings, as far as they are rules. Written for another program: what is odd is said, and the rest counts. */
import { describeError, isRecord, type Outcome } from '@tau/core';
import { locateJson, parseJson } from '../config/jsonc.ts';
import { readText } from '../config/text.ts';
import { rulesHash } from '../trust/content.ts';

export interface ClaudeFile {
  path: string;
  /** As a person knows it. */
  name: string;
  /** The folders that `/x` in it belongs to. An allow is taken for the last of them only. */
  bases: readonly string[];
  /** Its path within the project, where trust can be about it. */
  within?: string;
  isOwn?: true;
}

export interface FileRules {
  file: ClaudeFile;
  rules: Readonly<Record<Outcome, readonly string[]>>;
  /** What trust knows those that allow by. */
  hash(): string | undefined;
  /** `path:line:column` of one of its lists. */
  locate(outcome: Outcome): Promise<string>;
}

/** A repository may bring any file; every rule is looked at for every call. */
const maxBytes = 256 * 1024;
/** More than a person reads. */
const maxReports = 5;

/** What stood in a file `before` stays while it cannot be read: a slip must not take a guard away. */
export async function readClaudeRules(
  files: readonly ClaudeFile[],
  before: readonly FileRules[],
): Promise<{ found: FileRules[]; warnings: string[] }> {
  const found: FileRules[] = [];
  const warnings: string[] = [];
  for (const file of files) {
    try {
      const read = await readFile(file);
      if (read === undefined) continue;
      found.push(read.rules);
      warnings.push(...read.problems.slice(0, maxReports));
      const more = read.problems.length - maxReports;
      if (more > 0) warnings.push(`${file.path}: ${more} more of its permissions are wrong and left out`);
    } catch (error) {
      const last = before.find((one) => one.file.path === file.path);
      if (last) found.push(last);
      const so = last ? 'The rules that stood in it before stay' : 'No permission rule in it counts until then';
      warnings.push(`${describeError(error)}. ${so}`);
    }
  }
  return { found, warnings };
}

async function readFile(file: ClaudeFile): Promise<{ rules: FileRules; problems: string[] } | undefined> {
  const { path } = file;
  const text = readText(path, maxBytes);
  const value = text === undefined || text.trim() === '' ? undefined : await parseJson(path, text);
  if (text === undefined || value === undefined) return undefined;
  const at = async (keys: readonly string[]) => `${path}:${await locateJson(text, ['permissions', ...keys])}`;
  const problems: string[] = [];
  const wrong = async (keys: readonly string[], what: string) => {
    // Each costs a look through the file for its place.
    const place = problems.length < maxReports ? await at(keys) : path;
    problems.push(`${place}: ${['permissions', ...keys].join('.')}: ${what}; it is left out`);
  };
  const permissions = isRecord(value) ? (value.permissions ?? {}) : {};
  if (!isRecord(permissions)) await wrong([], 'must be an object');
  const listOf = async (outcome: Outcome): Promise<string[]> => {
    const list = (isRecord(permissions) ? permissions[outcome] : undefined) ?? [];
    if (!Array.isArray(list)) await wrong([outcome], 'must be a list of rules');
    const texts: string[] = [];
    for (const [index, rule] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof rule === 'string' && rule.trim() !== '') texts.push(rule);
      else await wrong([outcome, String(index)], 'must be a rule, as a text');
    }
    return texts;
  };
  const rules = { deny: await listOf('deny'), ask: await listOf('ask'), allow: await listOf('allow') };
  const hash = () => rulesHash(Buffer.from(text));
  return { rules: { file, rules, hash, locate: (outcome) => at([outcome]) }, problems };
}
