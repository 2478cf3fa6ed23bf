/**
 * Sets or takes away one key in the text of a JSON file that may hold comments. Every other byte stays as it is: comments,
 * blank lines, the order, how others wrote their values.
 */
import { TauError } from '@tau/core';
import type { Node } from 'jsonc-parser';

/** `undefined` takes the key away. The text must hold an object; a missing or blank one is taken for an empty one. */
export async function editJson(text: string, path: readonly string[], value: unknown): Promise<string> {
  const { parseTree, createScanner } = await import('jsonc-parser');
  const source = text.trim() === '' ? '{}\n' : text;
  const root = parseTree(source, [], { allowTrailingComma: true });
  if (root?.type !== 'object') throw new TauError('configuration', 'the settings must be an object');
  const { holder, property, rest } = descend(root, path);
  if (value === undefined) {
    if (property === undefined || rest.length > 0) return text;
    const shorter = removeProperty(source, holder, property, commaFinder(source, createScanner));
    // A key may be there twice: the one before must not count now.
    return editJson(shorter, path, undefined);
  }
  const style = styleOf(source);
  if (property && rest.length === 0) {
    const old = property.children?.[1];
    if (!old) throw new TauError('configuration', 'the settings are not valid JSON');
    return splice(source, old.offset, old.offset + old.length, json(value, style, indentAt(source, property.offset)));
  }
  // A key that is not there is put behind the last of what would hold it, with whatever has to be made around it.
  const [name = '', ...within] = rest;
  const whole = within.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const find = { comma: commaFinder(source, createScanner), lineBreak: lineBreakFinder(source, createScanner) };
  return addProperty(source, holder, name, whole, style, find);
}

/** The same for one text in a list: put behind the others, or taken away wherever it stands. */
export async function editList(
  text: string,
  path: readonly string[],
  item: string,
  change: 'add' | 'remove',
): Promise<string> {
  const { parseTree, createScanner } = await import('jsonc-parser');
  const root = parseTree(text.trim() === '' ? '{}' : text, [], { allowTrailingComma: true });
  if (root?.type !== 'object') throw new TauError('configuration', 'the settings must be an object');
  const { property, rest } = descend(root, path);
  const list = rest.length === 0 ? property?.children?.[1] : undefined;
  if (list === undefined) return change === 'add' ? editJson(text, path, [item]) : text;
  if (list.type !== 'array') throw new TauError('configuration', `${path.join('.')} is no list`);
  const found = list.children?.findLast((child) => textOfItem(child) === item);
  const find = { comma: commaFinder(text, createScanner), lineBreak: lineBreakFinder(text, createScanner) };
  if (change === 'add') {
    return found ? text : addItem(text, list, () => JSON.stringify(item), styleOf(text), find);
  }
  return found ? editList(removeProperty(text, list, found, find.comma), path, item, change) : text;
}

/** A rule may be an object that carries its examples. */
function textOfItem(node: Node): unknown {
  if (node.type !== 'object') return node.value;
  return node.children?.find((child) => child.children?.[0]?.value === 'rule')?.children?.[1]?.value;
}

interface Descent {
  /** The innermost object on the path. */
  holder: Node;
  /** The last key that was found. */
  property?: Node;
  /** What is not there. */
  rest: readonly string[];
}

function descend(root: Node, path: readonly string[]): Descent {
  let holder = root;
  for (const [at, key] of path.entries()) {
    const property = holder.children?.findLast((child) => child.children?.[0]?.value === key);
    const inner = property?.children?.[1];
    if (!property || !inner) return { holder, rest: path.slice(at) };
    if (at === path.length - 1) return { holder, property, rest: [] };
    if (inner.type !== 'object') throw new TauError('configuration', `${path.slice(0, at + 1).join('.')} is no object`);
    holder = inner;
  }
  return { holder, rest: [] };
}

interface Style {
  indent: string;
  eol: string;
}

