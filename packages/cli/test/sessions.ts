/** The session files a sandbox holds, as a person would find them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { at } from './json.ts';

/** Every session file below a folder. The log of decisions is none, although it is in lines too. */
export function sessionFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('permissions.jsonl'))
    .map((name) => join(dir, name));
}

export function onlySession(dir: string): string {
  const [path, ...more] = sessionFiles(dir);
  if (path === undefined || more.length > 0) throw new Error(`${more.length + (path ? 1 : 0)} sessions in ${dir}`);
  return path;
}

export function linesOf(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}

/** What each line is, shortly: `session`, `message user`, `custom tau.intent`. */
export function outlineOf(path: string): string[] {
  return linesOf(path).map((line) => {
    const more = at(line, 'message', 'role') ?? at(line, 'customType');
    return typeof more === 'string' ? `${at(line, 'type')} ${more}` : `${at(line, 'type')}`;
  });
}
