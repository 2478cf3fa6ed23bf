/**
 * `awk`: a program in one word. It is known when there is nothing in it that could open a file, start a program or show
 * the environment.
 */
import type { Judge } from '../invocation.ts';
import { looksAt, notKnown } from './findings.ts';
import { looker } from './judges.ts';

/** `ARGV` decides which files are read, and `SYMTAB` decides on `ARGV`. */
const powers = /\b(system|getline|close|extension|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC)\b/;

/** `-f`, `-i`, `-l` and `-E` bring more program text. */
const awk = looker({ values: 'Fv', ordered: true }, (reading) => {
  const [program, ...files] = reading.operands;
  const { effects } = looksAt(files);
  if (program === undefined) return notKnown('unknown', 'its program is known only when it runs', effects);
  if (files.some((file) => file?.startsWith('/inet'))) {
    return notKnown('network', 'to some awks a file below /inet is a connection', effects);
  }
  return isHarmless(program) ? looksAt(files) : notKnown('unknown', 'its program may do more than read', effects);
});

export const awkPrograms: ReadonlyMap<string, Judge> = new Map(
  ['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, awk] as const),
);

/** Exported for its test. */
export function isHarmless(program: string): boolean {
  if (powers.test(program) || /[@\0]|\\\r?\n/.test(program)) return false;
  // Files and programs are opened by `>` and `|` alone, now that `getline` and `system` are not there.
  return !/[>|]/.test(program) || hasNoRedirection(program);
}

/**
 * Tells a comparison from a redirection, and text from both. Where it cannot be told (is this slash a division, or the
 * start of a pattern?) the answer is no.
 */
function hasNoRedirection(program: string): boolean {
  const token =
    /[ \t\r\n;,]+|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_][A-Za-z0-9_]*|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|\|\||\+\+|--|>=|[-+*%^!<=?:&~$(){}[\]/>|]/y;
  let before = '';
  let braces = 0;
  let brackets = 0;
  while (token.lastIndex < program.length) {
    const at = token.lastIndex;
    const [text] = token.exec(program) ?? [];
    if (text === undefined) return false;
    if (text === '/') {
      const kind = slash(before);
      if (kind === undefined) return false;
      const end = kind === 'division' ? at + 1 : endOfPattern(program, at + 1);
      if (end === undefined) return false;
      token.lastIndex = end;
      before = kind === 'division' ? '/' : 'pattern';
      continue;
    }
    if (text === '|') return false;
    // Within `( )` nothing can be redirected, and outside of `{ }` there is nothing to redirect.
    if (text === '>' && braces > 0 && brackets === 0) return false;
    if (text === '{') braces++;
    if (text === '}') braces--;
    if (text === '(') brackets++;
    if (text === ')') brackets--;
    if (braces < 0 || brackets < 0) return false;
    // A brace within brackets is no awk, and would blur what the brackets mean.
    if (text === '{' && brackets > 0) return false;
    if (!/^[ \t\r]+$/.test(text)) before = text;
  }
  return braces === 0 && brackets === 0;
}

/** Only those that no awk takes for a name. */
const keywords = /^(if|else|while|do|print|printf|return|exit)$/;
const doubtful = /^(length|in|for|case|delete|next|nextfile|switch|default|function|func|BEGIN|END|break|continue)$/;

/** What a slash is after what stands before it; undefined where awk's own grammar is needed to tell. */
function slash(before: string): 'division' | 'pattern' | undefined {
  if (before === ')' || before === '++' || before === '--' || before === 'pattern') return undefined;
  if (doubtful.test(before)) return undefined;
  if (before === ']' || before.startsWith('"') || /^[0-9.]/.test(before)) return 'division';
  if (/^[A-Za-z_]/.test(before)) return keywords.test(before) ? 'pattern' : 'division';
  return 'pattern';
}

/** After the slash that ends a pattern. A slash within `[ ]` ends it for some awks only. */
function endOfPattern(program: string, from: number): number | undefined {
  const found = /(?:[^/\\[\]\n]|\\[^\n]|\[\^?(?:[^/\\\]\n[]|\\[^\n\]]|\[:[a-z]+:\])+\])*\//y;
  found.lastIndex = from;
  return found.exec(program) === null ? undefined : found.lastIndex;
}