function styleOf(text: string): Style {
  return { indent: /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function json(value: unknown, { indent, eol }: Style, within: string): string {
  // Lists and maps of a few words stay on their line, as people write them.
  const short = JSON.stringify(value, null, 1).replace(/\n */g, ' ');
  const flat = short.replace(/^\[ (.*) \]$/, '[$1]');
  if (flat.length <= 80) return flat;
  return JSON.stringify(value, null, indent).replaceAll('\n', eol + within);
}

/** The blanks at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function addProperty(
  text: string,
  holder: Node,
  name: string,
  value: unknown,
  style: Style,
  find: { comma: Finder; lineBreak: Finder },
): string {
  return addItem(text, holder, (within) => `${JSON.stringify(name)}: ${json(value, style, within)}`, style, find);
}

/** Behind the last of what an object or a list holds. */
function addItem(
  text: string,
  holder: Node,
  written: (within: string) => string,
  style: Style,
  find: { comma: Finder; lineBreak: Finder },
): string {
  const close = holder.offset + holder.length - 1;
  const last = holder.children?.at(-1);
  if (!last) return addFirst(text, holder, written, style);
  const end = last.offset + last.length;
  const comma = find.comma(end, close);
  const indent = indentAt(text, last.offset);
  const ownLine = text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset).trim() === '';
  // Behind a comment on the same line, which is about the one before.
  const lineEnd = ownLine ? find.lineBreak((comma ?? end - 1) + 1, close) : undefined;
  if (lineEnd === undefined) return splice(text, end, end, `, ${written(indent)}`);
  const added = `${style.eol}${indent}${written(indent)}${comma === undefined ? '' : ','}`;
  const longer = splice(text, lineEnd, lineEnd, added);
  return comma === undefined ? splice(longer, end, end, ',') : longer;
}

function addFirst(text: string, holder: Node, written: (within: string) => string, { indent, eol }: Style): string {
  const outer = indentAt(text, holder.offset);
  const inner = outer + indent;
  const start = holder.offset + 1;
  const close = holder.offset + holder.length - 1;
  const kept = text.slice(start, close).trimEnd();
  return splice(text, start, close, `${kept}${eol}${inner}${written(inner)}${eol}${outer}`);
}

function removeProperty(text: string, holder: Node, property: Node, commaAfter: Finder): string {
  const siblings = holder.children ?? [];
  const at = siblings.indexOf(property);
  const end = property.offset + property.length;
  const close = holder.offset + holder.length - 1;
  const before = siblings[at - 1];
  const own = commaAfter(end, siblings[at + 1]?.offset ?? close);
  const comma = own ?? (before && commaAfter(before.offset + before.length, property.offset));
  const cuts = [lineOf(text, property.offset, own === end ? end + 1 : end)];
  if (comma !== undefined && !(own === end)) cuts.push({ from: comma, to: comma + 1 });
  cuts.sort((a, b) => b.from - a.from);
  return cuts.reduce((shorter, { from, to }) => splice(shorter, from, to, ''), text);
}

/** With the rest of its lines when nothing else stands on them. */
function lineOf(text: string, from: number, to: number): { from: number; to: number } {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const blank = /^[ \t]*\r?\n/.exec(text.slice(to))?.[0];
  if (blank !== undefined && start > 0 && text.slice(start, from).trim() === '')
    return { from: start, to: to + blank.length };
  return { from, to: to + (/^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0) };
}

/** A place between two others. */
type Finder = (from: number, to: number) => number | undefined;
type CreateScanner = typeof import('jsonc-parser').createScanner;

/** The place of a line break that is no part of a comment. */
function lineBreakFinder(text: string, createScanner: CreateScanner): Finder {
  return (from, to) => {
    const scanner = createScanner(text, false);
    scanner.setPosition(from);
    for (;;) {
      scanner.scan();
      const at = scanner.getTokenOffset();
      if (at >= to) return undefined;
      if (text[at] === '\n' || text[at] === '\r') return at;
    }
  };
}

/** The place of a comma that is no part of a comment. */
function commaFinder(text: string, createScanner: CreateScanner): Finder {
  return (from, to) => {
    const scanner = createScanner(text, true);
    scanner.setPosition(from);
    scanner.scan();
    const at = scanner.getTokenOffset();
    return at < to && text[at] === ',' ? at : undefined;
  };
}

function splice(text: string, from: number, to: number, instead: string): string {
  return text.slice(0, from) + instead + text.slice(to);
}
