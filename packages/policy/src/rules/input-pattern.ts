/**
 * Rules about one parameter of a call, for the tools of extensions and MCP servers: `key=text`, `key:pattern` with `*`,
 * `?` and `[abc]`, or `key~/expression/`. Rules that ask or deny look into lists and objects too, and do not mind case.
 */
import { isRecord } from '@tau/core';
import { compileGlob, globMatches, hasOpenClass } from './glob.ts';

export interface InputPattern {
  kind: 'input';
  key: string;
  how: 'text' | 'glob' | 'expression';
  value: string;
  flags?: string;
}

/** Longer texts are not compared: then an allow does not count, and the others do. */
const longestText = 100_000;
/** Each repetition in an expression may cost another round over the text. */
const longestFor: readonly number[] = [longestText, 10_000, 1_000];
const mostValues = 1_000;

/** The pattern, or what is wrong with it. */
export function readInputPattern(source: string): InputPattern | string {
  const [, key, mark, value = ''] = /^\s*([A-Za-z_][\w.-]*)([=:~])(.*)$/s.exec(source) ?? [];
  if (key === undefined) return 'its pattern names a parameter: key=text, key:pattern or key~/expression/';
  if (mark === '=') return { kind: 'input', key, how: 'text', value };
  if (mark === ':') {
    return hasOpenClass(value) ? 'a [ is not closed; \\[ is the character' : { kind: 'input', key, how: 'glob', value };
  }
  const [, expression, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(value) ?? [];
  if (expression === undefined || !/^[ims]*$/.test(flags))
    return 'an expression is written key~/expression/ or key~/expression/i';
  const problem = expressionProblem(expression, flags);
  return problem ?? { kind: 'input', key, how: 'expression', value: expression, ...(flags !== '' && { flags }) };
}

/**
 * What could take for ever is refused: what refers back or looks around, a repetition of what repeats or chooses, and more
 * than a few choices or repetitions.
 */
function expressionProblem(expression: string, flags: string): string | undefined {
  if (expression.length > 200) return 'its expression is longer than 200 characters';
  if (/\\[1-9k]/.test(expression.replaceAll('\\\\', ''))) return 'its expression refers back to a group';
  const plain = outline(expression);
  if (plain.includes('(?')) return 'its expression looks ahead or back, or names a group';
  if (repeatsGroup(plain)) return 'its expression repeats a group that repeats or chooses';
  if (repetitions(expression) >= longestFor.length) return 'its expression has more than two repetitions';
  if ((plain.match(/[?|]/g)?.length ?? 0) > 10) return 'its expression has more than ten choices';
  try {
    new RegExp(expression, flags);
    return undefined;
  } catch {
    return 'its expression is not one';
  }
}

/** The expression with everything that stands for one character as an `x`. */
function outline(expression: string): string {
  return expression
    .replace(/\\./gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replaceAll('(?:', '(');
}

function repetitions(expression: string): number {
  return outline(expression).match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0;
}

/** True when a group is followed by a repetition and has one, or a choice, in it. */
function repeatsGroup(plain: string): boolean {
  const busy: boolean[] = [];
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at] ?? '';
    if (char === '(') busy.push(false);
    const inner = char === ')' && (busy.pop() ?? false);
    if (inner && /^([*+]|\{\d)/.test(plain.slice(at + 1, at + 3))) return true;
    if ((inner || /[*+|{?]/.test(char)) && busy.length > 0) busy[busy.length - 1] = true;
  }
  return false;
}

/** For rules that allow: the parameter itself, as it is. */
export function inputAllowed(input: Readonly<Record<string, unknown>>, pattern: InputPattern): boolean {
  const value = Object.hasOwn(input, pattern.key) ? input[pattern.key] : undefined;
  const text = textOf(value);
  return text !== undefined && matches(text, pattern, { tooLong: false, caseless: false });
}

/** For rules that ask or deny: any text in the parameter. */
export function inputRestricted(input: Readonly<Record<string, unknown>>, pattern: InputPattern): boolean {
  if (!Object.hasOwn(input, pattern.key)) return false;
  const texts: string[] = [];
  const waiting: unknown[] = [input[pattern.key]];
  while (waiting.length > 0) {
    if (texts.length + waiting.length > mostValues) return true;
    const value = waiting.pop();
    const text = textOf(value);
    if (text !== undefined) texts.push(text);
    else if (Array.isArray(value)) waiting.push(...value.slice(0, mostValues + 1));
    else if (isRecord(value)) waiting.push(...Object.values(value).slice(0, mostValues + 1));
  }
  return texts.some((text) => matches(text, pattern, { tooLong: true, caseless: true }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function matches(text: string, pattern: InputPattern, way: { tooLong: boolean; caseless: boolean }): boolean {
  const fold = (one: string) => (way.caseless ? one.toLowerCase() : one);
  const { how, value, flags } = pattern;
  if (how === 'text') return fold(text) === fold(value);
  const longest = how === 'glob' ? longestText : (longestFor[repetitions(value)] ?? 0);
  if (text.length > longest) return way.tooLong;
  if (how === 'glob') return globMatches(fold(text), compileGlob(fold(value)));
  return new RegExp(value, flags).test(text);
}
