/** Reads a JSON file that may hold comments. Plain JSON, the common case, does not load the comment parser. */
import { readFileSync } from 'node:fs';
import { TauError } from '@tau/core';
import type { ParseError } from 'jsonc-parser';

export interface JsonFile {
  path: string;
  text: string;
  value: unknown;
}

/** `undefined` when there is no such file. A file that is not JSON is an error that names line and column. */
export async function readJsonFile(path: string): Promise<JsonFile | undefined> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new TauError('configuration', `${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  try {
    return { path, text, value: JSON.parse(text) };
  } catch {
    return { path, text, value: await parseWithComments(path, text) };
  }
}

async function parseWithComments(path: string, text: string): Promise<unknown> {
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (!first) return value;
  const what = printParseErrorCode(first.error);
  throw new TauError('configuration', `${path}:${position(text, first.offset)}: this is not valid JSON (${what})`, {
    remedy: 'Mend the file; comments and trailing commas are allowed',
  });
}

/** `line:column` of a key in the file, or of its start when it is not there. */
export async function locate({ text }: JsonFile, keys: readonly string[]): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  let node = parseTree(text);
  for (const key of keys) {
    node = node && findNodeAtLocation(node, [node.type === 'array' ? Number(key) : key]);
  }
  const named = node?.parent?.type === 'property' ? node.parent : node;
  return position(text, named?.offset ?? 0);
}

function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
