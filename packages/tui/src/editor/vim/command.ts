/** Keys of normal and visual mode as commands: counts, operators, motions, text objects. Says when more keys are needed. */

export type Operator = 'd' | 'c' | 'y' | '>' | '<' | 'g~' | 'gu' | 'gU';

export type Target =
  | { kind: 'motion'; motion: string; character?: string }
  | { kind: 'object'; around: boolean; object: string }
  /** The operator twice: whole lines. */
  | { kind: 'lines' };

export type Command =
  | { kind: 'motion'; motion: string; character?: string; count: number | undefined }
  | { kind: 'operate'; operator: Operator; target: Target; count: number | undefined }
  | { kind: 'object'; around: boolean; object: string; count: number | undefined }
  | { kind: 'replace'; character: string; count: number | undefined }
  | { kind: 'simple'; name: string; count: number | undefined };

export type Parsed = Command | 'incomplete' | 'unknown';

const motions = new Set([
  ...[
    'h',
    'j',
    'k',
    'l',
    'w',
    'b',
    'e',
    'W',
    'B',
    'E',
    '0',
    '^',
    '$',
    '_',
    'G',
    ';',
    ',',
    '%',
    '{',
    '}',
    '+',
    '-',
    '|',
  ],
  ...['gg', 'ge', 'gE', 'gj', 'gk', 'g_'],
]);
const aliases: Record<string, string> = {
  left: 'h',
  right: 'l',
  down: 'j',
  up: 'k',
  home: '0',
  end: '$',
  space: 'l',
  ' ': 'l',
  backspace: 'h',
};
const operators = new Set<string>(['d', 'c', 'y', '>', '<', 'g~', 'gu', 'gU']);
const objects = new Set([...'wWp"\'`()[]{}<>bB']);
const finds = new Set(['f', 'F', 't', 'T']);
const simples = new Set([
  ...['x', 'X', 's', 'S', 'D', 'C', 'Y', 'p', 'P', 'u', 'ctrl+r', '.', 'J', '~'],
  ...['i', 'a', 'I', 'A', 'o', 'O', 'v', 'V', ':', 'gv'],
]);
const visualSimples = new Set([
  ...['x', 'X', 's', 'S', 'D', 'C', 'Y', 'R', 'p', 'P', 'J', '~', 'u', 'U', 'o', 'O', 'v', 'V', ':'],
]);

/** No sane count is longer. */
const mostDigits = 5;

/** Reads the keys typed so far. In visual mode an operator needs no target, and text objects stand alone. */
export function readCommand(keys: readonly string[], visual: boolean): Parsed {
  const first = readCount(keys, 0);
  const start = readKey(keys, first.next);
  if (start === undefined) return 'incomplete';
  const { key, next } = start;
  const { count } = first;
  if (finds.has(key)) {
    const character = keys[next];
    return character === undefined ? 'incomplete' : typed(character, { kind: 'motion', motion: key, character, count });
  }
  if (motions.has(key)) return { kind: 'motion', motion: key, count };
  if (key === 'r') {
    const character = keys[next];
    return character === undefined ? 'incomplete' : typed(character, { kind: 'replace', character, count });
  }
  if (isOperator(key)) {
    if (visual) return { kind: 'operate', operator: key, target: { kind: 'lines' }, count };
    return readTarget(keys, next, key, count);
  }
  if (visual && (key === 'i' || key === 'a')) {
    const object = keys[next];
    if (object === undefined) return 'incomplete';
    return objects.has(object) ? { kind: 'object', around: key === 'a', object, count } : 'unknown';
  }
  return (visual ? visualSimples : simples).has(key) ? { kind: 'simple', name: key, count } : 'unknown';
}

function readTarget(keys: readonly string[], at: number, operator: Operator, before: number | undefined): Parsed {
  const second = readCount(keys, at);
  const count = before === undefined && second.count === undefined ? undefined : (before ?? 1) * (second.count ?? 1);
  const found = readKey(keys, second.next);
  if (found === undefined) return 'incomplete';
  const { key, next } = found;
  if (key === operator || (operator.length === 2 && key === operator[1])) {
    return { kind: 'operate', operator, target: { kind: 'lines' }, count };
  }
  if (finds.has(key)) {
    const character = keys[next];
    if (character === undefined) return 'incomplete';
    return typed(character, { kind: 'operate', operator, target: { kind: 'motion', motion: key, character }, count });
  }
  if (key === 'i' || key === 'a') {
    const object = keys[next];
    if (object === undefined) return 'incomplete';
    if (!objects.has(object)) return 'unknown';
    return { kind: 'operate', operator, target: { kind: 'object', around: key === 'a', object }, count };
  }
  if (!motions.has(key)) return 'unknown';
  return { kind: 'operate', operator, target: { kind: 'motion', motion: key }, count };
}

function readCount(keys: readonly string[], at: number): { count: number | undefined; next: number } {
  let next = at;
  while (next < keys.length && /^[0-9]$/.test(keys[next] ?? '') && !(next === at && keys[next] === '0')) next++;
  const digits = keys.slice(at, next).join('');
  return { count: digits === '' ? undefined : Number(digits.slice(0, mostDigits)), next };
}

/** One key, or two that begin with `g`. */
function readKey(keys: readonly string[], at: number): { key: string; next: number } | undefined {
  const key = keys[at];
  if (key === undefined) return undefined;
  if (key !== 'g') return { key: aliases[key] ?? key, next: at + 1 };
  const second = keys[at + 1];
  return second === undefined ? undefined : { key: `g${second}`, next: at + 2 };
}

/** Only what types a character can be looked for or put in. */
function typed(key: string, command: Command): Parsed {
  return [...key].length === 1 || !/^[a-z0-9+]{2,}$/.test(key) ? command : 'unknown';
}

function isOperator(key: string): key is Operator {
  return operators.has(key);
}
