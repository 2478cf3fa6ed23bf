/** JSON that may hold comments. Plain JSON, the common case, does not load the comment parser. */
import { TauError } from '@tau/core';
import type { ParseError } from 'jsonc-parser';
import { position, readText } from './text.ts';

export interface JsonFile {
  path: string;
  text: string;
  value: unknown;
}

/** `undefined` when there is no such file. A file that is not JSON is an error that names line and column. */
export async function readJsonFile(path: string): Promise<JsonFile | undefined> {
  const text = readText(path);
  return text === undefined ? undefined : { path, text, value: await parseJson(path, text) };
}

export async function parseJson(path: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return parseWithComments(path, text);
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

/** `line:column` of a key in the text, or of what holds it when it is not there. */
export async function locateJson(text: string, keys: readonly string[]): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  let node = parseTree(text);
  for (const key of keys) {
    const inner = node && findNodeAtLocation(node, [node.type === 'array' ? Number(key) : key]);
    if (!inner) break;
    node = inner;
  }
  const named = node?.parent?.type === 'property' ? node.parent : node;
  return position(text, named?.offset ?? 0);
}
